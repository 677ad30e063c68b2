// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * kernel_test.c - each part of the kernel's surface that has a word: refused to a root subject,
 * possible outside, and possible once a tool, or the set, names it.
 *
 * The act of a row goes as far as the hook of its word and answers what the control answers; what
 * stops it earlier (a capability) is named by the set, so that the word alone makes the
 * difference.
 */
#include "harness.h"

#include <linux/bpf.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <sys/fanotify.h>
#include <sys/ipc.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#define ALL_CAPABILITIES                                                                         \
	"capabilities: [chown, dac_override, dac_read_search, fowner, kill, setgid, setuid, "    \
	"net_admin, net_raw, ipc_lock, ipc_owner, sys_module, sys_rawio, sys_ptrace, sys_boot, " \
	"sys_nice, sys_resource, sys_time, syslog, perfmon, bpf]"

static const char policy[] =
	"tools: { all: { kernel: [bpf, perf, modules, module-autoload, kexec, keys, io-uring,\n"
	"  io-uring-sqpoll, userfaultfd, fanotify, quota, syslog, time, sysv-ipc, posix-mqueue,\n"
	"  memfd-exec, io-uring-cmd, io-uring-personality, tun] } }\n"
	"sets: { code: { " ALL_CAPABILITIES ",\n"
	"  files: { write: ['{DIR}', '{DIR}/**'], read: ['/dev/**'] }, exec: ['/usr/lib/**'] } }\n";

static int error_of(long result)
{
	return result < 0 ? -errno : 0;
}

static int act_bpf(const void *unused)
{
	union bpf_attr attributes = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 1};

	return error_of(syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof(attributes)));
}

static int act_perf(const void *unused)
{
	struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE,
					     .size = sizeof(attributes),
					     .config = PERF_COUNT_SW_TASK_CLOCK,
					     .exclude_kernel = 1};

	return error_of(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}

/* No module: the kernel finds that out when it has read it. */
static int act_module(const void *unused)
{
	char image[64] = "none";

	return error_of(syscall(SYS_init_module, image, sizeof(image), ""));
}

static int act_module_file(const void *unused)
{
	int fd = open("a/file", O_RDONLY | O_CLOEXEC);

	return error_of(syscall(SYS_finit_module, fd, "", 0));
}

static int act_kexec_file(const void *unused)
{
	int fd = open("a/file", O_RDONLY | O_CLOEXEC);

	return error_of(syscall(SYS_kexec_file_load, fd, -1, 1ul, "", 4 /* no initramfs */));
}

static int act_add_key(const void *unused)
{
	return error_of(
		syscall(SYS_add_key, "user", "warder", "x", 1ul, (long)KEY_SPEC_PROCESS_KEYRING));
}

/* What somebody else's login left there is not searched. */
static int act_user_keyring(const void *unused)
{
	long key = syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1);

	return error_of(key);
}

static int act_ring(const void *unused)
{
	char parameters[120] = {};

	return error_of(syscall(SYS_io_uring_setup, 2, parameters));
}

static int act_ring_thread(const void *unused)
{
	__u32 parameters[30] = {};

	parameters[2] = 2; /* flags: IORING_SETUP_SQPOLL */
	return error_of(syscall(SYS_io_uring_setup, 2, parameters));
}

static int act_userfaultfd(const void *unused)
{
	return error_of(syscall(SYS_userfaultfd, 1 /* user mode only */));
}

static int act_fanotify(const void *unused)
{
	int fd = fanotify_init(FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY);

	return fd < 0 ? -EBADF
		      : error_of(fanotify_mark(fd, FAN_MARK_ADD, FAN_CREATE, AT_FDCWD, "a"));
}

static int act_syslog(const void *unused)
{
	return error_of(klogctl(10 /* SYSLOG_ACTION_SIZE_BUFFER */, NULL, 0));
}

static int act_time(const void *unused)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	return error_of(settimeofday(&now, NULL));
}

static int act_shm(const void *unused)
{
	int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);

	return id < 0 ? -errno : error_of(shmctl(id, IPC_RMID, NULL));
}

static int act_sem(const void *unused)
{
	int id = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);

	return id < 0 ? -errno : error_of(semctl(id, 0, IPC_RMID));
}

