// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * rows.c - the system calls that judging is measured on.
 *
 * The guest's clock counts instructions: a difference of readings is a number of them. A timer
 * tick only ever adds, so the least of many is the call itself.
 */
#include "tools/bench/rows.h"

#include <arpa/inet.h>
#include <limits.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/kernel/acts.h"

#define NEAR	BENCH_DIR "/file.txt"
#define LEVELS	10 /* between the two: NEAR is at depth 2, FAR at 12 */
#define PROGRAM BENCH_DIR "/program"

static char far[256];
static int listener = -1, closed_listener = -1, receiver = -1;
static unsigned short port, closed_port;

/* --- measuring --- */

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

/* The instructions of one call, or negative errno. */
static long once(const struct bench_row *row)
{
	int fd = row->before ? row->before() : -1, result;
	long start, took;

	if (row->before && fd < 0)
		return fd;
	start = now();
	result = row->act(fd);
	took = now() - start;
	if (row->after)
		row->after(fd);
	return result < 0 ? result : took;
}

static int act_nothing(int fd)
{
	return 0;
}

/* What it takes to measure. */
static long overhead(void)
{
	static const struct bench_row nothing = {.act = act_nothing};
	long least = LONG_MAX, took;
	int i;

	for (i = 0; i < 100; i++) {
		took = once(&nothing);
		if (took < least)
			least = took;
	}
	return least;
}

static int measure_repeated(const struct bench_row *row)
{
	long least = LONG_MAX, took;
	unsigned int i;

	for (i = 0; i < row->rounds; i++) {
		took = once(row);
		if (took < 0)
			return (int)took;
		if (took < least)
			least = took;
	}
	return (int)(least - overhead());
}

