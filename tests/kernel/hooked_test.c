// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * hooked_test.c - each call that is said to pass a hook always is refused by one when it is denied:
 * without any filter, and before it has an effect.
 */
#include "acts.h"

#include <netinet/in.h>
#include <sched.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include "policy/syscall.h"

/* Descriptors that the child inherits. */
enum {
	FILE_FD = 100,
	UNIX_FD,
	UDP_FD,
	INOTIFY_FD,
	PIDFD,
	UTS_FD,
	TCP_FD,
	LISTENING_FD
};

/* Arguments that are known when the call is made. */
enum {
	SELF = 0x51510000,
	SHM_ID,
	SEM_ID,
	MSG_ID
};

static int shm_id, sem_id, msg_id;
static char buffer[512];
static struct rlimit no_core;
static struct sched_param priority;
static struct {
	__u32 size, policy;
	__u64 rest[5];
} scheduling = {.size = 48};
static unsigned long one = 1;
static struct {
	__u32 type, size;
	__u64 rest[14];
} perf = {.type = 1 /* software */, .size = 64};
static char ring[120];
static struct {
	__u64 set, clear, propagation, userns;
} mount_attributes = {.set = 2};
static struct sockaddr_in loopback = {.sin_family = AF_INET};
static struct sockaddr_in discard = {.sin_family = AF_INET};
static struct sockaddr_un nobody = {.sun_family = AF_UNIX, .sun_path = "nobody"};
static struct iovec byte = {.iov_base = buffer, .iov_len = 1};
static struct mmsghdr message = {
	.msg_hdr = {.msg_name = &discard, .msg_namelen = 16, .msg_iov = &byte, .msg_iovlen = 1}};
static struct {
	__u64 value;
	__u32 size, flags;
} xattr = {.size = 1};
static __u64 file_attributes[3];
static struct sembuf no_operation = {.sem_flg = IPC_NOWAIT};
static struct {
	long type;
	char text[8];
} letter = {.type = 1};
static struct {
	__u64 flags, pidfd, child_tid, parent_tid, exit_signal, rest[6];
} clone_arguments = {.exit_signal = 17};

struct row {
	const char *name;
	long arguments[6];
};

#define P(x) ((long)(x))
#define HERE (-100L)