static int act_msg(const void *unused)
{
	int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);

	return id < 0 ? -errno : error_of(msgctl(id, IPC_RMID, NULL));
}

static int act_mqueue(const void *unused)
{
	mqd_t queue = mq_open("/warder-test", O_RDWR | O_CREAT, 0600, NULL);

	return queue < 0 ? -errno : error_of(mq_unlink("/warder-test"));
}

static int act_memory_exec(const void *unused)
{
	int fd = memfd_create("code", MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, 4096) < 0)
		return -EBADF;
	return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED ? -errno
											 : 0;
}

static void build(struct kt_subject *s)
{
	kt_write("%s/a/file", "none", s->dir);
}

/* With the tool the result is the control's. */
#define WORD(name_, act_, control, error_, HOOK, word)                                     \
	{                                                                                  \
		.name = name_, .act = act_, .inside = error_, .outside = control,          \
		.hook = WARDER_HOOK_##HOOK, .reason = WARDER_REASON_SURFACE, .key = "all", \
		.quiet = true                                                              \
	}

static const struct kt_case words[] = {
	WORD("bpf", act_bpf, 0, -EPERM, BPF, BPF),
	WORD("perf", act_perf, 0, -EPERM, PERF_EVENT_OPEN, PERF),
	WORD("module", act_module, -ENOEXEC, -EPERM, KERNEL_LOAD_DATA, MODULES),
	WORD("module from a file", act_module_file, -ENOEXEC, -EPERM, KERNEL_READ_FILE, MODULES),
	WORD("another kernel", act_kexec_file, -ENOEXEC, -EPERM, KERNEL_READ_FILE, KEXEC),
	WORD("add a key", act_add_key, 0, -EPERM, KEY_ALLOC, KEYS),
	WORD("ring", act_ring, 0, -EPERM, INODE_INIT_SECURITY_ANON, IO_URING),
	WORD("ring with a thread", act_ring_thread, 0, -EPERM, URING_SQPOLL, IO_URING_SQPOLL),
	WORD("userfaultfd", act_userfaultfd, 0, -EPERM, INODE_INIT_SECURITY_ANON, USERFAULTFD),
	WORD("fanotify", act_fanotify, 0, -EPERM, PATH_NOTIFY, FANOTIFY),
	WORD("kernel log", act_syslog, 0, -EPERM, SYSLOG, SYSLOG),
	WORD("time", act_time, 0, -EPERM, SETTIME, TIME),
	WORD("shared memory", act_shm, 0, -EPERM, SHM_ALLOC_SECURITY, SYSV_IPC),
	WORD("semaphores", act_sem, 0, -EPERM, SEM_ALLOC_SECURITY, SYSV_IPC),
	WORD("message queue", act_msg, 0, -EPERM, MSG_QUEUE_ALLOC_SECURITY, SYSV_IPC),
	WORD("POSIX message queue", act_mqueue, 0, -EPERM, INODE_CREATE, POSIX_MQUEUE),
	WORD("execute memory", act_memory_exec, 0, -EACCES, MMAP_FILE, MEMFD_EXEC),
};

TEST(words)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	/* Debian's kernels ask for CAP_SYS_ADMIN else, before the hook. */
	kt_write("/proc/sys/kernel/perf_event_paranoid", "1");
	KT_CASES(&s, build, words);
	kt_write("/proc/sys/kernel/perf_event_paranoid", "3");
}

/* The call answers that there is none: it could not look. */
TEST(user_keyring)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_result("refused", kt_inside(&s, act_user_keyring, NULL), -ENOKEY);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_KEY_PERMISSION,
				    .reason = WARDER_REASON_SURFACE,
				    .number = WARDER_SURFACE_KEYS});
	kt_result("control", kt_outside(&s, act_user_keyring, NULL), 0);
	kt_grant(&s, "all", 0);
	kt_result("granted", kt_inside(&s, act_user_keyring, NULL), 0);
}

/* --- what somebody outside made --- */

static int shm_id, sem_id, msg_id;

static int act_attach(const void *unused)
{
	return shmat(shm_id, NULL, 0) == (void *)-1 ? -errno : 0;
}

static int act_remove_shm(const void *unused)
{
	return error_of(shmctl(shm_id, IPC_RMID, NULL));
}

static int act_raise(const void *unused)
{
	struct sembuf up = {.sem_op = 1};

	return error_of(semop(sem_id, &up, 1));
}

