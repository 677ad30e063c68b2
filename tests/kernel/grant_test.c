// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * grant_test.c - keyrings: grants that end by themselves, whoever is alive; revocation;
 * what readers see while the keyring is exchanged.
 */
#include "acts.h"
#include "sockets.h"

#include <signal.h>

#include "base/duration.h"

static const char policy[] = "tools:\n"
			     "  mail: { network: { connect: ['tcp:127.0.0.1:2525'] } }\n"
			     "  read: { shared: true, files: { read: ['{DIR}/granted'] } }\n"
			     "  other: { shared: true, files: { read: ['{DIR}/other'] } }\n"
			     "sets:\n"
			     "  code:\n"
			     "    network: { connect: ['tcp:127.0.0.0/8:*'] }\n"
			     "    files: { read: ['{DIR}/always'] }\n";

static bool open_subject(struct kt_subject *s)
{
	if (!kt_subject_open(s, "code", policy))
		return false;
	kt_write("%s/always", "text", s->dir);
	kt_write("%s/granted", "text", s->dir);
	kt_write("%s/other", "text", s->dir);
	kt_write("%s/never", "text", s->dir);
	return true;
}

#define MAIL TO(AF_INET, SOCK_STREAM, "127.0.0.1", PORT_RESERVED)

TEST(network_grant_ends_by_itself)
{
	_cleanup_subject_ struct kt_subject s = {};
	const struct kt_event_record *used;
	unsigned int key = 0;

	if (!open_subject(&s))
		return;
	listeners_open();
	kt_result("reserved", kt_inside(&s, act_connect, MAIL), -EACCES);
	kt_result("its neighbour is not",
		  kt_inside(&s, act_connect, TO(AF_INET, SOCK_STREAM, "127.0.0.1", PORT_OPEN)), 0);
	listeners_take();
	kt_events_clear(&s);
	kt_grant(&s, "mail", 2);
	kt_result("granted", kt_inside(&s, act_connect, MAIL), 0);
	kt_check("arrives", listeners_take() == 1);
	warder_policy_find_tool(s.policy, "mail", &key);
	used = kt_event_find(&s, &(struct kt_match){.hook = WARDER_HOOK_SOCKET_CONNECT,
						    .reason = WARDER_REASON_GRANTED_KEY,
						    .port = PORT_RESERVED});
	kt_check("the use of the key is recorded",
		 used && used->event.keys == 1ull << key && !used->event.error);
	sleep(3); /* nobody does anything meanwhile */
	kt_result("ended", kt_inside(&s, act_connect, MAIL), -EACCES);
	kt_check("nothing arrives", !listeners_take());
	kt_event(&s, "refusal is recorded",
		 &(struct kt_match){.hook = WARDER_HOOK_SOCKET_CONNECT,
				    .reason = WARDER_REASON_NO_RULE,
				    .port = PORT_RESERVED});
	listeners_close();
}

TEST(revoked_at_once)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct warder_error error = {};
	unsigned int key = 0;

	if (!open_subject(&s))
		return;
	listeners_open();
	warder_policy_find_tool(s.policy, "mail", &key);
	kt_result("nothing to revoke", warder_subject_revoke(kt_session(), s.binding, key, &error),
		  -ENOENT);
	kt_grant(&s, "mail", 0);
	kt_result("granted", kt_inside(&s, act_connect, MAIL), 0);
	kt_revoke(&s, "mail");
	kt_result("revoked", kt_inside(&s, act_connect, MAIL), -EACCES);
	kt_result("no such key",
		  warder_subject_grant(kt_session(), s.binding, WARDER_KEYS_MAX, WARDER_FOREVER,
				       &error),
		  -EINVAL);
	kt_result("no such subject",
		  warder_subject_grant(kt_session(), s.binding + (1 << WARDER_SLOT_BITS), key,
				       WARDER_FOREVER, &error),
		  -ESRCH);
	kt_result("the set's own key",
		  warder_subject_grant(kt_session(), s.binding, s.policy->sets[0].key,
				       WARDER_FOREVER, &error),
		  -EALREADY);
	listeners_close();
}

