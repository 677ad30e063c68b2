// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * worker.c - a process that does accesses one after the other.
 */
#include "worker.h"

#include <poll.h>

#define ANSWER_MILLISECONDS 20000

static int work(const void *argument)
{
	const struct worker *worker = argument;
	const struct access *access = kt_shared();
	char order;
	int result;

	close(worker->orders[1]);
	close(worker->answers[0]);
	if (chdir(worker->dir) < 0)
		return -errno;
	while (read(worker->orders[0], &order, 1) == 1 && order == 'd') {
		result = access->type->perform(access);
		if (write(worker->answers[1], &result, sizeof(result)) != sizeof(result))
			return -errno;
	}
	return 0;
}

bool worker_start(struct worker *worker, struct kt_subject *s, const char *dir)
{
	worker->dir = dir;
	if (pipe2(worker->orders, O_CLOEXEC) < 0 || pipe2(worker->answers, O_CLOEXEC) < 0)
		abort();
	if (!kt_start(&worker->child, s, work, worker))
		return false;
	close(TAKE_FD(worker->orders[0]));
	close(TAKE_FD(worker->answers[1]));
	return true;
}

int worker_do(struct worker *worker, const struct access *access)
{
	struct pollfd answer = {.fd = worker->answers[0], .events = POLLIN};
	int result;

	memcpy(kt_shared(), access, sizeof(*access));
	if (write(worker->orders[1], "d", 1) != 1 || poll(&answer, 1, ANSWER_MILLISECONDS) != 1 ||
	    read(worker->answers[0], &result, sizeof(result)) != sizeof(result))
		return KT_HUNG;
	return result;
}

void worker_stop(struct worker *worker)
{
	if (!worker->dir)
		return;
	if (write(worker->orders[1], "q", 1) == 1)
		kt_wait(&worker->child);
	close(TAKE_FD(worker->orders[1]));
	close(TAKE_FD(worker->answers[0]));
}
