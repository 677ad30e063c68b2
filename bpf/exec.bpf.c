// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * exec.bpf.c - programs.
 *
 *   bprm_check_security	exec, of the program and again of a script's interpreter
 *   bprm_creds_from_file	no set-user-ID, no set-group-ID
 *
 * The file is judged, never bprm->filename, which is the caller's string. An unlinked or
 * nameless file is not executed whatever its name was.
 */

static __noinline int body_bprm_check(struct linux_binprm *bprm, __u8 flags)
{
	struct file *file = bprm->file;
	struct dentry *dentry = file->f_path.dentry;

	HOOK_BEGIN(actor, BPRM_CHECK_SECURITY);
	actor.flags = flags;
	if (!reason)
		reason = judge_path(&actor, dentry, file->f_path.mnt, WARDER_EXEC);
	/* Memory was judged as such: it has no name that could have been taken away. */
	if (!reason && actor.task->event.object != WARDER_OBJECT_SURFACE &&
	    (is_unlinked(dentry) || !file->f_inode->i_nlink)) {
		actor.task->event.missing = WARDER_EXEC;
		reason = WARDER_REASON_UNFINISHED;
	}
	return actor_end(&actor, reason, -EACCES);
}

SEC("lsm/bprm_check_security")
int BPF_PROG(hook_bprm_check_security, struct linux_binprm *bprm)
{
	return body_bprm_check(bprm, 0);
}

SEC("lsm_cgroup/bprm_check_security")
int BPF_PROG(twin_bprm_check_security, struct linux_binprm *bprm)
{
	return twin_return(body_bprm_check(bprm, WARDER_EVENT_SECOND_NET));
}

/*
 * The program's file makes it run as another user or group. The launcher's no_new_privs leaves
 * that out; a task that came to its cgroup in another way has not got it. The new
 * credentials are complete here, and exec can still fail.
 */
static __always_inline int changes_user(struct linux_binprm *bprm)
{
	struct task_struct *self = bpf_get_current_task_btf();
	const struct cred *old = self->cred, *new = bprm->cred;

	return old->euid.val != new->euid.val || old->egid.val != new->egid.val;
}

SEC("lsm/bprm_creds_from_file")
int BPF_PROG(hook_bprm_creds_from_file, struct linux_binprm *bprm)
{
	if (!changes_user(bprm))
		return 0;
	HOOK_BEGIN(actor, BPRM_CREDS_FROM_FILE);
	if (!reason) {
		actor.task->event.object = WARDER_OBJECT_NAMED;
		__builtin_memcpy(actor.task->text, "program of another user or group", 32);
		actor.task->event.text_length = 32;
	}
	return surface_end(&actor, reason);
}
