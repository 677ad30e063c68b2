// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * differential_test.c - random policies, and random accesses by real system calls: what the
 * kernel does is what `explain` says, verdict, errno, event and rule.
 *
 * The seed is printed, and is the same each time unless WARDER_SEED=N (or "time", for another one
 * each time) chooses: a check that fails by chance says nothing about a change. A difference names
 * the seed of its policy, which is then the first; with WARDER_POLICIES=1 the only one.
 */
#include <grp.h>
#include <time.h>

#include "audit/name.h"
#include "random_policy.h"
#include "sockets.h"
#include "trial.h"
#include "wish.h"

#define SEED	 1
#define POLICIES 50
#define ACCESSES 44
#define LEAST	 2000
/* Of all accesses, in percent. */
#define SHARE_LEAST 10

static __u64 number_from(const char *name, __u64 otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

static __u64 choose_seed(void)
{
	const char *text = getenv("WARDER_SEED");

	return text && !strcmp(text, "time") ? (__u64)time(NULL) * 1000003
					     : number_from("WARDER_SEED", SEED);
}

static void print_figures(const struct tally *tally)
{
	int i;

	kt_figure("accesses", "%lu under %lu policies, %lu controls, %lu events, %lu keys changed",
		  tally->accesses, tally->policies, tally->controls, tally->events, tally->grants);
	for (i = 0; i < VERDICT_COUNT; i++)
		kt_figure(verdict_name(i), "%lu, %.1f %%", tally->verdicts[i],
			  100.0 * tally->verdicts[i] / tally->accesses);
	for (i = 0; i < WARDER_HOOK_COUNT; i++) {
		if (tally->passed[i] || tally->refused[i])
			kt_figure(warder_name_hook(i), "passed %lu, refused %lu", tally->passed[i],
				  tally->refused[i]);
	}
}

/* What hardly ever happened was not tried. */
static void check_shares(const struct tally *tally)
{
	char name[64];
	size_t i;

	kt_check_why("accesses", tally->accesses >= LEAST, "only %lu", tally->accesses);
	for (i = 0; i < VERDICT_WIDENS; i++) {
		snprintf(name, sizeof(name), "share of %s", verdict_name(i));
		kt_check_why(name, 100 * tally->verdicts[i] >= SHARE_LEAST * tally->accesses,
			     "%lu of %lu", tally->verdicts[i], tally->accesses);
	}
	kt_check("some would widen", tally->verdicts[VERDICT_WIDENS]);
	for (i = 0; i < WISH_HOOKS; i++) {
		snprintf(name, sizeof(name), "%s allows and refuses",
			 warder_name_hook(wish_hooks[i]));
		kt_check_why(name, tally->passed[wish_hooks[i]] && tally->refused[wish_hooks[i]],
			     "passed %lu, refused %lu", tally->passed[wish_hooks[i]],
			     tally->refused[wish_hooks[i]]);
	}
}

TEST(kernel_does_as_explain_says)
{
	__u64 seed = choose_seed(), i;
	__u64 policies = number_from("WARDER_POLICIES", POLICIES);
	const gid_t group = ACCESS_GROUP;
	struct tally tally = {};
	char name[64];

	kt_figure("seed", "%llu", (unsigned long long)seed);
	if (!kt_check("a group to give files to", !setgroups(1, &group)) ||
	    !random_addresses_make())
		return;
	listeners_open();
	for (i = 0; i < policies; i++) {
		snprintf(name, sizeof(name), "policy %llu", (unsigned long long)(seed + i));
		kt_check_why(name, trial_run(seed + i, ACCESSES, &tally),
			     "differences are shown above");
	}
	listeners_close();
	print_figures(&tally);
	if (!getenv("WARDER_POLICIES"))
		check_shares(&tally);
}
