// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * subject.c - the fixture of kernel tests: a policy, a directory, a bound cgroup.
 */
#include "harness.h"

#include <sys/stat.h>

#include "base/duration.h"
#include "load/member.h"

#define KILL_MILLISECONDS 5000

static unsigned int serial;

/* `text` with every {DIR} replaced. */
static char *replace_dir(const char *text, const char *dir)
{
	char *out = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&out, &size);
	const char *place;

	if (!stream)
		return NULL;
	while ((place = strstr(text, "{DIR}"))) {
		fwrite(text, 1, place - text, stream);
		fputs(dir, stream);
		text = place + strlen("{DIR}");
	}
	fputs(text, stream);
	fclose(stream);
	return out;
}

static bool compile(struct kt_subject *s, const char *text, struct warder_image **ret_image)
{
	_cleanup_diagnostics_ struct warder_diagnostics diagnostics = {};
	_cleanup_free_ char *body = replace_dir(text, s->dir), *whole = NULL;
	struct warder_policy_options options = {};
	int error;

	if (!body || asprintf(&whole, "version: 1\npolicy: %s\nmodel: agent-in-sandbox\n%s\n",
			      s->name, body) < 0)
		return false;
	error = warder_policy_parse(s->name, whole, strlen(whole), &options, &diagnostics,
				    &s->policy);
	if (!error)
		error = warder_compile(s->policy, &diagnostics, ret_image);
	if (error < 0)
		warder_diagnostics_print(&diagnostics, stdout);
	return kt_check_why("policy compiles", !error, "%s", strerror(-error));
}

static bool bind(struct kt_subject *s, const char *set, const struct warder_image *image,
		 __u64 parent)
{
	struct warder_image_ref ref = {};
	struct warder_error error = {};
	struct warder_subject_request request = {
		.name = s->name,
		.policy = s->name,
		.set = set,
		.cgroup = s->cgroup,
		.image = &ref,
	};
	unsigned int number = 0;
	int result = warder_policy_find_set(s->policy, set, &number);

	if (result < 0)
		return kt_check_why("set exists", false, "no set %s", set);
	request.base = warder_policy_keyring(s->policy, number);
	request.parent = parent;
	request.separate = s->policy->sets[number].separate;
	request.kill = s->policy->sets[number].kill;
	result = warder_image_install(kt_session(), image, s->name, "test", &ref, &error);
	if (!result)
		result = warder_subject_bind(kt_session(), &request, &s->binding, &error);
	return !result || kt_check_why("subject is bound", false, "%s", error.text);
}

static bool make_cgroup(struct kt_subject *s, const char *parent)
{
	_cleanup_free_ char *path = NULL;
	struct warder_error error = {};

	if (warder_cgroup_create(parent, s->name, &path, &error) < 0)
		return kt_check_why("cgroup is made", false, "%s", error.text);
	snprintf(s->cgroup, sizeof(s->cgroup), "%s", path);
	if (warder_cgroup_open(s->cgroup, &s->cgroup_fd, &error) < 0)
		return kt_check_why("cgroup is opened", false, "%s", error.text);
	return true;
}

static bool subject_open(struct kt_subject *s, const char *set, const char *text, const char *place,
			 const char *dir, __u64 parent)
{
	_cleanup_free_ struct warder_image *image = NULL;

	memset(s, 0, sizeof(*s));
	s->cgroup_fd = -1;
	snprintf(s->name, sizeof(s->name), "t%d-%u", getpid(), ++serial);
	if (dir)
		snprintf(s->dir, sizeof(s->dir), "%s", dir);
	else
		snprintf(s->dir, sizeof(s->dir), "/tmp/%s", s->name);
	mkdir(s->dir, 0777);
	return compile(s, text, &image) && make_cgroup(s, place) && bind(s, set, image, parent);
}

bool kt_subject_open_in(struct kt_subject *s, const char *set, const char *text, const char *parent)
{
	return subject_open(s, set, text, parent, NULL, 0);
}

bool kt_subject_open(struct kt_subject *s, const char *set, const char *text)
{
	return subject_open(s, set, text, warder_session_cgroup(kt_session()), NULL, 0);
}

bool kt_subject_open_beside(struct kt_subject *s, const char *set, const char *text,
			    const struct kt_subject *peer)
{
	return subject_open(s, set, text, warder_session_cgroup(kt_session()), peer->dir, 0);
}

bool kt_subject_open_for(struct kt_subject *s, const char *set, const char *text,
			 const struct kt_subject *parent)
{
	return subject_open(s, set, text, warder_session_cgroup(kt_session()), NULL,
			    parent->binding);
}

void kt_subject_close(struct kt_subject *s)
{
	struct warder_error error = {};

	warder_ring_close(&s->ring);
	free(s->events);
	s->events = NULL;
	if (s->cgroup[0])
		warder_cgroup_kill(s->cgroup, KILL_MILLISECONDS, NULL);
	if (s->binding)
		warder_member_kill(kt_session(), s->binding, KILL_MILLISECONDS, NULL);
	if (s->binding && warder_subject_unbind(kt_session(), s->binding, &error) < 0)
		kt_check_why("subject is unbound", false, "%s", error.text);
	if (s->cgroup_fd >= 0)
		close(TAKE_FD(s->cgroup_fd));
	if (s->cgroup[0])
		warder_cgroup_remove(s->cgroup);
	if (s->name[0] && strstr(s->dir, s->name))
		kt_remove(s->dir);
	warder_policy_free(&s->policy);
	s->binding = 0;
	s->cgroup[0] = s->name[0] = '\0';
}

/* The bit of a tool, or of the base key of a set. */
static bool find_key(const struct kt_subject *s, const char *name, unsigned int *ret_key)
{
	unsigned int set;

	if (!warder_policy_find_tool(s->policy, name, ret_key))
		return true;
	if (warder_policy_find_set(s->policy, name, &set) < 0)
		return kt_check_why("key exists", false, "no key %s", name);
	*ret_key = s->policy->sets[set].key;
	return true;
}

bool kt_grant(struct kt_subject *s, const char *key, unsigned int seconds)
{
	__u64 deadline = seconds ? warder_boottime() + seconds * WARDER_SECOND : WARDER_FOREVER;
	struct warder_error error = {};
	unsigned int number;

	if (!find_key(s, key, &number))
		return false;
	return !warder_subject_grant(kt_session(), s->binding, number, deadline, &error) ||
	       kt_check_why("key is granted", false, "%s", error.text);
}

bool kt_revoke(struct kt_subject *s, const char *key)
{
	struct warder_error error = {};
	unsigned int number;

	if (!find_key(s, key, &number))
		return false;
	return !warder_subject_revoke(kt_session(), s->binding, number, &error) ||
	       kt_check_why("key is revoked", false, "%s", error.text);
}