static const struct row rows[] = {
	{"truncate", {P("file"), 1}},
	{"ftruncate", {FILE_FD, 1}},
	{"unlink", {P("file")}},
	{"unlinkat", {HERE, P("file")}},
	{"rmdir", {P("dir")}},
	{"mkdir", {P("new"), 0700}},
	{"mkdirat", {HERE, P("new"), 0700}},
	{"mknod", {P("new"), S_IFREG | 0600}},
	{"mknodat", {HERE, P("new"), S_IFREG | 0600}},
	{"symlink", {P("x"), P("new")}},
	{"symlinkat", {P("x"), HERE, P("new")}},
	{"link", {P("file"), P("new")}},
	{"linkat", {HERE, P("file"), HERE, P("new")}},
	{"rename", {P("file"), P("new")}},
	{"renameat", {HERE, P("file"), HERE, P("new")}},
	{"renameat2", {HERE, P("file"), HERE, P("new")}},
	{"chmod", {P("file"), 0600}},
	{"fchmod", {FILE_FD, 0600}},
	{"fchmodat", {HERE, P("file"), 0600}},
	{"fchmodat2", {HERE, P("file"), 0600}},
	{"chown", {P("file")}},
	{"fchown", {FILE_FD}},
	{"lchown", {P("file")}},
	{"fchownat", {HERE, P("file")}},
	{"inotify_add_watch", {INOTIFY_FD, P("file"), IN_MODIFY}},
	{"utime", {P("file")}},
	{"utimes", {P("file")}},
	{"futimesat", {HERE, P("file")}},
	{"utimensat", {HERE, P("file")}},
	{"setxattr", {P("file"), P("user.x"), P("v"), 1}},
	{"lsetxattr", {P("file"), P("user.x"), P("v"), 1}},
	{"fsetxattr", {FILE_FD, P("user.x"), P("v"), 1}},
	{"setxattrat", {HERE, P("file"), 0, P("user.x"), P(&xattr), 16}},
	{"removexattr", {P("file"), P("user.x")}},
	{"lremovexattr", {P("file"), P("user.x")}},
	{"fremovexattr", {FILE_FD, P("user.x")}},
	{"removexattrat", {HERE, P("file"), 0, P("user.x")}},
	{"file_setattr", {HERE, P("file"), P(file_attributes), 24}},
	{"socket", {AF_UNIX, SOCK_STREAM}},
	{"socketpair", {AF_UNIX, SOCK_STREAM, 0, P(buffer)}},
	{"connect", {UNIX_FD, P(&nobody), sizeof(nobody)}},
	{"bind", {UDP_FD, P(&loopback), sizeof(loopback)}},
	{"listen", {TCP_FD, 1}},
	{"accept", {LISTENING_FD}},
	{"accept4", {LISTENING_FD}},
	{"setsockopt", {UDP_FD, SOL_SOCKET, SO_REUSEADDR, P(&one), 4}},
	{"sendto", {UDP_FD, P(buffer), 1, 0, P(&discard), sizeof(discard)}},
	{"sendmsg", {UDP_FD, P(&message)}},
	{"sendmmsg", {UDP_FD, P(&message), 1}},
	{"fork", {0}},
	{"clone", {17}},
	{"clone3", {P(&clone_arguments), 64}},
	{"kill", {SELF}},
	{"tkill", {SELF}},
	{"tgkill", {SELF, SELF}},
	{"ptrace", {0}},
	{"pidfd_getfd", {PIDFD, FILE_FD}},
	{"setrlimit", {RLIMIT_CORE, P(&no_core)}},
	{"setpriority", {PRIO_PROCESS}},
	{"ioprio_set", {1, 0, 2 << 13 | 4}},
	{"sched_setscheduler", {0, 0, P(&priority)}},
	{"sched_setparam", {0, P(&priority)}},
	{"sched_setattr", {0, P(&scheduling)}},
	{"sched_setaffinity", {0, 8, P(&one)}},
	{"migrate_pages", {0, 2, P(&one), P(&one)}},
	{"bpf", {0, P(buffer), 64}},
	{"perf_event_open", {P(&perf), 0, -1, -1}},
	{"io_uring_setup", {2, P(ring)}},
	{"userfaultfd", {0}},
	/* What others would see is asked for wrongly: whoever may is told so. */
	{"mount", {P("none"), P("dir"), P("nosuchfs")}},
	{"umount2", {P("dir")}},
	{"pivot_root", {P("dir"), P("dir")}},
	{"move_mount", {-1, P(""), -1, P("")}},
	{"mount_setattr", {-1, P("x"), 0, P(&mount_attributes), 32}},
	{"fsopen", {P("nosuchfs")}},
	{"fsmount", {-1}},
	{"fspick", {-1, P("x")}},
	{"setns", {UTS_FD, CLONE_NEWUTS}},
	{"chroot", {P("dir")}},
	{"init_module", {P(buffer), 0, P("")}},
	{"finit_module", {-1, P("")}},
	{"delete_module", {P("nosuch")}},
	{"kexec_load", {0, 0, 0, 0}},
	{"kexec_file_load", {-1, -1, 0, P("")}},
	{"reboot", {0}},
	{"swapon", {P("nosuch")}},
	{"swapoff", {P("nosuch")}},
	{"settimeofday", {0, P(file_attributes)}},
	{"acct", {P("nosuch/file")}},
	{"sethostname", {P("x"), -1}},
	{"setdomainname", {P("x"), -1}},
	{"add_key", {P("user"), P("k"), P("v"), 1, -2}},
	{"quotactl", {0x800001 << 8}},
	{"quotactl_fd", {FILE_FD, 0x800001 << 8}},
	{"syslog", {10}},
	{"shmget", {IPC_PRIVATE, 4096, 0600}},
	{"shmat", {SHM_ID}},
	{"shmctl", {SHM_ID, IPC_STAT, P(buffer)}},
	{"semget", {IPC_PRIVATE, 1, 0600}},
	{"semop", {SEM_ID, P(&no_operation), 1}},
	{"semtimedop", {SEM_ID, P(&no_operation), 1}},
	{"semctl", {SEM_ID, 0, GETVAL}},
	{"msgget", {IPC_PRIVATE, 0600}},
	{"msgsnd", {MSG_ID, P(&letter), 1, IPC_NOWAIT}},
	{"msgrcv", {MSG_ID, P(&letter), 1, 0, IPC_NOWAIT}},
	{"msgctl", {MSG_ID, IPC_STAT, P(buffer)}},
	{"mq_open", {P("kt-hooked"), O_RDWR | O_CREAT, 0600}},
	{"mq_unlink", {P("kt-hooked")}},
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

/* A new program (exec_test, syscall_test), a child on its parent's stack, a terminal that is gone.
 */
static const char elsewhere[] = " execve execveat vfork vhangup ";

/* Whatever the hook says, there the kernel's answer is EACCES. */
static const char turned[] =
	" perf_event_open shmat shmctl semop semtimedop semctl msgsnd msgrcv msgctl ";

static long argument_of(long value)
{
	switch (value) {
	case SELF:
		return getpid();
	case SHM_ID:
		return shm_id;
	case SEM_ID:
		return sem_id;
	case MSG_ID:
		return msg_id;
	default:
		return value;
	}
}

static int act_call(const void *argument)
{
	const struct row *row = argument;
	int number = warder_syscall_number(row->name);
	pid_t self = getpid();
	long a[6], result;
	size_t i;

	for (i = 0; i < 6; i++)
		a[i] = argument_of(row->arguments[i]);
	result = syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (getpid() != self)
		_exit(0);
	return result < 0 ? -errno : 0;
}

static void keep(int fd, int number)
{
	kt_check("a descriptor", dup2(fd, number) == number);
	close(fd);
}

static void build(struct kt_subject *s)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/new", s->dir);
	unlink(path);
	rmdir(path);
	kt_write("%s/file", "text", s->dir);
	kt_mkdir("%s/dir", s->dir);
}

