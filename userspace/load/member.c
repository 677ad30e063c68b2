// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * member.c - the living tasks that carry a subject's label, in whatever cgroup they are.
 *
 * The kernel walks the tasks in the order of their numbers, without stopping them. New
 * tasks get rising numbers and so lie ahead of the walk, but for the moment in which the
 * numbers wrap round: only two walks that find nothing mean that there is nothing.
 */
#include "load/member.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include <bpf/bpf.h>

#include "base/cleanup.h"
#include "base/vector.h"
#include "load/handle.h"
#include "load/kernel.h"

#define EMPTY_WALKS 2

struct members {
	struct warder_member *list;
	size_t count, capacity;
};

/* Until the end: a read may say EAGAIN after many tasks without a record. */
static int read_all(int fd, struct members *members)
{
	size_t have = 0;

	for (;;) {
		ssize_t got;

		if (!VECTOR_ROOM(members->list, have / sizeof(*members->list) + 1,
				 members->capacity))
			return -ENOMEM;
		got = read(fd, (char *)members->list + have,
			   members->capacity * sizeof(*members->list) - have);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		have += got;
	}
	if (have % sizeof(*members->list))
		return -EIO;
	members->count = have / sizeof(*members->list);
	return 0;
}

static int by_pid(const void *left, const void *right)
{
	const struct warder_member *a = left, *b = right;

	return a->pid < b->pid ? -1 : a->pid > b->pid;
}

/* Threads that were moved in one by one may differ in their labels. */
static int by_pid_and_binding(const void *left, const void *right)
{
	const struct warder_member *a = left, *b = right;
	int order = by_pid(left, right);

	return order ? order : a->binding < b->binding ? -1 : a->binding > b->binding;
}

/* Keep one task of each process of `binding`. */
static void keep_processes(struct members *members, __u64 binding)
{
	size_t kept = 0, i;

	if (members->count)
		qsort(members->list, members->count, sizeof(*members->list), by_pid_and_binding);
	for (i = 0; i < members->count; i++) {
		const struct warder_member *member = &members->list[i];

		if (binding && member->binding != binding)
			continue;
		if (kept && !by_pid_and_binding(&members->list[kept - 1], member))
			continue;
		members->list[kept++] = *member;
	}
	members->count = kept;
}

/* An iterator shows what the reader's pid namespace has, under the numbers of the first. */
static bool sees_all_tasks(void)
{
	char link[64];
	ssize_t length = readlink("/proc/self/ns/pid", link, sizeof(link) - 1);

	if (length < 0)
		return false;
	link[length] = '\0';
	return warder_kernel_is_first_pid_namespace(link);
}

int warder_member_list(const struct warder_session *session, __u64 binding,
		       struct warder_member **ret_list, size_t *ret_count)
{
	_cleanup_close_ int fd = -1;
	struct members members = {};
	int error;

	if (!sees_all_tasks())
		return -EXDEV;
	if (session->member_fd < 0)
		return -ENOENT;
	fd = bpf_iter_create(session->member_fd);
	if (fd < 0)
		return fd;
	error = read_all(fd, &members);
	if (error < 0) {
		free(members.list);
		return error;
	}
	keep_processes(&members, binding);
	*ret_list = members.list;
	*ret_count = members.count;
	return 0;
}

int warder_member_alive(const struct warder_session *session, __u64 binding,
			struct warder_member *ret_one)
{
	int walk;

	for (walk = 0; walk < EMPTY_WALKS; walk++) {
		_cleanup_free_ struct warder_member *list = NULL;
		size_t count = 0;
		int error = warder_member_list(session, binding, &list, &count);

		if (error < 0)
			return error;
		if (!count)
			continue;
		if (ret_one)
			*ret_one = list[0];
		return 1;
	}
	return 0;
}

static bool is_listed(const struct warder_member *wanted, const struct warder_member *list,
		      size_t count)
{
	const struct warder_member *found =
		count ? bsearch(wanted, list, count, sizeof(*list), by_pid) : NULL;

	return found && found->start_time == wanted->start_time;
}

static void close_all(int *fds, size_t count)
{
	while (count--)
		warder_cleanup_close(&fds[count]);
	free(fds);
}

/*
 * Signal what is in `list`. A number may pass to somebody else at any time, so each process
 * is opened first and listed again then: if it is still there, what was opened is it.
 */
static int kill_listed(const struct warder_session *session, __u64 binding,
		       const struct warder_member *list, size_t count)
{
	_cleanup_free_ struct warder_member *again = NULL;
	int *fds = calloc(count, sizeof(*fds));
	size_t again_count = 0, i;
	int error;

	if (!fds)
		return -ENOMEM;
	/* Without a descriptor now (-ESRCH, -EMFILE): the next round finds it again. */
	for (i = 0; i < count; i++)
		fds[i] = syscall(SYS_pidfd_open, list[i].pid, 0);
	error = warder_member_list(session, binding, &again, &again_count);
	for (i = 0; i < count && !error; i++) {
		if (fds[i] >= 0 && is_listed(&list[i], again, again_count))
			syscall(SYS_pidfd_send_signal, fds[i], SIGKILL, NULL, 0);
	}
	close_all(fds, count);
	return error;
}

/* One round: the number of processes that it found, or a negative errno. */
static int kill_round(const struct warder_session *session, __u64 binding, __u32 *ret_pid)
{
	_cleanup_free_ struct warder_member *list = NULL;
	size_t count = 0;
	int error = warder_member_list(session, binding, &list, &count);

	if (!error && count) {
		*ret_pid = list[0].pid;
		error = kill_listed(session, binding, list, count);
	}
	return error < 0 ? error : (int)count;
}

int warder_member_kill(const struct warder_session *session, __u64 binding,
		       unsigned int milliseconds, struct warder_error *reterr)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	unsigned int waited = 0, empty = 0;
	__u32 pid = 0;

	while (empty < EMPTY_WALKS) {
		int found = kill_round(session, binding, &pid);

		if (found < 0)
			return warder_error_set(
				reterr, found,
				"cannot tell which processes carry the subject's label:");
		empty = found ? 0 : empty + 1;
		if (!found)
			continue;
		if (waited >= milliseconds)
			return warder_error_set(reterr, -EBUSY,
						"%d of the subject's processes, %u among them, do "
						"not die (in an uninterruptible wait?)",
						found, pid);
		nanosleep(&pause, NULL);
		waited += 5;
	}
	return 0;
}