static int act_set_sem(const void *unused)
{
	return error_of(semctl(sem_id, 0, IPC_RMID));
}

static int act_send(const void *unused)
{
	struct {
		long type;
		char text[4];
	} message = {1, "x"};

	return error_of(msgsnd(msg_id, &message, 1, IPC_NOWAIT));
}

static int act_remove_msg(const void *unused)
{
	return error_of(msgctl(msg_id, IPC_RMID, NULL));
}

static int act_open_queue(const void *unused)
{
	return error_of(mq_open("/warder-outside", O_RDWR));
}

static int act_unlink_queue(const void *unused)
{
	return error_of(mq_unlink("/warder-outside"));
}

/* System V objects of others are not reached, nor removed (which asks no permission of them). */
TEST(objects_of_others)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct msqid_ds queue = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	shm_id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0666);
	sem_id = semget(IPC_PRIVATE, 1, IPC_CREAT | 0666);
	msg_id = msgget(IPC_PRIVATE, IPC_CREAT | 0666);
	kt_result("attach", kt_inside(&s, act_attach, NULL), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_IPC_PERMISSION,
				    .reason = WARDER_REASON_SURFACE,
				    .number = WARDER_SURFACE_SYSV_IPC});
	kt_result("raise", kt_inside(&s, act_raise, NULL), -EACCES);
	kt_result("send", kt_inside(&s, act_send, NULL), -EACCES);
	kt_result("remove memory", kt_inside(&s, act_remove_shm, NULL), -EPERM);
	kt_result("remove semaphores", kt_inside(&s, act_set_sem, NULL), -EPERM);
	kt_result("remove a queue", kt_inside(&s, act_remove_msg, NULL), -EPERM);
	kt_check("nothing was raised", semctl(sem_id, 0, GETVAL) == 0);
	kt_check("nothing was sent", !msgctl(msg_id, IPC_STAT, &queue) && !queue.msg_qnum);
	kt_result("control: attach", kt_outside(&s, act_attach, NULL), 0);
	kt_result("control: raise", kt_outside(&s, act_raise, NULL), 0);
	kt_result("control: send", kt_outside(&s, act_send, NULL), 0);
	kt_grant(&s, "all", 0);
	kt_result("granted: attach", kt_inside(&s, act_attach, NULL), 0);
	kt_result("control: remove", kt_outside(&s, act_remove_shm, NULL), 0);
	kt_result("control: remove", kt_outside(&s, act_set_sem, NULL), 0);
	kt_result("control: remove", kt_outside(&s, act_remove_msg, NULL), 0);
}

TEST(queue_of_somebody_else)
{
	_cleanup_subject_ struct kt_subject s = {};
	mqd_t queue = mq_open("/warder-outside", O_RDWR | O_CREAT, 0666, NULL);

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_check("made", queue >= 0);
	kt_result("open", kt_inside(&s, act_open_queue, NULL), -EACCES);
	/* The C library makes EACCES of EPERM. */
	kt_result("unlink", kt_inside(&s, act_unlink_queue, NULL), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_INODE_UNLINK,
				    .reason = WARDER_REASON_SURFACE,
				    .number = WARDER_SURFACE_POSIX_MQUEUE});
	kt_result("control: open", kt_outside(&s, act_open_queue, NULL), 0);
	kt_result("control: unlink", kt_outside(&s, act_unlink_queue, NULL), 0);
	mq_close(queue);
}

/* --- memory of others --- */

static pid_t other;

static int act_move_pages(const void *unused)
{
	void *page = (void *)((unsigned long)act_move_pages & ~4095ul);
	int status = 0, node = 0;

	return error_of(syscall(SYS_move_pages, other, 1ul, &page, &node, &status, 0));
}

static int act_migrate_pages(const void *unused)
{
	unsigned long nodes = 1;

	return error_of(syscall(SYS_migrate_pages, other, 2ul, &nodes, &nodes));
}

static int act_sleep(const void *unused)
{
	sleep(30);
	return 0;
}

