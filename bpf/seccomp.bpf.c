// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * seccomp.bpf.c - reports what the seccomp filters of a run have refused. Decides nothing.
 *
 *   audit_seccomp	the kernel logs an action of a filter that has the log flag
 *
 * It does not say whose filter: one that the program has put on top, with that flag, reports here,
 * too, and so only about itself.
 */

#define SECCOMP_RET_ACTION_FULL 0xffff0000u
#define SECCOMP_RET_ERRNO	0x00050000u
#define ENOSYS			38

SEC("fentry/audit_seccomp")
int BPF_PROG(tell_seccomp, unsigned long call, long signal, int code)
{
	struct task_struct *self = bpf_get_current_task_btf();
	struct warder_subject *subject;
	struct actor actor;
	__s32 number = call;

	if (((__u32)code & SECCOMP_RET_ACTION_FULL) != SECCOMP_RET_ERRNO)
		return 0;
	if (actor_find(&actor, WARDER_HOOK_SECCOMP) <= 0 || !actor_judges(&actor))
		return 0;
	event_begin(&actor.task->event, WARDER_HOOK_SECCOMP, 0);
	subject = subject_find(actor_binding(&actor));
	if (subject)
		actor.task->event.generation = subject->generation;
	actor.task->event.object = WARDER_OBJECT_SYSCALL;
	actor.task->event.number = number;
	actor.task->event.reason = WARDER_REASON_SYSCALL;
	actor.task->event.error = -EPERM;
	if ((self->thread_info.status & TS_COMPAT) || (number & X32_BIT))
		actor.task->event.reason = WARDER_REASON_FOREIGN_ABI;
	else if (number > (__s32)WARDER_SYSCALL_NEWEST && number < (__s32)WARDER_SYSCALLS_MAX)
		actor.task->event.error = -ENOSYS;
	/* A call that is not known yet is a question. */
	if (actor.task->event.error == -EPERM && refusal_kills(actor_binding(&actor), 0) &&
	    kill_current(actor_binding(&actor)))
		actor.task->event.flags |= WARDER_EVENT_KILLED;
	report(actor.task, actor_binding(&actor));
	return 0;
}
