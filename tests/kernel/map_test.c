// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * map_test.c - executable memory: from which files, and by which calls.
 */
#include "acts.h"

#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/shm.h>

static const char policy[] = "tools:\n"
			     "  all: { shared: true, files: { map-exec: ['{DIR}/**'] } }\n"
			     "sets:\n"
			     "  code:\n"
			     "    kernel: [sysv-ipc]\n"
			     "    files:\n"
			     "      write: ['{DIR}/**']\n"
			     "      map-exec: ['{DIR}/lib/**']\n"
			     "      deny: { map-exec: ['{DIR}/lib/denied'] }\n";

static void build(struct kt_subject *s)
{
	kt_write("%s/data", "text", s->dir);
	kt_write("%s/lib/file", "text", s->dir);
	kt_write("%s/lib/denied", "text", s->dir);
}

static void *map_fd(const char *path, int protection, int flags)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	return fd < 0 ? MAP_FAILED : mmap(NULL, 4096, protection, flags, fd, 0);
}

static int act_map_shared(const void *path)
{
	return map_fd(path, PROT_READ | PROT_EXEC, MAP_SHARED) == MAP_FAILED ? -errno : 0;
}

static int act_protect_shared(const void *path)
{
	void *map = map_fd(path, PROT_READ | PROT_WRITE, MAP_SHARED);

	if (map == MAP_FAILED)
		return -EBADF;
	return mprotect(map, 4096, PROT_READ | PROT_EXEC) < 0 ? -errno : 0;
}

/* A private mapping that was written to still belongs to the file. */
static int act_protect_written(const void *path)
{
	char *map = map_fd(path, PROT_READ | PROT_WRITE, MAP_PRIVATE);

	if (map == MAP_FAILED)
		return -EBADF;
	map[0] = 'x';
	return mprotect(map, 4096, PROT_READ | PROT_EXEC) < 0 ? -errno : 0;
}

static int act_protect_key(const void *path)
{
	void *map = map_fd(path, PROT_READ, MAP_PRIVATE);

	if (map == MAP_FAILED)
		return -EBADF;
	return syscall(329 /* pkey_mprotect */, map, 4096L, PROT_READ | PROT_EXEC, -1L) < 0 ? -errno
											    : 0;
}

/* Pages mapped anew, which a personality that was set meanwhile makes executable. */
static int act_remap(const void *path)
{
	void *map = map_fd(path, PROT_READ, MAP_SHARED);

	if (map == MAP_FAILED || personality(READ_IMPLIES_EXEC) < 0)
		return -EBADF;
	return remap_file_pages(map, 4096, 0, 0, 0) < 0 ? -errno : 0;
}

/* A personality under which every readable mapping becomes executable. */
static int act_implied(const void *path)
{
	if (personality(READ_IMPLIES_EXEC) < 0)
		return -EBADF;
	return map_fd(path, PROT_READ, MAP_PRIVATE) == MAP_FAILED ? -errno : 0;
}

static int act_map_plain(const void *path)
{
	return map_fd(path, PROT_READ | PROT_WRITE, MAP_SHARED) == MAP_FAILED ? -errno : 0;
}

#define REFUSED(what, act, HOOK)                                                               \
	{KT_REFUSED(what, act, "data", -EACCES, HOOK, NO_RULE, WARDER_MAP_EXEC, "{DIR}/data"), \
	 .key = "all", .quiet = true},                                                         \
		{KT_REFUSED(what " denied", act, "lib/denied", -EACCES, HOOK, DENY_RULE,       \
			    WARDER_MAP_EXEC, "{DIR}/lib/denied"),                              \
		 .quiet = true},                                                               \
	{                                                                                      \
		KT_ALLOWED(what, act, "lib/file")                                              \
	}

static const struct kt_case mappings[] = {
	REFUSED("mmap", act_map_exec, MMAP_FILE),
	REFUSED("mmap shared", act_map_shared, MMAP_FILE),
	REFUSED("mprotect", act_protect_exec, FILE_MPROTECT),
	REFUSED("mprotect shared", act_protect_shared, FILE_MPROTECT),
	REFUSED("mprotect of a written page", act_protect_written, FILE_MPROTECT),
	REFUSED("pkey_mprotect", act_protect_key, FILE_MPROTECT),
	REFUSED("READ_IMPLIES_EXEC", act_implied, MMAP_FILE),
	REFUSED("remap_file_pages", act_remap, MMAP_FILE),
	{KT_ALLOWED("not executable", act_map_plain, "data")},
};

TEST(mappings)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (kt_subject_open(&s, "code", policy))
		KT_CASES(&s, build, mappings);
}

/* What a just-in-time compiler does. */
static int act_anonymous(const void *unused)
{
	void *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return -errno;
	memcpy(map, "\xc3", 1); /* ret */
	((void (*)(void))map)();
	return 0;
}

static int act_anonymous_protect(const void *unused)
{
	void *map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		return -EBADF;
	return mprotect(map, 4096, PROT_READ | PROT_EXEC) < 0 ? -errno : 0;
}

TEST(anonymous_memory)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_result("mapped", kt_inside(&s, act_anonymous, NULL), 0);
	kt_result("protected", kt_inside(&s, act_anonymous_protect, NULL), 0);
}

static int act_memfd_map(const void *protection)
{
	int fd = memfd_create("code", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, 4096) < 0)
		return -EBADF;
	return mmap(NULL, 4096, (int)(long)protection, MAP_SHARED, fd, 0) == MAP_FAILED ? -errno
											: 0;
}

static int act_memfd_protect(const void *unused)
{
	int fd = memfd_create("code", MFD_CLOEXEC);
	void *map;

	if (fd < 0 || ftruncate(fd, 4096) < 0)
		return -EBADF;
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return -EBADF;
	return mprotect(map, 4096, PROT_READ | PROT_EXEC) < 0 ? -errno : 0;
}

static int act_shm_exec(const void *unused)
{
	int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600), result;

	if (id < 0)
		return -EBADF;
	result = shmat(id, NULL, SHM_EXEC) == (void *)-1 ? -errno : 0;
	shmctl(id, IPC_RMID, NULL);
	return result;
}

TEST(shared_memory)
{
	_cleanup_subject_ struct kt_subject s = {};
	const void *plain = (void *)(long)(PROT_READ | PROT_WRITE);
	const void *exec = (void *)(long)(PROT_READ | PROT_EXEC);

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_result("memfd read and written", kt_inside(&s, act_memfd_map, plain), 0);
	kt_result("memfd executable", kt_inside(&s, act_memfd_map, exec), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_MMAP_FILE,
				    .reason = WARDER_REASON_SURFACE,
				    .number = WARDER_SURFACE_MEMFD_EXEC,
				    .text = "memfd"});
	kt_result("control", kt_outside(&s, act_memfd_map, exec), 0);
	kt_result("memfd protected", kt_inside(&s, act_memfd_protect, NULL), -EACCES);
	kt_result("control", kt_outside(&s, act_memfd_protect, NULL), 0);
	kt_result("SHM_EXEC", kt_inside(&s, act_shm_exec, NULL), -EACCES);
	kt_result("control", kt_outside(&s, act_shm_exec, NULL), 0);
}
