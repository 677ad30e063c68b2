/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * report.bpf.h - what was decided goes to the subject's ring and counters.
 *
 * Nothing here can change a verdict: the caller has it already.
 */
#ifndef WARDER_REPORT_BPF_H
#define WARDER_REPORT_BPF_H

#include "path.bpf.h"

#define SECOND 1000000000ull

static __always_inline struct warder_stats *stats_of(__u64 binding)
{
	__u32 slot = WARDER_SLOT(binding);

	return bpf_map_lookup_elem(&stats, &slot);
}

static __always_inline __u32 name_length(const struct warder_task *t, __u32 k)
{
	return t->names[k] == NAME_SELF ? 4 : t->lengths[k];
}

/* Does component `k` still fit into the text? Counts it in text_length when it does. */
__noinline int report_fits(struct warder_task *t, __u32 k)
{
	__u32 total;

	if (!t)
		return 0;
	k &= WARDER_DEPTH_MAX - 1;
	total = t->event.text_length + name_length(t, k) + 1;
	if (total > WARDER_TEXT_MAX)
		return 0;
	t->event.text_length = total;
	return 1;
}

/* Append "/" and component `k`. Its own function, so that it is verified once. */
__noinline int report_component(struct warder_task *t, __u32 k)
{
	__u32 at, length;

	if (!t)
		return 0;
	k &= WARDER_DEPTH_MAX - 1;
	at = t->event.text_length & (WARDER_TEXT_MAX - 1);
	t->text[at] = '/';
	at++;
	length = name_length(t, k) & 255;
	if (t->names[k] == NAME_SELF)
		__builtin_memcpy(&t->text[at], "self", 4);
	else
		bpf_probe_read_kernel(&t->text[at], length, (void *)t->names[k]);
	t->event.text_length = at + length;
	return 0;
}

/* How many components, from the leaf up, fit. Its own function: the result is then any number. */
__noinline int report_fitting(struct warder_task *t)
{
	__u32 depth, i;

	if (!t)
		return 0;
	depth = t->depth;
	t->event.text_length = 0;
	for (i = 0; i < WARDER_DEPTH_MAX; i++) {
		if (i >= depth || !report_fits(t, i))
			break;
	}
	return i;
}

/* Write the collected names as text behind the event; the top of a long path is left out. */
__noinline int report_path(struct warder_task *t)
{
	__u32 fitting, i;

	if (!t)
		return 0;
	fitting = report_fitting(t);
	if (fitting < t->depth)
		t->event.flags |= WARDER_EVENT_TEXT_CUT;
	t->event.text_length = 0;
	for (i = 0; i < WARDER_DEPTH_MAX; i++) {
		if (i >= fitting)
			break;
		report_component(t, fitting - 1 - i);
	}
	if (!t->depth) {
		t->text[0] = '/';
		t->event.text_length = 1;
	}
	return 0;
}

/* May another event of this subject go out in the running second? */
static __always_inline int burst_ok(struct warder_stats *counters)
{
	__u64 now = bpf_ktime_get_boot_ns();

	if (now - counters->window_start >= SECOND) {
		counters->window_start = now;
		counters->window_count = 0;
	}
	if (counters->window_count >= WARDER_EVENT_BURST)
		return 0;
	counters->window_count++;
	return 1;
}

/* Fill what every event has in common. */
static __always_inline void event_fill(struct warder_event *event, __u64 binding)
{
	struct task_struct *self = bpf_get_current_task_btf();
	__u64 pid_tgid = bpf_get_current_pid_tgid(), uid_gid = bpf_get_current_uid_gid();
	struct pt_regs *regs = (void *)bpf_task_pt_regs(self);

	event->time = bpf_ktime_get_boot_ns();
	event->binding = binding;
	if (!event->judge)
		event->judge = binding;
	event->cgroup = cgroup_id_of(self);
	event->start_time = self->group_leader->start_boottime;
	event->pid = pid_tgid >> 32;
	event->tid = pid_tgid;
	event->uid = uid_gid;
	event->gid = uid_gid >> 32;
	event->syscall = regs->orig_ax;
	bpf_get_current_comm(event->comm, sizeof(event->comm));
	if (bpf_probe_read_kernel_str(
		    event->exe, sizeof(event->exe),
		    BPF_CORE_READ(self, mm, exe_file, f_path.dentry, d_name.name)) < 0)
		event->exe[0] = 0;
}

