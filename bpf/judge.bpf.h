/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * judge.bpf.h - the one way from a gathered access to a verdict and its report.
 *
 * Every hook: actor_begin (quick return, system call, ABI), gather, one judge_*, and
 * actor_end, which reports and turns the reason into the errno. Reasons are enum
 * warder_reason; 0 allows.
 */
#ifndef WARDER_JUDGE_BPF_H
#define WARDER_JUDGE_BPF_H

#include "report.bpf.h"

/* Reason 0 is GRANTED_KEY, which is an allow: so "reason != 0" is "refused". */
_Static_assert(WARDER_REASON_GRANTED_KEY == 0, "0 allows");

/* Zero the fields of the event that a judge sets, so that nothing of the last act shows. */
static __always_inline void event_begin(struct warder_event *event, __u8 hook, __u8 flags)
{
	event->judge = 0;
	event->generation = 0;
	event->keys = 0;
	event->address_hi = 0;
	event->address_lo = 0;
	event->rights = 0;
	event->missing = 0;
	event->error = 0;
	event->number = 0;
	event->signal = 0;
	event->family = 0;
	event->port = 0;
	event->proto = 0;
	event->socket_type = 0;
	event->hook = hook;
	event->reason = 0;
	event->object = WARDER_OBJECT_NONE;
	event->flags = flags;
	event->text_length = 0;
}

/* Is the subject one that is judged by an image? 0, or the reason for a refusal; -1: released. */
static __always_inline int subject_state(const struct warder_subject *subject)
{
	if (!subject)
		return WARDER_REASON_GONE;
	if (subject->flags & WARDER_SUBJECT_RELEASED)
		return -1;
	if (subject->flags & WARDER_SUBJECT_DENY_ALL)
		return WARDER_REASON_NOT_BOUND;
	return 0;
}

/* The system call that runs, against the masks of `binding`. */
__noinline int judge_syscall(struct warder_task *t, __u64 binding)
{
	struct task_struct *self = bpf_get_current_task_btf();
	struct pt_regs *regs = (void *)bpf_task_pt_regs(self);
	struct warder_subject *subject = subject_find(binding);
	const union warder_page *first;
	int state = subject_state(subject);
	__s32 number = regs->orig_ax; /* the upper half is the caller's noise */

	if (!t || !subject)
		return WARDER_REASON_GONE;
	if (state)
		return state < 0 ? 0 : state;
	if (!image_find(subject, &first))
		return WARDER_REASON_GONE;
	t->event.generation = subject->generation;
	if (number >= 0 && ((self->thread_info.status & TS_COMPAT) || (number & X32_BIT))) {
		t->event.object = WARDER_OBJECT_SYSCALL;
		t->event.number = number;
		return WARDER_REASON_FOREIGN_ABI;
	}
	/* Not in a system call (a fault, an exit): there is none to deny. */
	if (number < 0)
		return 0;
	/*
	 * While it maps the new program the kernel pretends that it was execve, also when it was
	 * execveat. The true number was judged when the file was opened to be executed.
	 */
	if (t->event.hook == WARDER_HOOK_MMAP_FILE && BPF_CORE_READ_BITFIELD(self, in_execve))
		return 0;
	if (!warder_decide_syscall(&first->head, number, keys_held(subject))) {
		t->event.object = WARDER_OBJECT_SYSCALL;
		t->event.number = number;
		return WARDER_REASON_SYSCALL;
	}
	return 0;
}

/*
 * A granted key was needed. The bits are of one policy, so only one judge can be told of: the
 * first that needed one.
 */
static __always_inline void used_keys(struct warder_task *t, const struct warder_subject *subject,
				      __u64 keys)
{
	if (!keys || (t->event.judge && t->event.judge != subject->binding))
		return;
	t->event.judge = subject->binding;
	t->event.generation = subject->generation;
	t->event.keys |= keys;
}

/*
 * A part of the kernel's surface, for one binding. The keys that a grant was needed of are added:
 * of a second part of one act as well.
 */
