// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * preset_test.c - what each preset gives by itself, held against tests/policy/presets/NAME.expect:
 * one "allow ACCESS" or "deny ACCESS" a line; and what starters keep. Runs at the top of the tree.
 */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cleanup.h"
#include "compile/compile.h"
#include "compile/expect.h"
#include "compile/explain.h"
#include "policy/preset.h"
#include "policy/right.h"

#define EXPECTED "tests/policy/presets"

/* The key of the only set. */
#define AGENT 1ull

/* Lines of either kind that a file has at least: one that was emptied would pass in silence. */
#define LEAST 4

/* A policy whose set has nothing but the presets `names` ("base, python"). */
static struct warder_policy *policy_of(const char *names)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	struct warder_policy *policy = NULL;
	char text[512];
	int length;

	length = snprintf(text, sizeof(text),
			  "version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
			  "sets: {agent: {%s%s%s}}\n",
			  *names ? "include: [" : "", names, *names ? "]" : "");
	assert_in_range(length, 1, sizeof(text) - 1);
	if (warder_policy_parse("p.yaml", text, (size_t)length, &options, &found, &policy) < 0)
		warder_diagnostics_print(&found, stderr);
	assert_non_null(policy);
	return policy;
}

static bool allows_connect(const struct warder_policy *policy, const char *object)
{
	struct warder_explanation explanation;
	struct warder_endpoint_error error;
	struct warder_endpoint endpoint;

	assert_int_equal(warder_endpoint_parse(object, strlen(object), &endpoint, &error), 0);
	assert_int_equal(warder_explain_net(policy, AGENT, WARDER_NET_CONNECT, endpoint.proto,
					    endpoint.ranges[0].first, endpoint.ports[0].low,
					    &explanation),
			 0);
	return explanation.allowed;
}

static bool allows(const struct warder_policy *policy, const char *verb, const char *object)
{
	struct warder_explanation explanation;
	char name[32];
	__u32 right = 0, bit;

	if (!strcmp(verb, "connect"))
		return allows_connect(policy, object);
	for (bit = 0; bit < WARDER_RIGHT_COUNT; bit++) {
		if (!strcmp(warder_rights_text(1u << bit, name, sizeof(name)), verb))
			right = 1u << bit;
	}
	if (!right)
		fail_msg("\"%s\" is no right", verb);
	assert_int_equal(
		warder_explain_path(policy, AGENT, right, object, strlen(object), &explanation), 0);
	return explanation.allowed;
}

static int check_line(const struct warder_policy *policy, const char *name, const char *line,
		      int counts[2])
{
	char verdict[16], verb[16], object[256], rest;
	bool allow;

	if (sscanf(line, "%15s %15s %255s %c", verdict, verb, object, &rest) != 3)
		fail_msg("%s.expect: \"%s\" is no line", name, line);
	allow = !strcmp(verdict, "allow");
	if (!allow && strcmp(verdict, "deny"))
		fail_msg("%s.expect: \"%s\" is no verdict", name, verdict);
	counts[allow]++;
	if (allows(policy, verb, object) == allow)
		return 0;
	print_error("preset %s does not %s %s %s\n", name, verdict, verb, object);
	return 1;
}

static int check_preset(const struct warder_preset *preset)
{
	/* Every set includes guard, and may not name it. */
	bool guard = !strcmp(preset->name, "guard");
	_cleanup_policy_ struct warder_policy *policy = policy_of(guard ? "" : preset->name);
	_cleanup_fclose_ FILE *in = NULL;
	_cleanup_free_ char *line = NULL;
	int wrong = 0, counts[2] = {0};
	char path[128];
	size_t size = 0;

	snprintf(path, sizeof(path), EXPECTED "/%s.expect", preset->name);
	in = fopen(path, "re");
	if (!in)
		fail_msg("%s is missing", path);
	while (getline(&line, &size, in) > 0) {
		line[strcspn(line, "\n")] = 0;
		wrong += check_line(policy, preset->name, line, counts);
	}
	assert_true(counts[false] >= LEAST);
	assert_true(guard || counts[true] >= LEAST);
	return wrong;
}

static void each_gives_what_it_says(void **state)
{
	const struct warder_preset *preset;
	int wrong = 0;

	for (preset = warder_presets; preset->name; preset++)
		wrong += check_preset(preset);
	assert_int_equal(wrong, 0);
}

/* One that was renamed would leave its old file behind, and nobody would read it. */
static void each_file_has_its_preset(void **state)
{
	DIR *directory = opendir(EXPECTED);
	size_t files = 0, presets = 0;
	struct dirent *entry;

	assert_non_null(directory);
	while ((entry = readdir(directory))) {
		char *dot = strrchr(entry->d_name, '.');

		if (entry->d_name[0] == '.')
			continue;
		assert_non_null(dot);
		assert_string_equal(dot, ".expect");
		*dot = 0;
		if (!warder_preset_find(entry->d_name))
			fail_msg("%s.expect is of no preset", entry->d_name);
		files++;
	}
	closedir(directory);
	while (warder_presets[presets].name)
		presets++;
	assert_int_equal(files, presets);
}

/* --- starters --- */

static const struct warder_policy_options every = {.keep_links = true, .accept_unenforced = true};

static struct warder_policy *starter_policy(const struct warder_preset *starter)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	struct warder_policy *policy = NULL;

	if (warder_policy_parse(starter->name, starter->text, starter->size, &every, &found,
				&policy) < 0)
		warder_diagnostics_print(&found, stderr);
	assert_non_null(policy);
	return policy;
}

