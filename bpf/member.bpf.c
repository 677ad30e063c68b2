// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * member.bpf.c - lists the living tasks that carry a label. Judges nothing.
 *
 * Living: it may run a line of its program again. A task on its way out (PF_EXITING) never
 * does, nor does a zombie, and so neither can keep a subject for ever. The leader of a
 * process is listed until the last of its threads is on its way out: a thread that calls
 * exec takes over the number of a leader that is gone, and so could pass from before the
 * place that is being listed to behind it, unseen.
 */

/*
 * The layout of an image's pages, for bpftool: the compiler describes no type that only
 * pointers name. It stands here because this program judges nothing.
 */
static __always_inline void describe_pages(void)
{
	asm volatile("" : : "r"((__u64)bpf_core_type_id_local(union warder_page)));
}

SEC("iter/task")
int list_members(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct warder_member member = {};
	struct warder_task *record;

	describe_pages();
	/* NULL: the end of the list. Without any storage there is no label. */
	if (!task || !task->bpf_storage)
		return 0;
	if ((task->flags & PF_EXITING) &&
	    (task->pid != task->tgid || task->signal->live.counter <= 0))
		return 0;
	record = task_record(task, 0);
	if (!record || !record->binding)
		return 0;
	member.binding = record->binding;
	member.start_time = task->group_leader->start_boottime;
	member.pid = task->tgid;
	member.tid = task->pid;
	/* Does not fit any more: the kernel shows this task again at the next read. */
	bpf_seq_write(ctx->meta->seq, &member, sizeof(member));
	return 0;
}
