// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * receive_test.c - file_receive: descriptors that come in from elsewhere.
 *
 * A socket pair exists before the subject is forked into its cgroup; the test sends through
 * one end, the act receives through the other.
 */
#include "acts.h"

#include <netinet/in.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

static const char policy[] =
	"tools:\n"
	"  all: { shared: true, files: { write: ['{DIR}', '{DIR}/**'] } }\n"
	"sets:\n"
	"  code:\n"
	"    files: { read: ['{DIR}/readable/**'], write: ['{DIR}/open/**'] }\n";

static void build(struct kt_subject *s)
{
	kt_write("%s/readable/file", "text", s->dir);
	kt_write("%s/open/file", "text", s->dir);
	kt_write("%s/closed/file", "text", s->dir);
}

static int send_fd(int channel, int fd)
{
	char byte = 'f', control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec data = {.iov_base = &byte, .iov_len = 1};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = control,
				 .msg_controllen = sizeof(control)};
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(head), &fd, sizeof(fd));
	return sendmsg(channel, &message, 0) < 0 ? -errno : 0;
}

/* The descriptor, or -ENOMSG when the message came without one. */
static int receive_fd(int channel)
{
	char byte, control[CMSG_SPACE(sizeof(int))] = {};
	struct iovec data = {.iov_base = &byte, .iov_len = 1};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = control,
				 .msg_controllen = sizeof(control)};
	struct cmsghdr *head;
	int fd;

	if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) < 0)
		return -errno;
	head = CMSG_FIRSTHDR(&message);
	if (!head || head->cmsg_type != SCM_RIGHTS || head->cmsg_len < CMSG_LEN(sizeof(int)))
		return -ENOMSG;
	memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

static int channel[2];

static int act_receive(const void *unused)
{
	int fd = receive_fd(channel[1]);

	return fd < 0 ? fd : 0;
}

/* Receive, and open a file below the directory that came. */
static int act_receive_directory(const void *path)
{
	int fd = receive_fd(channel[1]);

	if (fd < 0)
		return fd;
	return openat(fd, path, O_RDONLY | O_CLOEXEC) < 0 ? -errno : 0;
}

/* Send `fd` (closed here) to an act that runs inside or outside. */
static int pass(struct kt_subject *s, bool inside, int fd, kt_act *act, const void *argument)
{
	int result;

	if (fd < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) < 0)
		return -EBADF;
	result = send_fd(channel[0], fd);
	close(fd);
	if (!result)
		result = inside ? kt_inside(s, act, argument) : kt_outside(s, act, argument);
	close(channel[0]);
	close(channel[1]);
	return result;
}

static void check(struct kt_subject *s, const char *name, const char *path, int flags, int expected)
{
	char whole[256], text[128];

	snprintf(whole, sizeof(whole), "%s/%s", s->dir, path);
	snprintf(text, sizeof(text), "%s inside", name);
	kt_result(text, pass(s, true, open(whole, flags | O_CLOEXEC), act_receive, NULL), expected);
	snprintf(text, sizeof(text), "%s control", name);
	kt_result(text, pass(s, false, open(whole, flags | O_CLOEXEC), act_receive, NULL), 0);
}

TEST(files)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	check(&s, "readable file, read", "readable/file", O_RDONLY, 0);
	check(&s, "readable file, written", "readable/file", O_RDWR, -ENOMSG);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_RECEIVE,
				    .reason = WARDER_REASON_NO_RULE,
				    .missing = WARDER_WRITE,
				    .text = "{DIR}/readable/file"});
	check(&s, "open file", "open/file", O_RDWR, 0);
	check(&s, "closed file", "closed/file", O_RDONLY, -ENOMSG);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_RECEIVE,
				    .reason = WARDER_REASON_NO_RULE,
				    .missing = WARDER_READ,
				    .text = "{DIR}/closed/file"});
	check(&s, "open directory", "open", O_RDONLY | O_DIRECTORY, 0);
	check(&s, "closed directory", "closed", O_RDONLY | O_DIRECTORY, -ENOMSG);
	check(&s, "device of no rule", "../../dev/null", O_RDWR, -ENOMSG);
	check(&s, "O_PATH is a place only", "closed/file", O_PATH, 0);
	if (!kt_grant(&s, "all", 0))
		return;
	check(&s, "granted", "closed/file", O_RDWR, 0);
}