static void each_starter_holds_its_own_tests(void **state)
{
	const struct warder_preset *starter;

	for (starter = warder_starters; starter->name; starter++) {
		_cleanup_diagnostics_ struct warder_diagnostics found = {0};
		_cleanup_policy_ struct warder_policy *policy = starter_policy(starter);
		_cleanup_free_ struct warder_image *image = NULL;

		assert_int_equal(warder_compile(policy, &found, &image), 0);
		assert_true(policy->expect_count >= LEAST);
		if (warder_expect_run(policy, image, &every, &found) < 0) {
			warder_diagnostics_print(&found, stderr);
			fail_msg("the starter %s does not hold its own tests", starter->name);
		}
	}
}

/* Who works with code of others reads no password in the tree that it is given. */
static void no_starter_gives_what_is_secret_in_its_tree(void **state)
{
	static const struct {
		const char *starter, *set, *tree;
	} sets[] = {
		{"python-data", "agent", "/srv/analysis"},
		{"python-data", "sandbox", "/srv/analysis"},
		{"coding-agent", "agent", "/srv/project"},
		{"ci-job", "sandbox", "/builds/project"},
	};
	static const char *const names[] = {
		".env",	  ".env.local",	      ".git-credentials",   ".netrc",	  ".pypirc",
		"id_rsa", "id_dsa",	      "id_ecdsa",	    "id_ed25519", ".ssh/config",
		".ssh/x", ".aws/credentials", ".gnupg/secring.gpg",
	};
	static const char *const below[] = {"", "/sub", "/sub/deeper"};
	struct warder_explanation why;
	size_t i, k, n;

	for (i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
		const struct warder_preset *starter = warder_starters;
		_cleanup_policy_ struct warder_policy *policy = NULL;
		unsigned int set;
		__u64 held;
		char path[128];

		while (starter->name && strcmp(starter->name, sets[i].starter))
			starter++;
		assert_non_null(starter->name);
		policy = starter_policy(starter);
		assert_int_equal(warder_policy_find_set(policy, sets[i].set, &set), 0);
		held = warder_policy_keyring(policy, set);
		snprintf(path, sizeof(path), "%s/main.c", sets[i].tree);
		assert_int_equal(
			warder_explain_path(policy, held, WARDER_READ, path, strlen(path), &why),
			0);
		assert_true(why.allowed);
		for (k = 0; k < 3 * sizeof(names) / sizeof(names[0]); k++) {
			n = k / 3;
			snprintf(path, sizeof(path), "%s%s/%s", sets[i].tree, below[k % 3],
				 names[n]);
			assert_int_equal(warder_explain_path(policy, held, WARDER_READ, path,
							     strlen(path), &why),
					 0);
			if (why.allowed)
				fail_msg("starter %s, set %s reads %s", sets[i].starter,
					 sets[i].set, path);
		}
	}
}

/* "base, python, ...": all that can be named. */
static void all_names(char *out, size_t size)
{
	const struct warder_preset *preset;
	size_t used = 0;

	for (preset = warder_presets; preset->name; preset++) {
		if (strcmp(preset->name, "guard"))
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
						 preset->name);
	}
	assert_true(used && used < size);
}

/* What no preset may ever give, alone or with others. */
static void none_gives_what_is_secret(void **state)
{
	static const char *const secrets[] = {
		"/etc/shadow",
		"/etc/gshadow",
		"/etc/sudoers",
		"/etc/ssl/private/host.key",
		"/etc/pki/tls/private/host.key",
		"/etc/ssh/ssh_host_rsa_key",
		"/etc/krb5.keytab",
		"/etc/npmrc",
		"/etc/pip.conf",
		"/root/.ssh/id_rsa",
		"/root/.netrc",
		"/home/a/.netrc",
		"/home/a/.ssh/id_ed25519",
		"/home/a/.gitconfig",
		"/home/a/.git-credentials",
		"/home/a/.npmrc",
		"/home/a/.pypirc",
		"/home/a/.aws/credentials",
		"/home/a/.bash_history",
		"/srv/app/.env",
		"/tmp/x",
		"/var/lib/x",
		"/run/secrets/x",
		"/proc/kcore",
		"/dev/mem",
		"/dev/sda",
	};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	char names[256];
	size_t i;

	all_names(names, sizeof(names));
	policy = policy_of(names);
	for (i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
		if (allows(policy, "read", secrets[i]) || allows(policy, "write", secrets[i]))
			fail_msg("the presets give %s", secrets[i]);
	}
}

static void all_fit_into_one_image(void **state)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	_cleanup_free_ struct warder_image *image = NULL;
	char names[256];

	all_names(names, sizeof(names));
	policy = policy_of(names);
	assert_int_equal(warder_compile(policy, &found, &image), 0);
}

/* The text that `warder presets NAME` prints tells first what it is and what it leaves out. */
static void each_begins_with_its_description(void **state)
{
	const struct warder_preset *preset;
	char begin[64];

	for (preset = warder_presets; preset->name; preset++) {
		snprintf(begin, sizeof(begin), "# %s - ", preset->name);
		if (strncmp(preset->text, begin, strlen(begin)))
			fail_msg("preset %s does not begin with \"%s\"", preset->name, begin);
		if (strcmp(preset->name, "guard") &&
		    !strstr(preset->text, "\n# Left to the policy:"))
			fail_msg("preset %s does not say what it leaves to the policy",
				 preset->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_gives_what_it_says),
		cmocka_unit_test(each_file_has_its_preset),
		cmocka_unit_test(each_starter_holds_its_own_tests),
		cmocka_unit_test(no_starter_gives_what_is_secret_in_its_tree),
		cmocka_unit_test(none_gives_what_is_secret),
		cmocka_unit_test(all_fit_into_one_image),
		cmocka_unit_test(each_begins_with_its_description),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