__noinline int judge_surface(struct warder_task *t, __u64 binding, __u32 surface)
{
	struct warder_subject *subject = subject_find(binding);
	const union warder_page *first;
	int state = subject_state(subject);
	__u64 denied = 0, keys = 0;

	if (!t || !subject)
		return WARDER_REASON_GONE;
	if (state)
		return state < 0 ? 0 : state;
	if (!image_find(subject, &first))
		return WARDER_REASON_GONE;
	t->event.object = WARDER_OBJECT_SURFACE;
	t->event.number = surface;
	if (warder_decide_surface(&first->head, surface, keys_held(subject), subject->base, &denied,
				  &keys)) {
		used_keys(t, subject, keys);
		return 0;
	}
	t->event.keys = denied;
	return denied ? WARDER_REASON_DENY_RULE : WARDER_REASON_SURFACE;
}

/* A capability, for one binding. */
__noinline int judge_capability(struct warder_task *t, __u64 binding, __u32 number)
{
	struct warder_subject *subject = subject_find(binding);
	const union warder_page *first;
	int state = subject_state(subject);

	if (!t || !subject)
		return WARDER_REASON_GONE;
	if (state)
		return state < 0 ? 0 : state;
	if (!image_find(subject, &first))
		return WARDER_REASON_GONE;
	t->event.object = WARDER_OBJECT_CAP;
	t->event.number = number;
	return warder_decide_capability(&first->head, number, keys_held(subject))
		       ? 0
		       : WARDER_REASON_SURFACE;
}

/*
 * The image of this generation, in which a state was reached, when the subject is judged by the
 * same one still: a state means nothing to another. NULL: it is gone.
 */
static __always_inline void *image_of_state(struct warder_subject *subject, __u64 generation,
					    const union warder_page **ret_first)
{
	if (!subject || subject->generation != generation)
		return NULL;
	return image_find(subject, ret_first);
}

/* Rights of the automaton state `at`, which was reached in the image that `t` names. */
__noinline int judge_state(struct warder_task *t, __u64 binding, __u32 at, __u32 rights)
{
	struct warder_subject *subject = subject_find(binding);
	const union warder_page *first;
	const struct warder_row *row;
	__u64 denied = 0, keys = 0;
	__u32 missing;
	void *image;

	if (!t)
		return WARDER_REASON_GONE;
	image = image_of_state(subject, t->generation, &first);
	if (!image)
		return WARDER_REASON_GONE;
	row = warder_row_from(image, first, warder_row_number(image, at));
	if (!row)
		return WARDER_REASON_GONE;
	missing = warder_decide_row(row, rights, keys_held(subject), subject->base, &denied, &keys);
	t->event.rights = rights;
	if (!missing) {
		used_keys(t, subject, keys);
		return 0;
	}
	t->event.missing = missing;
	t->event.keys = denied;
	return denied ? WARDER_REASON_DENY_RULE : WARDER_REASON_NO_RULE;
}

/* May what is in state `from` take the name in state `to`? Both of the image of `generation`. */
__noinline int judge_move(__u64 binding, __u64 generation, __u64 states, int directory)
{
	struct warder_subject *subject = subject_find(binding);
	const union warder_page *first;
	void *image;

	image = image_of_state(subject, generation, &first);
	if (!image)
		return WARDER_REASON_GONE;
	return warder_decide_move(image, states >> 32, (__u32)states, keys_held(subject), directory)
		       ? 0
		       : WARDER_REASON_WIDEN;
}

/*
 * May a directory in the automaton state `at` leave its name? Not when something below, that
 * would leave its own with it, may not. `at` was reached in the image that `t` names.
 */
__noinline int judge_nailed(struct warder_task *t, __u64 binding, __u32 at)
{
	struct warder_subject *subject = subject_find(binding);
	const union warder_page *first;
	__u64 denied;
	void *image;

	if (!t)
		return WARDER_REASON_GONE;
	image = image_of_state(subject, t->generation, &first);
	if (!image)
		return WARDER_REASON_GONE;
	denied = warder_decide_nailed(image, at, keys_held(subject));
	if (!denied)
		return 0;
	t->event.missing = WARDER_RENAME;
	t->event.keys = denied;
	return WARDER_REASON_DENY_BELOW;
}

static __always_inline int path_reason(int result)
{
	switch (result) {
	case PATH_UNFINISHED:
		return WARDER_REASON_UNFINISHED;
	case PATH_TOO_DEEP:
		return WARDER_REASON_TOO_DEEP;
	case PATH_UNSTABLE:
		return WARDER_REASON_UNSTABLE;
	case PATH_GONE:
		return WARDER_REASON_GONE;
	case PATH_SPELLING:
		return WARDER_REASON_SPELLING;
	case PATH_FOREIGN:
		return WARDER_REASON_NOT_MEMBER;
	default:
		return WARDER_REASON_UNKNOWN;
	}
}

