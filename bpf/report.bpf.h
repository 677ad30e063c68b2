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

/* Write the collected names as text behind the event; the top of a long path is left out. */
__noinline int report_path(struct warder_task *t)
{
	__u32 depth, total = 0, skip = 0, at = 0, i;

	if (!t)
		return 0;
	depth = t->depth;
	for (i = 0; i < WARDER_DEPTH_MAX; i++) {
		__u32 length;

		if (i >= depth)
			break;
		length = t->names[i] == NAME_SELF ? 4 : t->lengths[i];
		if (total + length + 1 > WARDER_TEXT_MAX) {
			skip = depth - i;
			t->event.flags |= WARDER_EVENT_TEXT_CUT;
			break;
		}
		total += length + 1;
	}
	for (i = 0; i < WARDER_DEPTH_MAX; i++) {
		__u32 k, length;

		if (i >= depth)
			break;
		if (i < skip)
			continue;
		k = (depth - 1 - i) & (WARDER_DEPTH_MAX - 1);
		length = t->lengths[k];
		at &= WARDER_TEXT_MAX - 1;
		t->text[at] = '/';
		at++;
		if (t->names[k] == NAME_SELF) {
			t->text[at] = 's';
			t->text[at + 1] = 'e';
			t->text[at + 2] = 'l';
			t->text[at + 3] = 'f';
			length = 4;
		} else {
			length &= 255;
			bpf_probe_read_kernel(&t->text[at], length, (void *)t->names[k]);
		}
		at += length;
	}
	if (!at) {
		t->text[0] = '/';
		at = 1;
	}
	t->event.text_length = at;
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
	event->cgroup = cgroup_id_of(self);
	event->start_time = self->group_leader->start_boottime;
	event->pid = pid_tgid >> 32;
	event->tid = pid_tgid;
	event->uid = uid_gid;
	event->gid = uid_gid >> 32;
	event->syscall = regs->orig_ax;
	bpf_get_current_comm(event->comm, sizeof(event->comm));
	if (bpf_probe_read_kernel_str(event->exe, sizeof(event->exe),
				      BPF_CORE_READ(self, mm, exe_file, f_path.dentry,
						    d_name.name)) < 0)
		event->exe[0] = 0;
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
	if (!burst_ok(counters)) {
		__sync_fetch_and_add(&counters->suppressed, 1);
		return 0;
	}
	if (t->event.object == WARDER_OBJECT_PATH)
		report_path(t);
	event_fill(&t->event, binding);
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
	else if (reason == WARDER_REASON_UNKNOWN || reason == WARDER_REASON_NO_MEMORY)
		__sync_fetch_and_add(&counters->unknown, 1);
}

#endif
