/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * maps.bpf.h - all state of the kernel side.
 *
 * tasks      label and scratch of a task; inherited at fork, sticky wherever it is moved
 * listeners  of a listening socket: who made it listen
 * gate       one element a bucket of cgroup ids: 0 means "no bound cgroup has such an id"
 * cgroups    cgroup id -> binding
 * subjects   slot -> map of one struct warder_subject, swapped whole
 * images     slot -> map of the pages of one image, frozen, swapped whole
 * rings      slot -> the subject's own event ring: a flood hides nobody else's events
 * stats      slot -> counters
 * totals     counters of the machine
 * state      what warder processes share; never read here
 *
 * No map is mmapable, none that holds policy is LRU, and nothing lives in .bss: a
 * global variable is a mapping that whoever holds a descriptor can write unseen.
 */
#ifndef WARDER_MAPS_BPF_H
#define WARDER_MAPS_BPF_H

#include <warder/event.h>
#include <warder/image.h>
#include <warder/subject.h>

/* An object by its name: kernel addresses, kept as numbers because programs pass them on. */
struct warder_object_name {
	__u64 dentry;
	__u64 mnt; /* struct vfsmount */
};

/* What a link or rename asks for: rights on either name, and that the new one widens nothing. */
struct warder_move {
	struct warder_object_name from, to;
	__u32 from_rights, to_rights;
	__u32 directory; /* one of them is a directory: all below moves along */
	__u32 exchange;
};

/* The mounts of one file system, gone through one by one. */
struct warder_aliases {
	__u64 dentry;
	__u64 sb;
	__u64 at;     /* the last mount, or its link in the list of the file system; 0: none yet */
	__u64 ns;     /* mount namespace of the task */
	__u64 counts; /* of path_counts, when it began */
	__u32 names;  /* mounts that gave the object a name */
	__u32 done;   /* all mounts have been gone through */
	__u32 tries;  /* how often it began anew because mounts changed */
	__u32 pad;
};

/*
 * Per task: who it is, and room to work. Scratch lives here and not per CPU: LSM
 * programs are preempted, and another task on this CPU would overwrite it in the
 * middle of a decision. One decision at a time runs in a task.
 */
struct warder_task {
	__u64 binding;			  /* 0: labelled with nothing (only scratch was needed) */
	__u64 magic;			  /* of the file system that the last walked object is on */
	struct warder_object_name object; /* what is being judged */
	struct warder_move move;
	__u64 peer; /* struct sock of the other end of a unix socket */
	/*
	 * The name whose creation was refused before the kernel knew whether it exists, and the
	 * system call: for the report only.
	 */
	__u64 early;
	__s32 early_call;
	__u32 doomed; /* if it does not exist, the process is to be killed for it */
	/* Who has a say about the running act: the label's subject first. */
	__u64 judges[WARDER_JUDGES_MAX];
	__u32 judge_count, judge_pad;
	/* Where the walk is: the next dentry, its mount, that mount's root and file system. */
	__u64 dentry, mount, root, here;
	__u32 depth;   /* components in `names` */
	__u32 foreign; /* the last walk passed /proc/PID of a process outside the subject */
	__u32 respelt; /* ... a name that the file system takes in other spellings, too */
	/* The image that names are fed to, found once for all of them. */
	__u32 image_slot;
	__u64 generation;
	__u32 filled;		       /* bytes of `text` that are to be fed to it */
	__u32 fed;		       /* and how many of them have been */
	__u64 names[WARDER_DEPTH_MAX]; /* kernel pointers to component names, leaf first */
	__u8 lengths[WARDER_DEPTH_MAX];
	/* Where the search for names without a mount is (alias.bpf.h). */
	struct warder_aliases aliases;
	struct warder_event event;
	char text[WARDER_TEXT_MAX + 256]; /* follows `event`: they leave as one record */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct warder_task);
} tasks SEC(".maps");

/* Who made a socket listen: its connections come when the current task is anybody. */
struct warder_listener {
	__u64 label, leaf; /* as in struct actor */
};

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct warder_listener);
} listeners SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, WARDER_GATE_SIZE);
	__type(key, __u32);
	__type(value, __u32);
} gate SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, WARDER_CGROUPS_MAX);
	__type(key, __u64);
	__type(value, struct warder_cgroup);
} cgroups SEC(".maps");

struct subject_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct warder_subject);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, WARDER_SUBJECTS_MAX);
	__type(key, __u32);
	__array(values, struct subject_map);
} subjects SEC(".maps");

struct image_map {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	/* Each image has its own number of pages; only then may the maps' sizes differ. */
	__uint(map_flags, BPF_F_INNER_MAP);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, union warder_page);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, WARDER_IMAGES_MAX);
	__type(key, __u32);
	__array(values, struct image_map);
} images SEC(".maps");

struct ring_map {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, WARDER_RING_SIZE);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, WARDER_SUBJECTS_MAX);
	__type(key, __u32);
	__array(values, struct ring_map);
} rings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, WARDER_SUBJECTS_MAX);
	__type(key, __u32);
	__type(value, struct warder_stats);
} stats SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, WARDER_TOTAL_COUNT);
	__type(key, __u32);
	__type(value, __u64);
} totals SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct warder_state);
} state SEC(".maps");

#endif