/* Files that hold the enforcer, or the cgroup tree: no rule opens these. */
static __always_inline int path_is_guarded(__u64 magic, __u32 rights)
{
	if (magic == BPF_FS_MAGIC)
		return 1;
	return (magic == CGROUP2_SUPER_MAGIC || magic == CGROUP_SUPER_MAGIC) &&
	       (rights & ~(WARDER_READ | WARDER_LIST | WARDER_STAT));
}

/* Memory that is executed: a file that no path rule can be about. */
static __always_inline int judge_memory_exec(struct warder_task *t, __u64 binding)
{
	int reason = judge_surface(t, binding, WARDER_SURFACE_MEMFD_EXEC);

	if (reason) {
		__builtin_memcpy(t->text, "memfd", 5);
		t->event.text_length = 5;
	}
	return reason;
}

/*
 * A file without a path: a pipe is its holders' own; a memfd too, but is never executed;
 * everything else is refused, because whose it is cannot be told here.
 */
static __always_inline int judge_nameless(struct warder_task *t, __u64 binding, __u32 rights)
{
	int memory = t->magic == TMPFS_MAGIC || t->magic == HUGETLBFS_MAGIC;

	if (t->magic == MQUEUE_MAGIC && !(rights & (WARDER_EXEC | WARDER_MAP_EXEC)))
		return judge_surface(t, binding, WARDER_SURFACE_POSIX_MQUEUE);
	if (memory && (rights & (WARDER_EXEC | WARDER_MAP_EXEC)))
		return judge_memory_exec(t, binding);
	t->event.object = WARDER_OBJECT_NAMED;
	t->event.rights = rights;
	if (t->magic == PIPEFS_MAGIC && !(rights & (WARDER_EXEC | WARDER_MAP_EXEC)))
		return 0;
	if (memory)
		return 0;
	/* Times and mode of a socket are nobody else's; whose it is was asked when it came in. */
	if (t->magic == SOCKFS_MAGIC && rights == WARDER_CHATTR)
		return 0;
	/* Made by an act that was judged; none of them comes in from elsewhere. */
	if (t->magic == ANON_INODE_FS_MAGIC && rights == WARDER_IOCTL)
		return 0;
	/* A pidfd is opened like a file from 6.9 on; what is done through it is judged then. */
	if (t->magic == PIDFS_MAGIC && t->event.hook == WARDER_HOOK_FILE_OPEN &&
	    !(rights & (WARDER_EXEC | WARDER_MAP_EXEC)))
		return 0;
	t->event.missing = rights;
	__builtin_memcpy(t->text, "file without a path", 19);
	t->event.text_length = 19;
	return WARDER_REASON_NO_RULE;
}

/*
 * Does the current task act under credentials that the kernel borrowed for it, as an overlay does?
 * A ring performs a request under those that its submitter had when it was handed in, which are
 * the subject's own, but not those of the task that performs it: who has rings never borrows. So
 * an overlay that has to copy a file up for it is refused.
 */
static __always_inline int credentials_are_borrowed(void)
{
	struct task_struct *self = bpf_get_current_task_btf();

	if (self->cred == self->real_cred || (self->flags & PF_IO_WORKER))
		return 0;
	return !bpf_core_field_exists(self->io_uring) || !self->io_uring;
}

/*
 * Is this the overlay opening its own layer, or setting its flags, on behalf of an act that
 * was judged? It does so under the mounter's credentials; a task by itself never reaches a private
 * mount.
 */
static __always_inline int layer_is_borrowed(const struct warder_task *t)
{
	struct task_struct *self = bpf_get_current_task_btf();

	return (t->event.hook == WARDER_HOOK_FILE_OPEN ||
		t->event.hook == WARDER_HOOK_FILE_IOCTL) &&
	       self->cred != self->real_cred;
}

/*
 * Rights on t->object, for one binding: walk, feed, judge. ret_state: the automaton state
 * (for moves). A layer below an overlay is left to the overlay's own open.
 */