static void open_all(struct kt_subject *s)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/file", s->dir);
	keep(open(path, O_RDWR), FILE_FD);
	keep(socket(AF_UNIX, SOCK_STREAM, 0), UNIX_FD);
	keep(socket(AF_INET, SOCK_DGRAM, 0), UDP_FD);
	keep(inotify_init(), INOTIFY_FD);
	keep((int)syscall(SYS_pidfd_open, getpid(), 0), PIDFD);
	keep(open("/proc/self/ns/uts", O_RDONLY), UTS_FD);
	keep(socket(AF_INET, SOCK_STREAM, 0), TCP_FD);
	keep(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0), LISTENING_FD);
	kt_check("it listens",
		 !bind(LISTENING_FD, (struct sockaddr *)&nobody, sizeof(sa_family_t)) &&
			 !listen(LISTENING_FD, 1));
	loopback.sin_addr.s_addr = discard.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	discard.sin_port = htons(9);
	xattr.value = (__u64)(unsigned long)buffer;
	shm_id = shmget(IPC_PRIVATE, 4096, 0600);
	sem_id = semget(IPC_PRIVATE, 1, 0600);
	msg_id = msgget(IPC_PRIVATE, 0600);
	close((int)syscall(SYS_mq_open, "kt-hooked", O_RDWR | O_CREAT, 0600, NULL));
}

static void close_all(void)
{
	int fd;

	for (fd = FILE_FD; fd <= LISTENING_FD; fd++)
		close(fd);
	shmctl(shm_id, IPC_RMID, NULL);
	semctl(sem_id, 0, IPC_RMID);
	msgctl(msg_id, IPC_RMID, NULL);
	syscall(SYS_mq_unlink, "kt-hooked");
}

/* A policy that denies all of them; malloc'ed. */
static char *make_policy(void)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int number;

	fputs("sets: { code: { files: { write: ['{DIR}/**'] }, syscalls: { deny: [getpid", out);
	for (number = 0; number < (int)WARDER_SYSCALLS_MAX; number++) {
		_cleanup_free_ char *name = warder_syscall_name(number);

		if (name && warder_syscall_is_judged(name))
			fprintf(out, ", %s", name);
	}
	fputs("] } } }\n", out);
	fclose(out);
	return text;
}

static void try(struct kt_subject *s, const struct row *row)
{
	int inside, outside;
	char word[64];
	__u64 before;

	build(s);
	before = kt_tree_digest(s->dir);
	kt_events_clear(s);
	inside = kt_inside(s, act_call, row);
	kt_check(row->name, kt_tree_digest(s->dir) == before);
	outside = kt_outside(s, act_call, row);
	if (outside == -ENOSYS) {
		kt_check_why(row->name, inside == -ENOSYS || inside == -EPERM, "%d", inside);
		return;
	}
	kt_check_why(row->name, outside != -EPERM && outside > KT_CRASHED, "control: %d", outside);
	snprintf(word, sizeof(word), " %s ", row->name);
	kt_result(row->name, inside, strstr(turned, word) ? -EACCES : -EPERM);
	kt_event(s, row->name,
		 &(struct kt_match){.hook = -1,
				    .reason = WARDER_REASON_SYSCALL,
				    .number = (__u32)warder_syscall_number(row->name)});
}

TEST(each_hooked_call)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *policy = make_policy();
	size_t i;

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	open_all(&s);
	for (i = 0; i < ROW_COUNT; i++)
		try(&s, &rows[i]);
	close_all();
}

/* No call is promised and not tried. */
TEST(no_call_is_left_out)
{
	int number;

	for (number = 0; number < (int)WARDER_SYSCALLS_MAX; number++) {
		_cleanup_free_ char *name = warder_syscall_name(number);
		char word[64];
		size_t i;

		if (!name || !warder_syscall_is_judged(name))
			continue;
		for (i = 0; i < ROW_COUNT && strcmp(rows[i].name, name); i++)
			;
		snprintf(word, sizeof(word), " %s ", name);
		kt_check(name, i < ROW_COUNT || strstr(elsewhere, word));
	}
}
