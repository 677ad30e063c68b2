// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ring_test.c - requests of a ring (io_uring) that are performed under credentials which the task
 * that performs them has not got any more: they are the subject's own, and judged.
 */
#include "harness.h"

#include <linux/capability.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define ACL "system.posix_acl_access"

static const char policy[] =
	"sets:\n"
	"  code: { kernel: [io-uring], files: { read: ['{DIR}/readable/**'],\n"
	"    write: ['{DIR}/open/**'] } }\n"
	"  able: { kernel: [io-uring], capabilities: [dac_override, dac_read_search],\n"
	"    files: { read: ['{DIR}/readable/**'] } }\n";

static const struct {
	__u32 version;
	struct {
		__u16 tag, permissions;
		__u32 id;
	} entries[3];
} list = {2, {{0x01, 6, (__u32)-1}, {0x04, 0, (__u32)-1}, {0x20, 0, (__u32)-1}}};

/* A ring of two places, used for one chain of requests at a time. */
struct ring {
	int fd;
	struct io_uring_params parameters;
	char *submitted, *completed;
	struct io_uring_sqe *requests;
};

static char *map(const struct ring *ring, size_t size, off_t offset)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, offset);

	return memory == MAP_FAILED ? NULL : memory;
}

static int ring_open(struct ring *ring)
{
	*ring = (struct ring){};
	ring->fd = syscall(SYS_io_uring_setup, 2, &ring->parameters);
	if (ring->fd < 0)
		return -errno;
	ring->submitted = map(ring, 4096, IORING_OFF_SQ_RING);
	ring->completed = map(ring, 4096, IORING_OFF_CQ_RING);
	ring->requests = (void *)map(ring, 4096, IORING_OFF_SQES);
	return ring->submitted && ring->completed && ring->requests ? 0 : -EBADF;
}

static __u32 *number(char *area, __u32 offset)
{
	return (__u32 *)(area + offset);
}

static void ring_put(struct ring *ring, const struct io_uring_sqe *request)
{
	const struct io_sqring_offsets *at = &ring->parameters.sq_off;
	__u32 *tail = number(ring->submitted, at->tail);
	__u32 i = *tail & *number(ring->submitted, at->ring_mask);

	ring->requests[i] = *request;
	number(ring->submitted, at->array)[i] = i;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
}

static int ring_enter(const struct ring *ring, int submit, int wait)
{
	return syscall(SYS_io_uring_enter, ring->fd, submit, wait,
		       wait ? IORING_ENTER_GETEVENTS : 0, NULL, 0) < 0
		       ? -errno
		       : 0;
}

/* The result of the next request that has ended. */
static int ring_take(const struct ring *ring)
{
	const struct io_cqring_offsets *at = &ring->parameters.cq_off;
	__u32 *head = number(ring->completed, at->head);
	__u32 i = *head & *number(ring->completed, at->ring_mask);
	const struct io_uring_cqe *done = (void *)(ring->completed + at->cqes);
	int result = done[i].res;

	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return result;
}

static int perform(struct ring *ring, struct io_uring_sqe request)
{
	int error;

	request.flags |= IOSQE_ASYNC;
	ring_put(ring, &request);
	error = ring_enter(ring, 1, 1);
	return error ?: ring_take(ring);
}

/* Nothing changes in them, but they are others than before. */
static int renew_credentials(void)
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2];

	return syscall(SYS_capget, &head, data) < 0 || syscall(SYS_capset, &head, data) < 0 ? -errno
											    : 0;
}

/* By a worker that was born under the credentials that the task had before. */
static int by_worker(const struct io_uring_sqe *request)
{
	const struct io_uring_sqe nothing = {.opcode = IORING_OP_NOP};
	struct ring ring;
	int error = ring_open(&ring);

	if (!error)
		error = perform(&ring, nothing);
	if (!error)
		error = renew_credentials();
	return error ?: perform(&ring, *request);
}