/*
 * Take back what was counted too early: a creation was refused, but the name existed, and the
 * open went on to be judged as what it is.
 */
static __always_inline void count_existed(struct warder_stats *counters,
					  const struct warder_event *event)
{
	if (event->flags & WARDER_EVENT_EXISTED)
		__sync_fetch_and_add(&counters->denied, -1);
}

/* Send t->event, which the judge has filled, as an event of `binding`. */
__noinline int report(struct warder_task *t, __u64 binding)
{
	struct warder_stats *counters = stats_of(binding);
	__u32 slot = WARDER_SLOT(binding), length;
	void *ring;

	if (!t || !counters)
		return 0;
	if (t->event.error)
		__sync_fetch_and_add(&counters->denied, 1);
	count_existed(counters, &t->event);
	if (!burst_ok(counters)) {
		__sync_fetch_and_add(&counters->suppressed, 1);
		return 0;
	}
	if (t->event.object == WARDER_OBJECT_PATH)
		report_path(t);
	event_fill(&t->event, binding);
	/* What only corrects an earlier event has no number: readers count the others. */
	t->event.sequence = 0;
	if (t->event.error || t->event.keys)
		t->event.sequence = __sync_fetch_and_add(&counters->sequence, 1) + 1;
	length = t->event.text_length;
	if (length > WARDER_TEXT_MAX)
		length = WARDER_TEXT_MAX;
	ring = bpf_map_lookup_elem(&rings, &slot);
	if (ring && !bpf_ringbuf_output(ring, &t->event, sizeof(t->event) + length, 0))
		__sync_fetch_and_add(&counters->events, 1);
	else
		__sync_fetch_and_add(&counters->dropped, 1);
	return 0;
}

/*
 * What is judged without a task's room to work: counted, and sent. `event` has the reason and the
 * object.
 */
static __always_inline void report_bare(__u64 binding, struct warder_event *event)
{
	struct warder_stats *counters = stats_of(binding);
	__u32 slot = WARDER_SLOT(binding);
	void *ring;

	if (!counters)
		return;
	if (event->error)
		__sync_fetch_and_add(&counters->denied, 1);
	if (!burst_ok(counters)) {
		__sync_fetch_and_add(&counters->suppressed, 1);
		return;
	}
	event->sequence = __sync_fetch_and_add(&counters->sequence, 1) + 1;
	event->time = bpf_ktime_get_boot_ns();
	event->binding = binding;
	if (!event->judge)
		event->judge = binding;
	if (!event->object)
		event->object = WARDER_OBJECT_ADDRESS;
	ring = bpf_map_lookup_elem(&rings, &slot);
	if (ring && !bpf_ringbuf_output(ring, event, sizeof(*event), 0))
		__sync_fetch_and_add(&counters->events, 1);
	else
		__sync_fetch_and_add(&counters->dropped, 1);
}

/* Count by cause; the totals of the machine where there is no subject to count for. */
static __always_inline void count_reason(__u64 binding, int reason)
{
	struct warder_stats *counters = stats_of(binding);

	if (reason == WARDER_REASON_GONE)
		total_add(WARDER_TOTAL_NO_SUBJECT);
	if (!counters)
		return;
	if (reason == WARDER_REASON_UNSTABLE)
		__sync_fetch_and_add(&counters->unstable, 1);
	else if (reason == WARDER_REASON_UNFINISHED || reason == WARDER_REASON_TOO_DEEP)
		__sync_fetch_and_add(&counters->unfinished, 1);
	else if (reason == WARDER_REASON_UNKNOWN || reason == WARDER_REASON_SPELLING ||
		 reason == WARDER_REASON_NO_MEMORY)
		__sync_fetch_and_add(&counters->unknown, 1);
}

#endif
