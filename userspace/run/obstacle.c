// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * obstacle.c - what keeps a program from being started when it is not the policy.
 *
 * Looked at from outside and afterwards: a help for whoever reads the message, never a verdict.
 */
#include "run/obstacle.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/message.h"

/* Where execvp(3) looks without a PATH. */
#define DEFAULT_PATH "/bin:/usr/bin"

struct search {
	const struct warder_user *user;
	char *text;
	size_t size;
};

static __attribute__((format(printf, 2, 3))) bool say(const struct search *search,
						      const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	warder_message_format(search->text, search->size, format, arguments);
	va_end(arguments);
	return true;
}

static bool in_group(const struct warder_user *user, gid_t group)
{
	int i;

	for (i = 0; i < user->group_count; i++) {
		if (user->groups[i] == group)
			return true;
	}
	return user->gid == group;
}

/* Does the mode let the user execute a file, or search a directory? */
static bool may_execute(const struct warder_user *user, const struct stat *st)
{
	if (!user || !user->uid)
		return S_ISDIR(st->st_mode) || (st->st_mode & 0111);
	if (user->uid == st->st_uid)
		return st->st_mode & 0100;
	return st->st_mode & (in_group(user, st->st_gid) ? 0010 : 0001);
}

/* "-rw-r--r--" */
static const char *mode_text(mode_t mode, char *text)
{
	static const char letters[] = "rwxrwxrwx";
	int i;

	text[0] = S_ISDIR(mode) ? 'd' : '-';
	for (i = 0; i < 9; i++)
		text[i + 1] = mode & (0400 >> i) ? letters[i] : '-';
	text[10] = '\0';
	return text;
}

/* A directory on the way that the user may not search. */
static bool closed_directory(const struct search *search, const char *program)
{
	char path[PATH_MAX], mode[16], *slash;
	struct stat st;

	if (strlen(program) >= sizeof(path))
		return false;
	strcpy(path, program);
	for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (stat(path, &st) == 0 && S_ISDIR(st.st_mode) && !may_execute(search->user, &st))
			return say(
				search,
				"the mode of the directory \"%s\" (%s) refuses it, not the policy",
				path, mode_text(st.st_mode, mode));
		*slash = '/';
	}
	return false;
}

/* Of a file that is there and was refused. */
static bool refused(const struct search *search, const char *program, const struct stat *st)
{
	struct statvfs mount;
	char mode[16];

	if (S_ISDIR(st->st_mode))
		return say(search, "\"%s\" is a directory", program);
	if (!S_ISREG(st->st_mode))
		return say(search, "\"%s\" is no regular file", program);
	if (!may_execute(search->user, st))
		return say(
			search,
			"the mode of \"%s\" (%s) refuses it, not the policy (`chmod +x` makes it "
			"executable)",
			program, mode_text(st->st_mode, mode));
	if (statvfs(program, &mount) == 0 && (mount.f_flag & ST_NOEXEC))
		return say(search,
			   "\"%s\" lies on a file system that is mounted noexec; that refuses it, "
			   "not the policy",
			   program);
	return false;
}

/* The interpreter that the first line of a script names. */
static bool missing_interpreter(const struct search *search, const char *program)
{
	_cleanup_close_ int fd = open(program, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char line[256] = "", *name;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    read(fd, line, sizeof(line) - 1) < 2)
		return false;
	if (strncmp(line, "#!", 2))
		return say(search, "\"%s\" is there, but not the loader that it names", program);
	name = line + 2 + strspn(line + 2, " \t");
	name[strcspn(name, " \t\n")] = '\0';
	return say(search, "\"%s\" is there, but not the interpreter that it names: \"%s\"",
		   program, name);
}

static bool look_at(const struct search *search, const char *program, int error)
{
	struct stat st;

	if (stat(program, &st) < 0)
		return error == EACCES && closed_directory(search, program);
	if (error == EACCES)
		return refused(search, program, &st) || closed_directory(search, program);
	return error == ENOENT && S_ISREG(st.st_mode) && missing_interpreter(search, program);
}

char *warder_obstacle_find(const char *program, const char *path, const struct warder_user *user,
			   int error, char *text, size_t size)
{
	const struct search search = {.user = user, .text = text, .size = size};
	const char *directory = path ? path : DEFAULT_PATH;

	text[0] = '\0';
	if (strchr(program, '/')) {
		look_at(&search, program, error);
		return text;
	}
	for (;;) {
		int length = (int)strcspn(directory, ":");
		_cleanup_free_ char *full = NULL;

		/* An empty one is the working directory. */
		if (asprintf(&full, "%.*s%s%s", length, directory, length ? "/" : "./", program) <
		    0)
			full = NULL;
		if (full && look_at(&search, full, error))
			return text;
		if (!directory[length])
			return text;
		directory += length + 1;
	}
}
