// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * filter.c - the seccomp filters of a run: what passes no hook, or not always.
 *
 * All but the quiet one have the log flag: the kernel then calls audit_seccomp, where a program of
 * warder's listens and reports the refusal (bpf/seccomp.bpf.c).
 */
#include "run/filter.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

/* The kernel takes 32 bits of these arguments; the upper half is the caller's noise. */
#define LOWER_HALF 0xffffffffull

/* What a call of i386 or x32 gets. */
#define FOREIGN SCMP_ACT_ERRNO(EPERM)

const unsigned int warder_personalities[WARDER_PERSONALITIES] = {0, 0x8, 0x20000, 0x20008,
								 0xffffffff};

static int refuse_request(scmp_filter_ctx filter, unsigned int request)
{
	return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(ioctl), 1,
				SCMP_A1(SCMP_CMP_MASKED_EQ, LOWER_HALF, request));
}

/* A filter for x86-64 alone. */
static scmp_filter_ctx begin(uint32_t action, uint32_t foreign, bool log)
{
	scmp_filter_ctx filter = seccomp_init(action);

	if (filter && (seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, foreign) < 0 ||
		       seccomp_attr_set(filter, SCMP_FLTATR_CTL_LOG, log) < 0 ||
		       seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2) < 0)) {
		seccomp_release(filter);
		return NULL;
	}
	return filter;
}

static int build_always(scmp_filter_ctx filter)
{
	int error;

	if (!filter)
		return -ENOMEM;
	error = refuse_request(filter, TIOCSTI);
	return error < 0 ? error : refuse_request(filter, TIOCLINUX);
}

static int build_quiet(scmp_filter_ctx filter)
{
	return filter ? seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SYS_clone3, 0) : -ENOMEM;
}

static int allow_personalities(scmp_filter_ctx filter)
{
	size_t i;
	int error = 0;

	for (i = 0; i < WARDER_PERSONALITIES && !error; i++)
		error = seccomp_rule_add(
			filter, SCMP_ACT_ALLOW, SYS_personality, 1,
			SCMP_A0(SCMP_CMP_MASKED_EQ, LOWER_HALF, warder_personalities[i]));
	return error;
}

/* What a profile lets through by its list alone it may look at closely. */
static int allow(scmp_filter_ctx filter, int number, bool closely)
{
	if (number == SYS_clone && closely)
		return seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 1,
					SCMP_A0(SCMP_CMP_MASKED_EQ, WARDER_CLONE_NAMESPACES, 0));
	if (number == SYS_personality && closely)
		return allow_personalities(filter);
	return seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0);
}

/* Denied by a rule it is EPERM, as the others are. */
bool warder_filter_is_quiet(const struct warder_set *set, int number,
			    const struct warder_call *call)
{
	return number == SYS_clone3 && set->profile != WARDER_PROFILE_NONE && call->refused &&
	       !call->rule;
}

/* With a profile all is refused but what is allowed; without one all is allowed but ... */
static int build_calls(scmp_filter_ctx filter, const struct warder_policy *policy,
		       const struct warder_set *set)
{
	bool listed = set->profile != WARDER_PROFILE_NONE;
	struct warder_call call;
	int number, error = filter ? 0 : -ENOMEM;

	for (number = 0; number < (int)WARDER_SYSCALLS_MAX && !error; number++) {
		warder_profile_find(policy, set, number, &call);
		/* That is the quiet filter's. */
		if (warder_filter_is_quiet(set, number, &call))
			call.refused = false;
		if (listed && !call.refused)
			error = allow(filter, number, call.closely);
		else if (listed && number > (int)WARDER_SYSCALL_NEWEST)
			error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), number, 0);
		else if (!listed && call.refused)
			error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0);
	}
	return error;
}

static int build(const struct warder_policy *policy, const struct warder_set *set,
		 struct warder_filter *filter)
{
	bool listed = set->profile != WARDER_PROFILE_NONE;
	struct warder_call clone3;
	int error;

	filter->always = begin(SCMP_ACT_ALLOW, FOREIGN, true);
	error = build_always(filter->always);
	if (!error && warder_profile_is_needed(policy, set)) {
		filter->calls =
			begin(listed ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_ALLOW, FOREIGN, true);
		error = build_calls(filter->calls, policy, set);
	}
	warder_profile_find(policy, set, SYS_clone3, &clone3);
	if (!error && warder_filter_is_quiet(set, SYS_clone3, &clone3)) {
		filter->quiet = begin(SCMP_ACT_ALLOW, SCMP_ACT_ALLOW, false);
		error = build_quiet(filter->quiet);
	}
	return error;
}

int warder_filter_build(const struct warder_policy *policy, unsigned int set,
			struct warder_filter *ret_filter)
{
	struct warder_filter filter = {};
	int error = build(policy, &policy->sets[set], &filter);

	if (error < 0) {
		warder_filter_release(&filter);
		return error;
	}
	*ret_filter = filter;
	return 0;
}

/* `calls` last: it may refuse to install another. */
int warder_filter_install(const struct warder_filter *filter)
{
	int error = seccomp_load(filter->always);

	if (!error && filter->quiet)
		error = seccomp_load(filter->quiet);
	if (!error && filter->calls)
		error = seccomp_load(filter->calls);
	return error;
}

void warder_filter_release(struct warder_filter *filter)
{
	seccomp_release(filter->always);
	seccomp_release(filter->calls);
	seccomp_release(filter->quiet);
	*filter = (struct warder_filter){};
}