TEST(directories)
{
	_cleanup_subject_ struct kt_subject s = {};
	char path[256];

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	snprintf(path, sizeof(path), "%s/closed", s.dir);
	kt_result("opened through O_PATH",
		  pass(&s, true, open(path, O_PATH | O_CLOEXEC), act_receive_directory, "file"),
		  -EACCES);
	kt_result("control",
		  pass(&s, false, open(path, O_PATH | O_CLOEXEC), act_receive_directory, "file"),
		  0);
	kt_result(
		"out of a directory",
		pass(&s, true, open("/", O_PATH | O_CLOEXEC), act_receive_directory, "etc/passwd"),
		-EACCES);
}

static int pipe_end(void)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	close(ends[1]);
	return ends[0];
}

static int act_send_own_socket(const void *unused)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 ? -errno : send_fd(channel[0], fd);
}

TEST(sockets)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_result("pipe", pass(&s, true, pipe_end(), act_receive, NULL), 0);
	kt_result("socket made outside",
		  pass(&s, true, socket(AF_INET, SOCK_STREAM, 0), act_receive, NULL), -ENOMSG);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_RECEIVE,
				    .reason = WARDER_REASON_NOT_MEMBER});
	kt_result("control", pass(&s, false, socket(AF_INET, SOCK_STREAM, 0), act_receive, NULL),
		  0);
	kt_result("unix socket made outside",
		  pass(&s, true, socket(AF_UNIX, SOCK_STREAM, 0), act_receive, NULL), -ENOMSG);
	kt_result("netlink socket",
		  pass(&s, true, socket(AF_NETLINK, SOCK_RAW, 0), act_receive, NULL), -ENOMSG);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) < 0)
		return;
	kt_result("a member sends its own socket", kt_inside(&s, act_send_own_socket, NULL), 0);
	kt_result("another member receives it", kt_inside(&s, act_receive, NULL), 0);
	close(channel[0]);
	close(channel[1]);
}

TEST(nameless_files)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	kt_result("memfd", pass(&s, true, memfd_create("m", MFD_CLOEXEC), act_receive, NULL), 0);
	kt_result("pidfd", pass(&s, true, syscall(SYS_pidfd_open, 1, 0), act_receive, NULL),
		  -ENOMSG);
	kt_result("pidfd control",
		  pass(&s, false, syscall(SYS_pidfd_open, 1, 0), act_receive, NULL), 0);
	kt_result("mount namespace",
		  pass(&s, true, open("/proc/1/ns/mnt", O_RDONLY), act_receive, NULL), -ENOMSG);
	kt_result("mount namespace control",
		  pass(&s, false, open("/proc/1/ns/mnt", O_RDONLY), act_receive, NULL), 0);
	kt_result("a detached tree",
		  pass(&s, true, syscall(SYS_open_tree, AT_FDCWD, s.dir, 1 /* clone */),
		       act_receive_directory, "open/file"),
		  -EACCES);
}

/* Take a descriptor out of another process. */
static int act_pidfd_getfd(const void *pid)
{
	int process = syscall(SYS_pidfd_open, (pid_t)(long)pid, 0), fd;

	if (process < 0)
		return -EBADF;
	fd = syscall(SYS_pidfd_getfd, process, 0, 0);
	return fd < 0 ? -errno : 0;
}

static int act_sleep(const void *path)
{
	int fd = open(path, O_RDONLY);

	if (fd < 0 || dup2(fd, 0) < 0)
		return -errno;
	*(volatile int *)kt_shared() = 1;
	pause();
	return 0;
}

static int steal(struct kt_subject *s, struct kt_subject *victim_of, const char *path, bool inside)
{
	struct kt_child victim;
	const void *pid;
	int result;

	*(volatile int *)kt_shared() = 0;
	if (!kt_start(&victim, victim_of, act_sleep, path))
		return -EBADF;
	while (!*(volatile int *)kt_shared() && !kill(victim.pid, 0))
		usleep(1000);
	pid = (void *)(long)victim.pid;
	result = inside ? kt_inside(s, act_pidfd_getfd, pid) : kt_outside(s, act_pidfd_getfd, pid);
	kill(victim.pid, SIGKILL);
	kt_wait(&victim);
	return result;
}

TEST(pidfd_getfd)
{
	_cleanup_subject_ struct kt_subject s = {};
	char path[256];

	if (!kt_subject_open(&s, "code", policy))
		return;
	build(&s);
	snprintf(path, sizeof(path), "%s/readable/file", s.dir);
	kt_result("of a stranger", steal(&s, NULL, path, true), -EPERM);
	kt_result("control", steal(&s, NULL, path, false), 0);
	kt_result("of a member", steal(&s, &s, path, true), 0);
}