TEST(memory_of_others)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct kt_child child;

	if (!kt_subject_open(&s, "code", policy) || !kt_start(&child, NULL, act_sleep, NULL))
		return;
	other = child.pid;
	/* Who may be traced is asked first. */
	kt_result("move pages", kt_inside(&s, act_move_pages, NULL), -EPERM);
	kt_result("migrate pages", kt_inside(&s, act_migrate_pages, NULL), -EPERM);
	kt_result("control", kt_outside(&s, act_migrate_pages, NULL), 0);
	kill(child.pid, SIGKILL);
	kt_wait(&child);
	other = 0; /* oneself */
	kt_result("one's own", kt_inside(&s, act_migrate_pages, NULL), 0);
}

/* --- what a bare set may: no path means anything to it --- */

static const char bare[] = "sets: { code: { kernel: [user-namespaces] },\n"
			   "  half: { capabilities: [sys_admin, sys_chroot] },\n"
			   "  full: { capabilities: [sys_admin, sys_chroot],\n"
			   "    kernel: [user-namespaces, mounts, pivot-root, chroot, setns] } }\n";

static int act_namespace(const void *unused)
{
	return error_of(unshare(CLONE_NEWUSER));
}

static int act_chroot(const void *unused)
{
	return error_of(chroot("/"));
}

static int act_remount(const void *unused)
{
	return error_of(unshare(CLONE_NEWNS))
		       ?: error_of(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
}

static int act_fsopen(const void *unused)
{
	return error_of(syscall(SYS_fsopen, "tmpfs", 0));
}

static int act_setns(const void *unused)
{
	return error_of(setns(syscall(SYS_pidfd_open, getpid(), 0), CLONE_NEWUTS));
}

static void try_bare(const char *set, bool namespaces, bool rest, int capable)
{
	_cleanup_subject_ struct kt_subject s = {};
	int refused = rest ? 0 : -EPERM;

	if (!kt_subject_open(&s, set, bare))
		return;
	kt_result("user namespace", kt_inside(&s, act_namespace, NULL), namespaces ? 0 : -EPERM);
	kt_result("chroot", kt_inside(&s, act_chroot, NULL), refused);
	kt_result("mount", kt_inside(&s, act_remount, NULL), refused);
	kt_result("fsopen", kt_inside(&s, act_fsopen, NULL), refused);
	if (!rest)
		kt_event(&s, "which is reported",
			 &(struct kt_match){.hook = WARDER_HOOK_CAPABLE,
					    .reason = WARDER_REASON_SURFACE,
					    .number = capable});
	kt_result("setns", kt_inside(&s, act_setns, NULL), refused);
}

TEST(namespaces_alone)
{
	try_bare("code", true, false, 21);
}

/* The capability does not stand for the word. */
TEST(capabilities_alone)
{
	try_bare("half", false, false, WARDER_SURFACE_MOUNTS);
}

TEST(capabilities_and_words)
{
	try_bare("full", true, true, 0);
}

/* --- bpf by word --- */

static int act_next_map(const void *unused)
{
	union bpf_attr attributes = {};
	__u32 id;

	if (syscall(SYS_bpf, BPF_MAP_GET_NEXT_ID, &attributes, sizeof(attributes)) < 0)
		return -errno;
	id = attributes.next_id;
	memset(&attributes, 0, sizeof(attributes));
	attributes.map_id = id;
	return error_of(syscall(SYS_bpf, BPF_MAP_GET_FD_BY_ID, &attributes, sizeof(attributes)));
}

static int act_get_pin(const void *unused)
{
	union bpf_attr attributes = {};

	attributes.pathname = (__u64)(unsigned long)(WARDER_PIN_DIR "/maps/subjects");
	return error_of(syscall(SYS_bpf, BPF_OBJ_GET, &attributes, sizeof(attributes)));
}

/* Who may load programs of his own still gets none of warder's. */
TEST(bpf_of_others)
{
	static const char with_bpf[] =
		"sets: { code: { capabilities: [bpf, perfmon, dac_override, net_admin],\n"
		"  kernel: [bpf], files: { write: ['/**'] } } }\n";
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", with_bpf))
		return;
	kt_result("a map of one's own", kt_inside(&s, act_bpf, NULL), 0);
	kt_result("a map by number", kt_inside(&s, act_next_map, NULL), -EPERM);
	kt_result("control", kt_outside(&s, act_next_map, NULL), 0);
	kt_result("a pinned map", kt_inside(&s, act_get_pin, NULL), -EPERM);
	kt_result("control", kt_outside(&s, act_get_pin, NULL), 0);
}
