// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * oci_test.c - the printed profile means what the installed filters do: both are run, as programs,
 * on every call of every ABI.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "policy/syscall.h"
#include "run/filter.h"
#include "run/oci.h"

#define X32 0x40000000

struct program {
	struct sock_filter code[8192];
	size_t count;
};

static struct warder_policy *read_policy(const char *sets)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	struct warder_policy *policy = NULL;
	char text[2048];

	snprintf(text, sizeof(text), "version: 1\npolicy: p\nmodel: agent-in-sandbox\n%s", sets);
	if (warder_policy_parse("p.yaml", text, strlen(text), NULL, &found, &policy) < 0)
		warder_diagnostics_print(&found, stdout);
	assert_non_null(policy);
	return policy;
}

static void export(scmp_filter_ctx filter, struct program *program)
{
	int fd = memfd_create("filter", MFD_CLOEXEC);
	ssize_t size;

	assert_int_equal(seccomp_export_bpf(filter, fd), 0);
	size = pread(fd, program->code, sizeof(program->code), 0);
	assert_true(size > 0 && size < (ssize_t)sizeof(program->code));
	program->count = (size_t)size / sizeof(struct sock_filter);
	close(fd);
}

/* What the kernel's machine does, as far as libseccomp uses it. */
static uint32_t run_program(const struct program *program, const struct seccomp_data *data)
{
	uint32_t a = 0;
	size_t at = 0;

	while (at < program->count) {
		const struct sock_filter *i = &program->code[at++];

		switch (i->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			memcpy(&a, (const char *)data + i->k, sizeof(a));
			break;
		case BPF_ALU | BPF_AND | BPF_K:
			a &= i->k;
			break;
		case BPF_JMP | BPF_JA:
			at += i->k;
			break;
		case BPF_JMP | BPF_JEQ | BPF_K:
			at += a == i->k ? i->jt : i->jf;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			at += a > i->k ? i->jt : i->jf;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			at += a >= i->k ? i->jt : i->jf;
			break;
		case BPF_RET | BPF_K:
			return i->k;
		default:
			fail_msg("instruction %#x", i->code);
		}
	}
	fail_msg("no return");
	return 0;
}

/* --- what a runtime makes of the profile --- */

static uint32_t action_of(const char *action, int error)
{
	if (!strcmp(action, "SCMP_ACT_ALLOW"))
		return SCMP_ACT_ALLOW;
	assert_string_equal(action, "SCMP_ACT_ERRNO");
	return SCMP_ACT_ERRNO(error);
}

static void add_rule(scmp_filter_ctx filter, const json_t *rule)
{
	const json_t *arguments = json_object_get(rule, "args"), *name, *argument;
	const json_t *error = json_object_get(rule, "errnoRet");
	uint32_t action = action_of(json_string_value(json_object_get(rule, "action")),
				    error ? (int)json_integer_value(error) : EPERM);
	struct scmp_arg_cmp compare;
	size_t i, j;

	json_array_foreach((json_t *)json_object_get(rule, "names"), i, name)
	{
		int number = warder_syscall_number(json_string_value(name));

		assert_true(number >= 0);
		if (!arguments)
			assert_int_equal(seccomp_rule_add(filter, action, number, 0), 0);
		json_array_foreach((json_t *)arguments, j, argument)
		{
			assert_string_equal(json_string_value(json_object_get(argument, "op")),
					    "SCMP_CMP_MASKED_EQ");
			compare = (struct scmp_arg_cmp){
				.arg = (unsigned int)json_integer_value(
					json_object_get(argument, "index")),
				.op = SCMP_CMP_MASKED_EQ,
				.datum_a = (scmp_datum_t)json_integer_value(
					json_object_get(argument, "value")),
				.datum_b = (scmp_datum_t)json_integer_value(
					json_object_get(argument, "valueTwo")),
			};
			assert_int_equal(
				seccomp_rule_add_array(filter, action, number, 1, &compare), 0);
		}
	}
}

static void compile_profile(json_t *profile, struct program *program)
{
	const json_t *error = json_object_get(profile, "defaultErrnoRet"), *rule;
	scmp_filter_ctx filter =
		seccomp_init(action_of(json_string_value(json_object_get(profile, "defaultAction")),
				       error ? (int)json_integer_value(error) : EPERM));
	size_t i;

	assert_non_null(filter);
	assert_int_equal(json_array_size(json_object_get(profile, "architectures")), 1);
	json_array_foreach((json_t *)json_object_get(profile, "syscalls"), i, rule)
		add_rule(filter, rule);
	export(filter, program);
	seccomp_release(filter);
}

/* --- both, side by side --- */

struct both {
	struct program profile, always, calls, quiet;
	bool has_calls, has_quiet;
	unsigned int compared;
};

/* Of several filters the strictest action counts; of alike ones that of the last installed. */
static uint32_t run_filters(const struct both *b, const struct seccomp_data *data)
{
	uint32_t result = run_program(&b->always, data), other;

	if (b->has_quiet) {
		other = run_program(&b->quiet, data);
		if ((int32_t)(other & SECCOMP_RET_ACTION_FULL) <=
		    (int32_t)(result & SECCOMP_RET_ACTION_FULL))
			result = other;
	}
	if (b->has_calls) {
		other = run_program(&b->calls, data);
		if ((int32_t)(other & SECCOMP_RET_ACTION_FULL) <=
		    (int32_t)(result & SECCOMP_RET_ACTION_FULL))
			result = other;
	}
	return result;
}

