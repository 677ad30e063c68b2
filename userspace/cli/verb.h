/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * verb.h - the command line as a table: one row a verb, one file a verb.
 *
 * The table drives dispatch and help, and a test compares it with warder(8).
 *
 * X(name, "arguments", "what it does"), the function is verb_<name>
 */
#ifndef WARDER_CLI_VERB_H
#define WARDER_CLI_VERB_H

#define WARDER_VERBS(X)                                                                           \
	X(run, "--policy FILE [--set SET] -- COMMAND...", "run a command as a subject")           \
	X(check, "FILE...", "parse and compile policies; no root, no kernel")                     \
	X(explain, "POLICY|--live SUBJECT ACCESS",                                                \
	  "why an access is allowed or refused, and what would open it")                          \
	X(within, "A B", "is all that A may allowed by B, and if not, what is not")               \
	X(diff, "A B", "what only one of two policies or sets allows")                            \
	X(syscalls, "[SET] [-p FILE]",                                                            \
	  "every system call of this kernel, and which layer holds it")                           \
	X(seccomp, "[SET] -p FILE --oci", "the filter of a set, for a container runtime")         \
	X(init, "[STARTER] [--output FILE]", "write a policy to begin with, or list them")        \
	X(presets, "[NAME...]", "list the policies to include, or print some")                    \
	X(ps, "", "subjects: who runs, with which keys, for how long")                            \
	X(grant, "SUBJECT TOOL --for TIME --reason TEXT", "lend a tool to a subject")             \
	X(revoke, "SUBJECT TOOL --reason TEXT", "take a tool away")                               \
	X(kill, "SUBJECT... [--reason TEXT]", "end subjects, with all their processes")           \
	X(events, "[-f] [--subject SUBJECT]", "what was refused, and which granted key was used") \
	X(maps, "[--image POLICY]", "what the kernel holds, in words and for bpftool")            \
	X(doctor, "", "what this kernel can enforce, what is missing, and the fix")

/* Exit codes; `run` passes the command's own. */
enum warder_exit {
	WARDER_EXIT_OK = 0,
	WARDER_EXIT_FAILED = 1,
	WARDER_EXIT_USAGE = 2,
	WARDER_EXIT_REFUSED = 3, /* by a policy */
};

/* argv[0] is the verb. Returns the exit code. */
#define X(name, arguments, text) int verb_##name(int argc, char **argv);
WARDER_VERBS(X)
#undef X

#endif
