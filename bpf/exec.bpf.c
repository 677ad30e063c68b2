// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * exec.bpf.c - programs.
 *
 *   bprm_check_security	exec, of the program and again of a script's interpreter
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
