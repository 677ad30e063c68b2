// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * supervise.c - wait for a command: forward signals, read its events.
 *
 * The command shares our session and process group, so what the terminal sends (^C, ^\,
 * ^Z, a resize) reaches it by itself: only what another process sent to us is passed on.
 * SIGTSTP is left alone: it stops both, and the shell's fg wakes both. What a command in the
 * background brings about by reading the terminal (SIGTTIN) or writing to it stops the command
 * only: one that ignores it would go on with nobody reading its events.
 */
#include "run/supervise.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
static const int ours_not[] = {SIGTTIN, SIGTTOU};

int warder_supervise_prepare(int *ret_signal_fd)
{
	sigset_t set, stops;
	size_t i;
	int fd;

	sigemptyset(&set);
	for (i = 0; i < sizeof(forwarded) / sizeof(forwarded[0]); i++)
		sigaddset(&set, forwarded[i]);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	sigemptyset(&stops);
	for (i = 0; i < sizeof(ours_not) / sizeof(ours_not[0]); i++)
		sigaddset(&stops, ours_not[i]);
	if (sigprocmask(SIG_BLOCK, &stops, NULL) < 0)
		return -errno;
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return -errno;
	*ret_signal_fd = fd;
	return 0;
}

static void forward_signals(const struct warder_child *child, int signal_fd)
{
	struct signalfd_siginfo info;

	while (read(signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_code != SI_KERNEL)
			kill(child->pid, info.ssi_signo);
	}
}

static int reap(const struct warder_child *child, int *ret_code, struct warder_error *reterr)
{
	int status;

	while (waitpid(child->pid, &status, 0) < 0) {
		if (errno != EINTR)
			return warder_error_set(reterr, -errno, "cannot wait for the command:");
	}
	*ret_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return 0;
}

int warder_supervise(const struct warder_child *child, int signal_fd, struct warder_ring *ring,
		     int *ret_code, struct warder_error *reterr)
{
	struct pollfd polled[] = {
		{.fd = child->pidfd, .events = POLLIN},
		{.fd = signal_fd, .events = POLLIN},
		{.fd = warder_ring_fd(ring), .events = POLLIN},
	};

	for (;;) {
		if (poll(polled, sizeof(polled) / sizeof(polled[0]), -1) < 0 && errno != EINTR)
			return warder_error_set(reterr, -errno, "cannot wait for the command:");
		if (polled[1].revents)
			forward_signals(child, signal_fd);
		if (polled[2].revents)
			warder_ring_drain(ring);
		if (polled[0].revents)
			return reap(child, ret_code, reterr);
	}
}