/* The first call of its kind in a process: each is measured in one of its own. */
static int measure_first(const struct bench_row *row)
{
	long *took = mmap(NULL, sizeof(*took), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			  -1, 0);
	long least = LONG_MAX;
	unsigned int i;
	pid_t pid;

	if (took == MAP_FAILED)
		return -errno;
	for (i = 0; i < row->rounds; i++) {
		*took = -ECHILD;
		pid = fork();
		if (!pid) {
			/* What a new process has to fetch is not the call's: pages, and symbols. */
			close(open("/no-such-file", O_RDONLY | O_CLOEXEC));
			overhead();
			*took = once(row);
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return -errno;
		if (*took < 0)
			return (int)*took;
		if (*took < least)
			least = *took;
	}
	munmap(took, sizeof(*took));
	return (int)(least - overhead());
}

int bench_measure(const void *argument)
{
	const struct bench_row *row = argument;

	return row->measure(row);
}

/* --- calls --- */

static void close_it(int fd)
{
	close(fd);
}

static int act_getppid(int fd)
{
	return getppid() < 0 ? -errno : 0;
}

static int act_stat(int fd)
{
	struct stat st;

	return stat(NEAR, &st) < 0 ? -errno : 0;
}

static int before_pread(void)
{
	int fd = open(NEAR, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int act_pread(int fd)
{
	char byte;

	return pread(fd, &byte, 1, 0) == 1 ? 0 : -EIO;
}

static int open_and_close(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? -errno : close(fd);
}

static int act_open_near(int fd)
{
	return open_and_close(NEAR);
}

static int act_open_far(int fd)
{
	return open_and_close(far);
}

/* vfork: what fork copies is the caller's memory, and says nothing. */
static int act_exec_program(int fd)
{
	int status = 0;
	pid_t pid = vfork();

	if (!pid) {
		execl(PROGRAM, PROGRAM, (char *)NULL);
		_exit(126);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -errno;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -EACCES;
}

static struct sockaddr_in loopback(unsigned short to)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(to),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
}

static int before_connect(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 ? -errno : fd;
}

static int connect_to(int fd, unsigned short to)
{
	struct sockaddr_in address = loopback(to);

	return connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ? -errno : 0;
}

static int act_connect(int fd)
{
	return connect_to(fd, port);
}

/* One socket for all: the first message of each chooses a port. */
static int before_send(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return fd < 0 ? -errno : fd;
}

static int act_send(int fd)
{
	struct sockaddr_in address = loopback(port);

	return sendto(fd, "x", 1, 0, (struct sockaddr *)&address, sizeof(address)) == 1 ? 0
											: -errno;
}

#define REPEATED .measure = measure_repeated, .rounds = 100
#define FIRST	 .measure = measure_first, .rounds = 20

const struct bench_row bench_rows[] = {
	{"getppid", REPEATED, .act = act_getppid},
	{"stat", REPEATED, .act = act_stat},
	{"pread of 1 byte", REPEATED, before_pread, act_pread, close_it},
	{"open+close, depth 2", REPEATED, .act = act_open_near, .hooked = true, .landlock = 1},
	{"open+close, depth 2, first of a process", FIRST, .act = act_open_near, .hooked = true,
	 .landlock = 1},
	{"open+close, depth 12", REPEATED, .act = act_open_far, .hooked = true, .landlock = 1},
	{"open+close, depth 12, first of a process", FIRST, .act = act_open_far, .hooked = true,
	 .landlock = 1},
	{"vfork+exec+exit+wait", .measure = measure_repeated, .rounds = 40, .act = act_exec_program,
	 .hooked = true, .noisy = true, .landlock = 1},
	{"TCP connect", REPEATED, before_connect, act_connect, close_it, .hooked = true,
	 .landlock = 4},
	{"UDP send", REPEATED, before_send, act_send, .hooked = true},
};

const size_t bench_row_count = sizeof(bench_rows) / sizeof(bench_rows[0]);

/* --- the world --- */

static int bound_socket(int type, unsigned short *to)
{
	struct sockaddr_in address = loopback(*to);
	socklen_t size = sizeof(address);
	int fd = socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) < 0 ||
	    (type == SOCK_STREAM && listen(fd, 4096) < 0) ||
	    getsockname(fd, (struct sockaddr *)&address, &size) < 0)
		return -errno;
	*to = ntohs(address.sin_port);
	return fd;
}

bool bench_world_make(void)
{
	size_t used = (size_t)snprintf(far, sizeof(far), BENCH_DIR);
	int i;

	if (receiver >= 0)
		return true;
	if (mkdir(BENCH_DIR, 0755) < 0 || mount("bench", BENCH_DIR, "tmpfs", 0, NULL) < 0)
		return kt_check_why("a file system", false, "%s", strerror(errno));
	for (i = 1; i <= LEVELS; i++)
		used += (size_t)snprintf(far + used, sizeof(far) - used, "/level-%02d", i);
	snprintf(far + used, sizeof(far) - used, "/file.txt");
	kt_write("%s", "text", NEAR);
	kt_write("%s", "text", far);
	make_program(PROGRAM, 0);
	listener = bound_socket(SOCK_STREAM, &port);
	receiver = bound_socket(SOCK_DGRAM, &port);
	closed_listener = bound_socket(SOCK_STREAM, &closed_port);
	return kt_check("sockets", listener >= 0 && receiver >= 0 && closed_listener >= 0);
}

void bench_world_drain(void)
{
	char byte;
	int fd;

	while (recv(receiver, &byte, 1, 0) >= 0)
		;
	while ((fd = accept(listener, NULL, NULL)) >= 0)
		close(fd);
	while ((fd = accept(closed_listener, NULL, NULL)) >= 0)
		close(fd);
}

unsigned short bench_port(void)
{
	return port;
}

unsigned short bench_closed_port(void)
{
	return closed_port;
}

int bench_act_mkdir(const void *path)
{
	return mkdir(path, 0700) < 0 ? -errno : 0;
}

int bench_act_connect_closed(const void *unused)
{
	int fd = before_connect(), result = fd < 0 ? fd : connect_to(fd, closed_port);

	close(fd);
	return result;
}