static __always_inline int judge_object_state(struct warder_task *t, __u64 binding, __u32 rights,
					      __u32 *ret_state)
{
	int result, state = subject_state(subject_find(binding));

	*ret_state = 0;
	if (state)
		return state < 0 ? 0 : state;
	result = path_state(t, binding);
	t->event.object = WARDER_OBJECT_PATH;
	t->event.rights = rights;
	if (result == -PATH_LAYER) {
		t->event.missing = rights;
		return layer_is_borrowed(t) ? 0 : WARDER_REASON_UNKNOWN;
	}
	if (result == -PATH_NAMELESS)
		return judge_nameless(t, binding, rights);
	if (path_is_guarded(t->magic, rights)) {
		t->event.missing = rights;
		return WARDER_REASON_SURFACE;
	}
	if (result < 0) {
		t->event.missing = rights;
		/* What was collected is the end of a path whose begin nobody knows. */
		if (result != -PATH_FOREIGN && result != -PATH_SPELLING)
			t->event.flags |= WARDER_EVENT_TEXT_CUT;
		return path_reason(-result);
	}
	*ret_state = result;
	return judge_state(t, binding, result, rights);
}

__noinline int judge_object(struct warder_task *t, __u64 binding, __u32 rights)
{
	__u32 at;

	if (!t)
		return WARDER_REASON_NO_MEMORY;
	return judge_object_state(t, binding, rights, &at);
}

/* `binding` refused. What was noted of judges that allowed before is none of this event. */
__noinline int judge_refused(struct warder_task *t, __u64 binding, int reason)
{
	struct warder_subject *subject = subject_find(binding);

	if (!t)
		return 0;
	if (reason != WARDER_REASON_DENY_RULE && reason != WARDER_REASON_DENY_BELOW)
		t->event.keys = 0;
	t->event.judge = binding;
	t->event.generation = subject ? subject->generation : 0;
	return 0;
}

/*
 * Judge for the label and, where it differs, for the leaf cgroup, and for the subjects above
 * either. The first that refuses ends it.
 */
#define JUDGE_BOTH(actor, call)                                                 \
	({                                                                      \
		int reason_ = 0;                                                \
		__u32 at_;                                                      \
		for (at_ = 0; at_ < WARDER_JUDGES_MAX; at_++) {                 \
			__u64 binding = judge_at((actor)->task, at_);           \
			if (!binding)                                           \
				break;                                          \
			reason_ = (call);                                       \
			if (reason_) {                                          \
				judge_refused((actor)->task, binding, reason_); \
				break;                                          \
			}                                                       \
		}                                                               \
		reason_;                                                        \
	})

/* Whose event a refusal is: the label's, unless only a leaf is there. */
static __always_inline __u64 actor_binding(const struct actor *actor)
{
	return actor->task->judges[0];
}

/* The running system call: which open it was, of several. */
static __always_inline __s32 running_call(void)
{
	struct pt_regs *regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());

	return regs->orig_ax;
}

/* Does `binding`, or who refused, say `on-violation: kill`? */
__noinline int refusal_kills(__u64 binding, __u64 judge)
{
	struct warder_subject *own = subject_find(binding), *above = subject_find(judge);

	return (own && (own->flags & WARDER_SUBJECT_KILL)) ||
	       (above && (above->flags & WARDER_SUBJECT_KILL));
}

/* Kill the current process, for the subject `binding`. 1: it is on its way. */
__noinline int kill_current(__u64 binding)
{
	struct warder_stats *counters = stats_of(binding);

	if (bpf_send_signal(SIGKILL))
		return 0; /* it exits already; what it asked for is refused in any case */
	if (counters)
		__sync_fetch_and_add(&counters->killed, 1);
	return 1;
}

/*
 * The name that this process wanted to create did not exist, as another call has begun since
 * (or another creation of the same kind): what was refused was a violation.
 */
static __always_inline void doom_find(struct actor *actor, __u8 hook)
{
	struct warder_task *t = actor->task;

	if (hook != WARDER_HOOK_PATH_MKNOD && running_call() == t->early_call)
		return;
	t->doomed = 0;
	kill_current(actor_binding(actor));
}

/* Who has a say about what it does? 0: nobody, it was released. */
static __always_inline int actor_judges(struct actor *actor)
{
	actor->task->judge_count = 0;
	if (actor->label) {
		judges_of(actor->task, actor->label);
		/* Released by an operator, and nobody above it: nobody's any more. */
		if (!actor->task->judge_count)
			actor->label = 0;
	}
	if (actor->leaf)
		judges_of(actor->task, actor->leaf);
	return actor->task->judge_count;
}

