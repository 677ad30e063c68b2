// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * warder.bpf.c - the one object: maps, and the hooks by the class of what they judge.
 */
#include "kernel.bpf.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "maps.bpf.h"

/* GPL: the LSM helpers are GPL-only; the source is dual-licensed, see LICENSE. */
char LICENSE[] SEC("license") = "GPL";