/* Two grants, each with its own end; a second grant of a key moves its end. */
TEST(several_grants)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!open_subject(&s))
		return;
	kt_grant(&s, "read", 2);
	kt_grant(&s, "other", 30);
	kt_result("first", kt_inside(&s, act_read, "granted"), 0);
	kt_result("second", kt_inside(&s, act_read, "other"), 0);
	sleep(3);
	kt_result("first has ended", kt_inside(&s, act_read, "granted"), -EACCES);
	kt_result("second has not", kt_inside(&s, act_read, "other"), 0);
	kt_grant(&s, "other", 1);
	kt_grant(&s, "read", 30);
	sleep(2);
	kt_result("second was shortened", kt_inside(&s, act_read, "other"), -EACCES);
	kt_result("first is given anew", kt_inside(&s, act_read, "granted"), 0);
}

static struct kt_subject *subject;

/* Grants, and is killed. */
static int act_grant(const void *unused)
{
	kt_grant(subject, "read", 3);
	*(volatile int *)kt_shared() = 1;
	return pause();
}

TEST(granting_process_is_killed)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct kt_child child;
	int rounds;

	if (!open_subject(&s))
		return;
	subject = &s;
	if (!kt_start(&child, NULL, act_grant, NULL))
		return;
	for (rounds = 0; rounds < 10000 && !*(volatile int *)kt_shared(); rounds++)
		usleep(1000);
	kill(child.pid, SIGKILL);
	kt_result("killed", kt_wait(&child), KT_CRASHED - SIGKILL);
	kt_result("granted", kt_inside(&s, act_read, "granted"), 0);
	sleep(4);
	kt_result("ended", kt_inside(&s, act_read, "granted"), -EACCES);
}

/* --- readers while the keyring is exchanged --- */

struct decisions {
	volatile int stop;
	volatile unsigned int rounds, allowed, refused, other, always_refused, never_allowed;
};

/* One open; the descriptor is closed, because there will be many. */
static int try_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : close(fd);
}

static int act_decide(const void *unused)
{
	struct decisions *count = kt_shared();

	while (!count->stop) {
		int result = try_open("granted");

		count->rounds++;
		if (!result)
			count->allowed++;
		else if (result == -EACCES)
			count->refused++;
		else
			count->other++;
		if (try_open("always"))
			count->always_refused++;
		if (try_open("never") != -EACCES)
			count->never_allowed++;
	}
	return 0;
}

TEST(keyring_is_exchanged_under_load)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct decisions *count = kt_shared();
	struct warder_error error = {};
	unsigned int key = 0, failures = 0;
	struct kt_child child;
	int i;

	if (!open_subject(&s) || !kt_start(&child, &s, act_decide, NULL))
		return;
	warder_policy_find_tool(s.policy, "read", &key);
	for (i = 0; i < 500; i++) {
		failures += warder_subject_grant(kt_session(), s.binding, key,
						 warder_boottime() + 60 * WARDER_SECOND,
						 &error) != 0;
		failures += warder_subject_revoke(kt_session(), s.binding, key, &error) != 0;
	}
	count->stop = 1;
	kt_result("the reader ends well", kt_wait(&child), 0);
	kt_check_why("every exchange succeeds", !failures, "%u failed: %s", failures, error.text);
	kt_check_why("only the two outcomes", !count->other, "%u others", count->other);
	kt_check_why("what needs no key is never refused", !count->always_refused, "%u times",
		     count->always_refused);
	kt_check_why("what no key opens is never allowed", !count->never_allowed, "%u times",
		     count->never_allowed);
	kt_check("both outcomes were seen", count->allowed && count->refused);
	kt_figure("exchange", "%u rounds, %u allowed, %u refused", count->rounds, count->allowed,
		  count->refused);
	kt_result("refused in the end", kt_inside(&s, act_read, "granted"), -EACCES);
}
