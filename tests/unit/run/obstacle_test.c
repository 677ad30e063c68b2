// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* obstacle_test.c - what is said about a program that could not be started. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "run/obstacle.h"

static char root[] = "/tmp/warder-obstacle-XXXXXX";
static char text[1024];

static const char *at(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	return path;
}

static void put(const char *name, const char *content, mode_t mode)
{
	assert_int_equal(warder_file_replace(at(name), content, strlen(content), 0600), 0);
	assert_int_equal(chmod(at(name), mode), 0);
}

static const char *find(const char *name, const struct warder_user *user, int error)
{
	return warder_obstacle_find(at(name), NULL, user, error, text, sizeof(text));
}

static void names_the_mode(void **state)
{
	gid_t groups[] = {77};
	struct warder_user user = {.uid = 4711, .gid = 4711, .groups = groups, .group_count = 1};

	put("plain", "text", 0644);
	assert_non_null(
		strstr(find("plain", NULL, EACCES), "(-rw-r--r--) refuses it, not the policy"));
	assert_non_null(strstr(text, "chmod +x"));
	put("owners", "text", 0744);
	assert_string_equal(find("owners", NULL, EACCES), "");
	assert_non_null(strstr(find("owners", &user, EACCES), "(-rwxr--r--)"));
	put("groups", "text", 0754);
	assert_non_null(strstr(find("groups", &user, EACCES), "(-rwxr-xr--)"));
	groups[0] = getgid();
	assert_string_equal(find("groups", &user, EACCES), "");
	user.uid = getuid();
	put("others", "text", 0655);
	/* Root needs one x bit, whoever's; an owner needs his own. */
	if (user.uid)
		assert_non_null(strstr(find("others", &user, EACCES), "(-rw-r-xr-x)"));
	else
		assert_string_equal(find("others", &user, EACCES), "");
}

static void names_what_is_no_program(void **state)
{
	assert_int_equal(mkdir(at("directory"), 0755), 0);
	assert_non_null(strstr(find("directory", NULL, EACCES), "is a directory"));
	assert_int_equal(mkfifo(at("fifo"), 0755), 0);
	assert_non_null(strstr(find("fifo", NULL, EACCES), "no regular file"));
	assert_string_equal(find("nothing", NULL, ENOENT), "");
	assert_string_equal(find("nothing", NULL, EACCES), "");
	assert_string_equal(find("fifo", NULL, ENOENT), "");
}

static void names_a_closed_directory(void **state)
{
	struct warder_user user = {.uid = 4711, .gid = 4711};

	assert_int_equal(mkdir(at("closed"), 0755), 0);
	put("closed/program", "text", 0755);
	assert_int_equal(chmod(at("closed"), 0700), 0);
	find("closed/program", &user, EACCES);
	assert_non_null(strstr(text, "/closed\" (drwx------) refuses it, not the policy"));
	assert_string_equal(find("closed/program", NULL, EACCES), "");
}

static void names_the_interpreter(void **state)
{
	put("script", "#! /no/such/sh -e\n", 0755);
	assert_non_null(strstr(find("script", NULL, ENOENT), "it names: \"/no/such/sh\""));
	put("empty", "", 0755);
	assert_string_equal(find("empty", NULL, ENOENT), "");
	put("binary", "\177ELF...", 0755);
	assert_non_null(strstr(find("binary", NULL, ENOENT), "not the loader that it names"));
	/* What a script says cannot act on the terminal. */
	put("evil", "#!/\033[31m\n", 0755);
	assert_non_null(strstr(find("evil", NULL, ENOENT), "\"/\\x1b[31m\""));
}

static void looks_where_exec_looks(void **state)
{
	char path[1024];

	put("tool", "text", 0644);
	snprintf(path, sizeof(path), "/no/such:%s:/usr/bin", root);
	warder_obstacle_find("tool", path, NULL, EACCES, text, sizeof(text));
	assert_non_null(strstr(text, at("tool")));
	warder_obstacle_find("tool", "/no/such", NULL, EACCES, text, sizeof(text));
	assert_string_equal(text, "");
	warder_obstacle_find("tool", NULL, NULL, EACCES, text, sizeof(text));
	assert_string_equal(text, "");
	assert_int_equal(chdir(root), 0);
	warder_obstacle_find("tool", "", NULL, EACCES, text, sizeof(text));
	assert_non_null(strstr(text, "\"./tool\""));
	warder_obstacle_find("", "", NULL, EACCES, text, sizeof(text));
}

static int set_up(void **state)
{
	/* mkdtemp closes it to others. */
	return mkdtemp(root) ? chmod(root, 0755) : -1;
}

static int tear_down(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_the_mode),
		cmocka_unit_test(names_what_is_no_program),
		cmocka_unit_test(names_a_closed_directory),
		cmocka_unit_test(names_the_interpreter),
		cmocka_unit_test(looks_where_exec_looks),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
