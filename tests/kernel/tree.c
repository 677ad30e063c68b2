// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * tree.c - files of a test: made, compared, removed. Failures here end the test run: what
 * follows would prove nothing.
 */
#include "harness.h"

#include <dirent.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "base/file.h"
#include "base/hash.h"

static _Noreturn void give_up(const char *what, const char *path)
{
	kt_check_why("world is made", false, "cannot %s \"%s\": %m", what, path);
	printf("0 passed, 1 failed, 0 skipped\n");
	exit(EXIT_FAILURE);
}

static void make_parents(const char *path, bool whole)
{
	char copy[8192];
	char *slash;

	snprintf(copy, sizeof(copy), "%s%s", path, whole ? "/" : "");
	for (slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0777) < 0 && errno != EEXIST)
			give_up("make the directory", copy);
		*slash = '/';
	}
}

static char *path_of(const char *format, va_list arguments)
{
	char *path;

	if (vasprintf(&path, format, arguments) < 0)
		abort();
	return path;
}

void kt_write(const char *path_format, const char *content, ...)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_close_ int fd = -1;
	va_list arguments;

	va_start(arguments, content);
	path = path_of(path_format, arguments);
	va_end(arguments);
	make_parents(path, false);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0 || write(fd, content, strlen(content)) != (ssize_t)strlen(content))
		give_up("write", path);
}

void kt_mkdir(const char *path_format, ...)
{
	_cleanup_free_ char *path = NULL;
	va_list arguments;

	va_start(arguments, path_format);
	path = path_of(path_format, arguments);
	va_end(arguments);
	make_parents(path, true);
}

void kt_copy(const char *from, const char *path_format, ...)
{
	_cleanup_free_ char *path = NULL, *data = NULL;
	_cleanup_close_ int fd = -1;
	va_list arguments;
	size_t size;

	va_start(arguments, path_format);
	path = path_of(path_format, arguments);
	va_end(arguments);
	make_parents(path, false);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0777);
	if (fd < 0 || warder_file_read(from, &data, &size) < 0 ||
	    warder_file_write_fd(fd, data, size) < 0)
		give_up("copy to", path);
}

static void remove_at(int parent, const char *name, dev_t device)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct dirent *entry;
	struct stat found;
	DIR *directory;

	if (fd < 0 || fstat(fd, &found) < 0 || (device && found.st_dev != device)) {
		unlinkat(parent, name, 0);
		if (fd >= 0)
			close(fd);
		return;
	}
	directory = fdopendir(fd);
	while (directory && (entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			remove_at(fd, entry->d_name, found.st_dev);
	}
	closedir(directory);
	unlinkat(parent, name, AT_REMOVEDIR);
}

void kt_remove(const char *path)
{
	remove_at(AT_FDCWD, path, 0);
}

static __u64 hash_bytes(const void *data, size_t size)
{
	const unsigned char *bytes = data;
	__u64 hash = size;

	while (size--)
		hash = warder_hash_word(hash ^ *bytes++);
	return hash;
}

static __u64 digest_content(int parent, const char *name, const struct stat *found)
{
	_cleanup_free_ char *data = NULL;
	_cleanup_close_ int fd = -1;
	char link[4096];
	ssize_t length;
	size_t size;

	if (S_ISLNK(found->st_mode)) {
		length = readlinkat(parent, name, link, sizeof(link));
		return length < 0 ? 1 : hash_bytes(link, length);
	}
	if (!S_ISREG(found->st_mode))
		return 0;
	fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || warder_file_read_fd(fd, &data, &size) < 0)
		return 1;
	return hash_bytes(data, size);
}

/* Names and values of the extended attributes, access lists among them; in the order kept. */
static __u64 digest_attributes(int parent, const char *name)
{
	char path[4096], names[4096], value[4096], *each;
	ssize_t length, size;
	__u64 sum = 0;

	if (parent == AT_FDCWD)
		snprintf(path, sizeof(path), "%s", name);
	else
		snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", parent, name);
	length = llistxattr(path, names, sizeof(names));
	for (each = names; each < names + length; each += strlen(each) + 1) {
		size = lgetxattr(path, each, value, sizeof(value));
		sum += hash_bytes(each, strlen(each)) ^ hash_bytes(value, size < 0 ? 0 : size);
	}
	return sum;
}

#define LONG_AGO 1000000

/* A sum over the entries: their order is not part of it. */
static __u64 digest_at(int parent, const char *name)
{
	struct dirent *entry;
	struct stat found;
	__u64 sum = hash_bytes(name, strlen(name));
	DIR *directory;
	int fd;

	if (fstatat(parent, name, &found, AT_SYMLINK_NOFOLLOW) < 0)
		return sum;
	sum = warder_hash_word(sum ^ found.st_mode);
	sum = warder_hash_word(sum ^ found.st_uid ^ (__u64)found.st_gid << 32);
	sum = warder_hash_word(sum ^ found.st_nlink ^ (__u64)found.st_rdev << 32);
	/* A time that a test has set is long ago; others are another one each time. */
	if (found.st_mtim.tv_sec < LONG_AGO)
		sum = warder_hash_word(sum ^ found.st_mtim.tv_sec);
	sum = warder_hash_word(sum ^ digest_attributes(parent, name));
	sum = warder_hash_word(sum ^ digest_content(parent, name, &found));
	if (!S_ISDIR(found.st_mode))
		return sum;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	directory = fd < 0 ? NULL : fdopendir(fd);
	while (directory && (entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			sum += warder_hash_word(digest_at(fd, entry->d_name));
	}
	if (directory)
		closedir(directory);
	return warder_hash_word(sum);
}

__u64 kt_tree_digest(const char *path)
{
	return digest_at(AT_FDCWD, path);
}
