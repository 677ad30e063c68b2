// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * victim.c - a process that others act upon, and what they try.
 */
#include "victim.h"

#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

static struct victim *victim(void)
{
	return kt_shared();
}

static int error_of(long result)
{
	return result < 0 ? -errno : 0;
}

static void count_signal(int signal)
{
	victim()->signals++;
}

static int act_be_victim(const void *unused)
{
	struct sigaction action = {.sa_handler = count_signal};
	static char memory[8] = "secret";
	int pair[2];

	sigaction(SIGUSR1, &action, NULL);
	setpgid(0, 0);
	victim()->pid = getpid();
	victim()->memory = memory;
	if (pipe(pair) < 0)
		return -errno;
	victim()->fd = pair[0];
	victim()->ready = 1;
	while (!victim()->quit)
		usleep(2000);
	return strcmp(memory, "secret") ? -EILSEQ : 0;
}

bool victim_start(struct kt_child *child, struct kt_subject *s)
{
	int rounds;

	memset(victim(), 0, sizeof(struct victim));
	if (!kt_start(child, s, act_be_victim, NULL))
		return false;
	for (rounds = 0; rounds < 10000 && !victim()->ready; rounds++)
		usleep(1000);
	return kt_check("the victim lives", victim()->ready);
}

bool victim_stop(struct kt_child *child)
{
	victim()->quit = 1;
	return kt_wait(child) == 0;
}

int victim_signals(void)
{
	static int seen;
	int before;

	usleep(50000);
	if (!victim()->signals)
		seen = 0;
	before = seen;
	seen = victim()->signals;
	return seen - before;
}

int act_attach(const void *unused)
{
	int status;

	if (ptrace(PTRACE_ATTACH, victim()->pid, 0, 0) < 0)
		return -errno;
	waitpid(victim()->pid, &status, __WALL);
	return error_of(ptrace(PTRACE_DETACH, victim()->pid, 0, 0));
}

int act_seize(const void *unused)
{
	return error_of(ptrace(PTRACE_SEIZE, victim()->pid, 0, 0));
}

static int copy_memory(bool write, char *bytes)
{
	struct iovec here = {bytes, 7}, there = {victim()->memory, 7};

	return write ? error_of(process_vm_writev(victim()->pid, &here, 1, &there, 1, 0))
		     : error_of(process_vm_readv(victim()->pid, &here, 1, &there, 1, 0));
}

int act_read_memory(const void *unused)
{
	char bytes[8] = "";
	int result = copy_memory(false, bytes);

	return result ? result : strcmp(bytes, "secret") ? -EILSEQ : 0;
}

/* Writes what is there already: the victim tells when anything else came. */
int act_write_memory(const void *unused)
{
	char bytes[8] = "secret";

	return copy_memory(true, bytes);
}

int act_take_fd(const void *unused)
{
	int pidfd = syscall(SYS_pidfd_open, victim()->pid, 0);

	return pidfd < 0 ? -EBADF : error_of(syscall(SYS_pidfd_getfd, pidfd, victim()->fd, 0));
}

int act_compare(const void *unused)
{
	return error_of(syscall(SYS_kcmp, getpid(), victim()->pid, 1 /* KCMP_VM */, 0, 0));
}

static int open_proc(const char *file, int flags)
{
	char path[64], byte;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", victim()->pid, file);
	fd = open(path, flags | O_CLOEXEC);
	if (fd < 0 || flags & O_DIRECTORY || flags & O_WRONLY)
		return error_of(fd);
	return error_of(pread(fd, &byte, 1, !strcmp(file, "mem") ? (off_t)victim()->memory : 0));
}

int act_proc_mem(const void *unused)
{
	return open_proc("mem", O_RDONLY);
}

int act_proc_environ(const void *unused)
{
	return open_proc("environ", O_RDONLY);
}

int act_proc_maps(const void *unused)
{
	return open_proc("maps", O_RDONLY);
}

int act_proc_fd(const void *unused)
{
	return open_proc("fd", O_RDONLY | O_DIRECTORY);
}

