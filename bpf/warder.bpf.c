// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * warder.bpf.c - the one object: the hooks, by the class of what they judge.
 *
 * One translation unit, because all of them share the walk and the judges below.
 */
#include "kernel.bpf.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_endian.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include <warder/hook.h>
#include <warder/member.h>
#include "judge.bpf.h"
#include "alias.bpf.h"
#include "twin.bpf.h"

#include "file.bpf.c"
#include "attribute.bpf.c"
#include "group.bpf.c"
#include "ioctl.bpf.c"
#include "exec.bpf.c"
#include "net.bpf.c"
#include "listen.bpf.c"
#include "second.bpf.c"
#include "process.bpf.c"
#include "member.bpf.c"
#include "kernel.bpf.c"
#include "guard.bpf.c"
#include "seccomp.bpf.c"

/* GPL: the LSM helpers are GPL-only; the source is dual-licensed, see LICENSE. */
char LICENSE[] SEC("license") = "GPL";