/*
 * Begin a hook. 1: go on; 0: not ours, allow; -EACCES: no memory for the label.
 * The system call that runs is judged here, so every hook does; its refusal is left in
 * ret_reason.
 */
static __always_inline int actor_begin(struct actor *actor, __u8 hook, int *ret_reason)
{
	int found = actor_find(actor, hook);

	if (found <= 0)
		return found;
	if (!actor_judges(actor))
		return 0;
	if (actor->task->doomed)
		doom_find(actor, hook);
	event_begin(&actor->task->event, hook, 0);
	*ret_reason = JUDGE_BOTH(actor, judge_syscall(actor->task, binding));
	return 1;
}

/*
 * The act is refused; does it cost the process its life? A creation that may have been none
 * waits until that is known. The signal of a terminal or socket may be refused in the network's
 * own time, when anybody is the current task: nobody is killed for it. Nor for a module that the
 * kernel looks for by itself: to start a file of no known format is enough.
 */
static __always_inline void violation(struct actor *actor, __u64 binding)
{
	struct warder_task *t = actor->task;

	if (t->event.hook == WARDER_HOOK_FILE_SEND_SIGIOTASK ||
	    t->event.hook == WARDER_HOOK_KERNEL_MODULE_REQUEST ||
	    !refusal_kills(binding, t->event.judge))
		return;
	if (t->event.flags & WARDER_EVENT_IF_NEW)
		t->doomed = 1;
	else if (!kill_current(binding))
		return;
	t->event.flags |= WARDER_EVENT_KILLED;
}

/* End a hook: report, and the errno. `error` is the class's: -EACCES or -EPERM. */
static __always_inline int actor_end(struct actor *actor, int reason, int error)
{
	struct warder_task *t = actor->task;
	__u64 binding = actor_binding(actor);

	if (!reason && !t->event.keys && !(actor->flags & WARDER_EVENT_EXISTED))
		return 0;
	if (reason == WARDER_REASON_WIDEN || reason == WARDER_REASON_DENY_BELOW)
		error = -EXDEV;
	if (reason == WARDER_REASON_SYSCALL || reason == WARDER_REASON_FOREIGN_ABI)
		error = -EPERM;
	if (!reason)
		error = 0;
	t->event.reason = reason;
	t->event.error = error;
	t->event.flags |= actor->flags;
	if (reason)
		violation(actor, binding);
	/* A use of a granted key is reported once: by the first net. */
	if (reason || !(actor->flags & WARDER_EVENT_SECOND_NET))
		report(t, binding);
	count_reason(binding, reason);
	return error;
}

/*
 * Parameter `n` of the hook, where it may be a null pointer; `otherwise` when it cannot be
 * read. From about 6.6 on the verifier takes pointer parameters for non-null unless the
 * kernel marks them: it decides the branch that asks, and drops all behind the other one.
 * So the value is read as memory.
 */
static __always_inline __u64 parameter_value(const unsigned long long *ctx, int n, __u64 otherwise)
{
	__u64 value;

	return bpf_probe_read_kernel(&value, sizeof(value), &ctx[n]) ? otherwise : value;
}

/*
 * A hook begins: returns from it unless there is a subject to judge.
 *
 * No hook looks at what an earlier BPF program returned: the kernel stops at the first
 * refusal, so there is nothing to see, and the value's place in the context moves when a
 * hook gains a parameter (`bpf` did), where reading it returns something else.
 */
/* A last line without semicolon would be indented as if it stood outside the if. */
/* clang-format off */
#define HOOK_BEGIN(actor, name)                                                   \
	struct actor actor;                                                       \
	int reason = 0, begun = actor_begin(&actor, WARDER_HOOK_##name, &reason); \
	if (begun <= 0)                                                           \
		return begun
/* clang-format on */

/* A part of the kernel's surface: the verdict, and the end of the hook. */
static __always_inline int surface_judge(struct actor *actor, int reason, __u32 surface)
{
	if (!reason)
		reason = JUDGE_BOTH(actor, judge_surface(actor->task, binding, surface));
	return actor_end(actor, reason, -EPERM);
}

/* Refuse what no subject may do, with `object` filled by the caller. */
static __always_inline int surface_end(struct actor *actor, int reason)
{
	if (!reason)
		reason = WARDER_REASON_SURFACE;
	return actor_end(actor, reason, -EPERM);
}

#endif