int act_proc_exe(const void *unused)
{
	char path[64], target[256];

	snprintf(path, sizeof(path), "/proc/%d/exe", victim()->pid);
	return error_of(readlink(path, target, sizeof(target)));
}

int act_kill_nothing(const void *unused)
{
	return error_of(kill(victim()->pid, 0));
}

int act_kill(const void *unused)
{
	return error_of(kill(victim()->pid, SIGUSR1));
}

int act_kill_thread(const void *unused)
{
	return error_of(tgkill(victim()->pid, victim()->pid, SIGUSR1));
}

int act_queue_signal(const void *unused)
{
	return error_of(sigqueue(victim()->pid, SIGUSR1, (union sigval){.sival_int = 1}));
}

int act_kill_pidfd(const void *unused)
{
	int pidfd = syscall(SYS_pidfd_open, victim()->pid, 0);

	return pidfd < 0 ? -EBADF
			 : error_of(syscall(SYS_pidfd_send_signal, pidfd, SIGUSR1, NULL, 0));
}

int act_kill_group(const void *unused)
{
	return error_of(kill(-victim()->pid, SIGUSR1));
}

/* Have the kernel send the signal: "when there is something to read here". */
static int raise_by_io(int (*own)(int fd))
{
	int pair[2], result;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return -EBADF;
	result = own(pair[0]);
	if (!result)
		result = error_of(fcntl(pair[0], F_SETSIG, SIGUSR1));
	if (!result)
		result = error_of(fcntl(pair[0], F_SETFL, O_ASYNC | O_NONBLOCK));
	if (!result && write(pair[1], "x", 1) != 1)
		result = -EIO;
	return result;
}

static int own_plain(int fd)
{
	return error_of(fcntl(fd, F_SETOWN, victim()->pid));
}

static int own_extended(int fd)
{
	struct f_owner_ex owner = {F_OWNER_PID, victim()->pid};

	return error_of(fcntl(fd, F_SETOWN_EX, &owner));
}

static int own_ioctl(int fd)
{
	int pid = victim()->pid;

	return error_of(ioctl(fd, 0x8901 /* FIOSETOWN */, &pid));
}

/* ioctl of the i386 table, as a 64-bit process may call it: it has a hook of its own. */
static int own_ioctl_i386(int fd)
{
	int *pid = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT,
			-1, 0);
	long result;

	if (pid == MAP_FAILED)
		return -errno;
	*pid = victim()->pid;
	asm volatile("int $0x80"
		     : "=a"(result)
		     : "a"(54 /* ioctl */), "b"((long)fd), "c"(0x8901l /* FIOSETOWN */),
		       "d"((long)pid)
		     : "memory", "r8", "r9", "r10", "r11");
	munmap(pid, 4096);
	return result;
}

int act_own_signal(const void *unused)
{
	return raise_by_io(own_plain);
}

int act_own_signal_ex(const void *unused)
{
	return raise_by_io(own_extended);
}

int act_own_signal_ioctl(const void *unused)
{
	return raise_by_io(own_ioctl);
}

int act_own_signal_ioctl_i386(const void *unused)
{
	return raise_by_io(own_ioctl_i386);
}

int act_limit(const void *unused)
{
	struct rlimit64 limit = {4096, 4096};

	return error_of(prlimit64(victim()->pid, RLIMIT_NOFILE, &limit, NULL));
}

int act_priority(const void *unused)
{
	return error_of(setpriority(PRIO_PROCESS, victim()->pid, 5));
}

int act_affinity(const void *unused)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	return error_of(sched_setaffinity(victim()->pid, sizeof(set), &set));
}

int act_scheduler(const void *unused)
{
	struct sched_param parameter = {};

	return error_of(sched_setscheduler(victim()->pid, SCHED_BATCH, &parameter));
}

int act_io_priority(const void *unused)
{
	return error_of(syscall(SYS_ioprio_set, 1, victim()->pid, 2 << 13 | 7));
}

int act_move_pages(const void *unused)
{
	void *page = (void *)((unsigned long)victim()->memory & ~4095ul);
	int node = 0, status;

	return error_of(syscall(SYS_move_pages, victim()->pid, 1, &page, &node, &status, 2));
}
