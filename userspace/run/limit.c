// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * limit.c - `limits:` of a set, kept by the controllers of cgroup v2.
 *
 * A row a control file: what it says, and by which controller. All are read back: the kernel
 * rounds memory to pages, and what it took is what counts.
 */
#include "run/limit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "load/cgroup.h"

/* Of cpu.max: one CPU for a tenth of a second. */
#define CPU_PERIOD 100000u

#define ROWS_MAX 4

struct row {
	const char *file, *controller;
	char text[64]; /* as it is written, and as it is read back */
	bool optional; /* no such file where the kernel has no swap */
};

struct rows {
	struct row list[ROWS_MAX];
	size_t count;
};

static struct row *add(struct rows *rows, const char *file, const char *controller)
{
	struct row *row = &rows->list[rows->count++];

	row->file = file;
	row->controller = controller;
	return row;
}

static void find_rows(const struct warder_limits *limits, struct rows *rows)
{
	__u64 page = sysconf(_SC_PAGESIZE);
	struct row *row;

	if (limits->memory) {
		row = add(rows, "memory.max", "memory");
		snprintf(row->text, sizeof(row->text), "%llu", limits->memory / page * page);
		/* Else the limit would only say what is kept out of the swap. */
		row = add(rows, "memory.swap.max", "memory");
		snprintf(row->text, sizeof(row->text), "0");
		row->optional = true;
	}
	if (limits->pids) {
		row = add(rows, "pids.max", "pids");
		snprintf(row->text, sizeof(row->text), "%u", limits->pids);
	}
	if (limits->cpu) {
		row = add(rows, "cpu.max", "cpu");
		snprintf(row->text, sizeof(row->text), "%u %u", limits->cpu * (CPU_PERIOD / 100),
			 CPU_PERIOD);
	}
}

/* Is `word` one of those that blanks and line ends divide? */
static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	while (*text) {
		size_t next = strcspn(text, " \n");

		if (next == length && !strncmp(text, word, length))
			return true;
		text += next + (text[next] ? 1 : 0);
	}
	return false;
}

static int no_controller(const char *controller, struct warder_error *reterr)
{
	return warder_error_set(
		reterr, -EOPNOTSUPP,
		"limits.%s cannot be enforced: cgroup v2 has no controller \"%s\" here\n"
		"with systemd, boot with systemd.unified_cgroup_hierarchy=1 (in a hybrid layout "
		"version 1 has it)%s; or leave limits.%s out",
		controller, controller,
		strcmp(controller, "memory") ? "" : " and without cgroup_disable=memory",
		controller);
}

/* Have `directory` hand a controller down to the cgroups in it. */
static int hand_down(const char *directory, const char *controller, struct warder_error *reterr)
{
	_cleanup_free_ char *available = NULL, *enabled = NULL;
	char order[32];
	int error = warder_cgroup_read(directory, "cgroup.controllers", &available);

	if (!error)
		error = warder_cgroup_read(directory, "cgroup.subtree_control", &enabled);
	if (error < 0)
		return warder_error_set(reterr, error,
					"cannot read the controllers of \"%s\":", directory);
	if (!has_word(available, controller))
		return no_controller(controller, reterr);
	if (has_word(enabled, controller))
		return 0;
	snprintf(order, sizeof(order), "+%s", controller);
	error = warder_cgroup_write(directory, "cgroup.subtree_control", order);
	if (error < 0)
		return warder_error_set(
			reterr, -EOPNOTSUPP,
			"limits.%s cannot be enforced: \"%s\" cannot hand its controller down: %s\n"
			"processes in that very cgroup keep it from that: move them into one of "
			"their own",
			controller, directory, strerror(-error));
	return 0;
}

/* Swap without a way to limit it would make the limit another one. */
static int check_no_swap(struct warder_error *reterr)
{
	_cleanup_free_ char *swaps = NULL;
	const char *first;

	if (warder_file_read("/proc/swaps", &swaps, NULL) < 0)
		return 0; /* the kernel has none */
	first = strchr(swaps, '\n');
	if (!first || !first[1])
		return 0;
	return warder_error_set(
		reterr, -EOPNOTSUPP,
		"limits.memory cannot be enforced: the machine swaps, and this "
		"kernel does not limit it (boot with swapaccount=1, or `swapoff -a`)");
}

static int check_row(const char *cgroup, const struct row *row, struct warder_error *reterr)
{
	_cleanup_free_ char *text = NULL;
	int error = warder_cgroup_read(cgroup, row->file, &text);

	if (error == -ENOENT && row->optional)
		return check_no_swap(reterr);
	if (error < 0)
		return warder_error_set(reterr, error, "cannot read \"%s/%s\":", cgroup, row->file);
	text[strcspn(text, "\n")] = '\0';
	if (strcmp(text, row->text))
		return warder_error_set(reterr, -ESTALE,
					"\"%s/%s\" is %s and should be %s: limits.%s is not in "
					"force",
					cgroup, row->file, text, row->text, row->controller);
	return 0;
}

static int set_row(const char *cgroup, const struct row *row, struct warder_error *reterr)
{
	int error = warder_cgroup_write(cgroup, row->file, row->text);

	if (error < 0 && !(error == -ENOENT && row->optional))
		return warder_error_set(reterr, error, "cannot write \"%s/%s\":", cgroup,
					row->file);
	return check_row(cgroup, row, reterr);
}

int warder_limit_set(const char *root, const char *cgroup, const struct warder_limits *limits,
		     struct warder_error *reterr)
{
	_cleanup_free_ char *above = NULL;
	struct rows rows = {};
	size_t i;
	int error = 0;

	if (asprintf(&above, "%s/..", root) < 0)
		return -ENOMEM;
	find_rows(limits, &rows);
	/* First all that can be missing, then the limits: half of them are none. */
	for (i = 0; i < rows.count && !error; i++) {
		error = hand_down(above, rows.list[i].controller, reterr);
		if (!error)
			error = hand_down(root, rows.list[i].controller, reterr);
	}
	for (i = 0; i < rows.count && !error; i++)
		error = set_row(cgroup, &rows.list[i], reterr);
	return error;
}

int warder_limit_check(const char *cgroup, const struct warder_limits *limits,
		       struct warder_error *reterr)
{
	struct rows rows = {};
	size_t i;
	int error = 0;

	find_rows(limits, &rows);
	for (i = 0; i < rows.count && !error; i++)
		error = check_row(cgroup, &rows.list[i], reterr);
	return error;
}