/* By the task itself, when what was handed in before has ended. */
static int by_task(const struct io_uring_sqe *request)
{
	struct io_uring_sqe first = {.opcode = IORING_OP_READ,
				     .flags = IOSQE_ASYNC | IOSQE_IO_LINK};
	struct ring ring;
	int ends[2], error = ring_open(&ring);
	char byte;

	if (error || pipe(ends) < 0)
		return error ?: -errno;
	first.fd = ends[0];
	first.addr = (unsigned long)&byte;
	first.len = 1;
	ring_put(&ring, &first);
	ring_put(&ring, request);
	error = ring_enter(&ring, 2, 0);
	if (!error)
		error = renew_credentials();
	if (!error && write(ends[1], "x", 1) != 1)
		error = -EPIPE;
	if (!error)
		error = ring_enter(&ring, 0, 2);
	if (!error && ring_take(&ring) != 1)
		error = -EPIPE;
	return error ?: ring_take(&ring);
}

static struct io_uring_sqe request_set(const char *path)
{
	return (struct io_uring_sqe){.opcode = IORING_OP_SETXATTR,
				     .addr = (unsigned long)ACL,
				     .addr2 = (unsigned long)&list,
				     .addr3 = (unsigned long)path,
				     .len = sizeof(list)};
}

static struct io_uring_sqe request_open(const char *path)
{
	return (struct io_uring_sqe){.opcode = IORING_OP_OPENAT,
				     .fd = AT_FDCWD,
				     .addr = (unsigned long)path,
				     .open_flags = O_RDONLY};
}

static int act_set(const void *path)
{
	const struct io_uring_sqe request = request_set(path);

	return by_worker(&request);
}

static int act_open(const void *path)
{
	const struct io_uring_sqe request = request_open(path);
	int fd = by_worker(&request);

	return fd < 0 ? fd : 0;
}

static int act_open_later(const void *path)
{
	const struct io_uring_sqe request = request_open(path);
	int fd = by_task(&request);

	return fd < 0 ? fd : 0;
}

static int make(const struct kt_subject *s)
{
	char path[300];

	kt_write("%s/readable/file", "text", s->dir);
	kt_write("%s/readable/theirs", "text", s->dir);
	kt_write("%s/open/file", "text", s->dir);
	snprintf(path, sizeof(path), "%s/readable/theirs", s->dir);
	return chmod(path, 0600) || chown(path, 1234, 1234);
}

TEST(attributes)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_check("made", !make(&s));
	kt_result("refused", kt_inside(&s, act_set, "readable/file"), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = kt_kernel_is("6.1") ? WARDER_HOOK_INODE_SETXATTR
								: WARDER_HOOK_INODE_SET_ACL,
				    .reason = WARDER_REASON_NO_RULE});
	kt_result("granted", kt_inside(&s, act_set, "open/file"), 0);
	kt_result("control", kt_outside(&s, act_set, "readable/file"), 0);
}

TEST(capabilities)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_check("made", !make(&s));
	kt_result("by a worker", kt_inside(&s, act_open, "readable/theirs"), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_CAPABLE,
				    .reason = WARDER_REASON_SURFACE,
				    .number = CAP_DAC_READ_SEARCH});
	kt_result("by the task", kt_inside(&s, act_open_later, "readable/theirs"), -EACCES);
	kt_result("one's own", kt_inside(&s, act_open, "readable/file"), 0);
	kt_result("one's own by the task", kt_inside(&s, act_open_later, "readable/file"), 0);
	kt_result("control", kt_outside(&s, act_open, "readable/theirs"), 0);
	kt_result("control by the task", kt_outside(&s, act_open_later, "readable/theirs"), 0);
}

TEST(with_capabilities)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "able", policy))
		return;
	kt_check("made", !make(&s));
	kt_result("by a worker", kt_inside(&s, act_open, "readable/theirs"), 0);
	kt_result("by the task", kt_inside(&s, act_open_later, "readable/theirs"), 0);
}