static void compare(struct both *b, const struct seccomp_data *data)
{
	bool foreign = data->arch != AUDIT_ARCH_X86_64 || data->nr & X32;
	uint32_t filters = run_filters(b, data), profile = run_program(&b->profile, data);
	_cleanup_free_ char *name = foreign ? NULL : warder_syscall_name(data->nr);

	b->compared++;
	/* Refused by both; the runtime has no word for the errno. */
	if (foreign) {
		assert_int_equal(filters, SECCOMP_RET_ERRNO | EPERM);
		assert_int_not_equal(profile, SECCOMP_RET_ALLOW);
		return;
	}
	if (!name) {
		assert_int_equal(filters == SECCOMP_RET_ALLOW, profile == SECCOMP_RET_ALLOW);
		return;
	}
	if (filters != profile)
		fail_msg("%s(%#llx, %#llx): the filters answer %#x, the profile %#x", name,
			 (unsigned long long)data->args[0], (unsigned long long)data->args[1],
			 filters, profile);
}

static void compare_arguments(struct both *b, int number)
{
	static const uint64_t values[] = {
		0,	0x8,	    0x20000,	0x20008, 0xffffffff,  0x40000,	  0x5412,
		0x541c, 0x5413,	    0x5402,	0x5401,	 0x15412,     0x10000000, 0x20000000,
		0x11,	0x02000000, 0x7c020000, 0x5410,	 0x80005412u, 0xd412,	  0x541e};
	struct seccomp_data data = {.nr = number, .arch = AUDIT_ARCH_X86_64};
	size_t i;
	int bit;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		data.args[0] = data.args[1] = values[i];
		compare(b, &data);
		/* The kernel takes the lower half. */
		data.args[0] = data.args[1] = values[i] | 0x7700000000ull;
		compare(b, &data);
		for (bit = 0; bit < 32; bit++) {
			data.args[0] = data.args[1] = values[i] ^ 1ull << bit;
			compare(b, &data);
		}
	}
}

static void compare_all(const char *sets)
{
	_cleanup_policy_ struct warder_policy *policy = read_policy(sets);
	struct both *b = calloc(1, sizeof(*b));
	struct warder_filter filter = {};
	struct seccomp_data data = {};
	json_t *profile;
	int number;

	assert_non_null(b);
	assert_int_equal(warder_filter_build(policy, 0, &filter), 0);
	export(filter.always, &b->always);
	b->has_calls = filter.calls;
	b->has_quiet = filter.quiet;
	if (filter.calls)
		export(filter.calls, &b->calls);
	if (filter.quiet)
		export(filter.quiet, &b->quiet);
	profile = warder_oci_seccomp(policy, 0);
	assert_non_null(profile);
	compile_profile(profile, &b->profile);
	for (number = 0; number < 1100; number++) {
		data = (struct seccomp_data){.nr = number, .arch = AUDIT_ARCH_I386};
		compare(b, &data);
		data = (struct seccomp_data){.nr = number | X32, .arch = AUDIT_ARCH_X86_64};
		compare(b, &data);
		compare_arguments(b, number);
	}
	assert_true(b->compared > 1100 * 700);
	json_decref(profile);
	warder_filter_release(&filter);
	free(b);
}

static void a_profile_means_the_filters(void **state)
{
	compare_all("sets: {a: {syscalls: {profile: default}}}");
	compare_all("sets: {a: {syscalls: {profile: strict}}}");
}

static void rules_beside_a_profile(void **state)
{
	compare_all("sets: {a: {syscalls: {profile: default, deny: [clone3, ptrace, ioctl],\n"
		    "       allow: [personality, kcmp]}}}");
	compare_all("tools: {t: {kernel: [keys, io-uring]}}\n"
		    "sets: {a: {files: ungoverned, exec: ungoverned, kernel: [user-namespaces],\n"
		    "           syscalls: {profile: default}}}");
}

static void rules_alone(void **state)
{
	compare_all("sets: {a: {env: {pass: [PATH]}}}");
	compare_all("sets: {a: {syscalls: {deny: [mkdir, getpriority, clone3, openat]}}}");
	compare_all("sets: {a: {syscalls: {deny: [ioctl]}}}");
}

/* A comparison that cannot fail proves nothing. */
static void differences_would_be_seen(void **state)
{
	_cleanup_policy_ struct warder_policy *policy =
		read_policy("sets: {a: {syscalls: {profile: default}}}");
	json_t *profile = warder_oci_seccomp(policy, 0), *rules, *rule;
	struct seccomp_data data = {.nr = SYS_ioctl, .arch = AUDIT_ARCH_X86_64};
	struct program *program = calloc(1, sizeof(*program));

	assert_non_null(profile);
	assert_non_null(program);
	compile_profile(profile, program);
	data.args[1] = 0x7700005412ull;
	assert_int_equal(run_program(program, &data), SECCOMP_RET_ERRNO | EPERM);
	rules = json_object_get(profile, "syscalls");
	rule = json_pack("{s:[s], s:s}", "names", "ioctl", "action", "SCMP_ACT_ALLOW");
	json_array_append_new(rules, rule);
	compile_profile(profile, program);
	assert_int_equal(run_program(program, &data), SECCOMP_RET_ALLOW);
	json_decref(profile);
	free(program);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_profile_means_the_filters),
		cmocka_unit_test(rules_beside_a_profile),
		cmocka_unit_test(rules_alone),
		cmocka_unit_test(differences_would_be_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
