// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * random_policy.c - the text of a random policy about the places of a world.
 */
#include "random_policy.h"

#include "random.h"

static const char *const words[] = {"read",   "write",	"write-only", "list",  "create",
				    "delete", "rename", "link",	      "chattr"};
static const char *const denied[] = {"read",   "write",	   "write-only", "list",
				     "create", "delete",   "rename",	 "link",
				     "chattr", "map-exec", "exec",	 "connect"};

/* Those that an access uses; without fork nothing can be executed, so it is rarer. */
static const char *const calls[] = {"truncate",	  "unlink",    "unlinkat", "rmdir",    "mkdir",
				    "mkdirat",	  "mknod",     "mknodat",  "symlink",  "link",
				    "linkat",	  "symlinkat", "rename",   "renameat", "chmod",
				    "chown",	  "fchmodat",  "fchownat", "lchown",   "socket",
				    "socketpair", "connect",   "sendto",   "sendmsg",  "sendmmsg",
				    "renameat2",  "kill",      "execve",   "execveat", "fork"};

#define SOCKETS (PLACE_STREAMS | PLACE_SENDS)

/* A list of one to `most` patterns under `key`. */
static void add_patterns(FILE *out, const struct world *world, const char *indent, const char *key,
			 unsigned int kinds, unsigned int most)
{
	unsigned int count = 1 + random_below(most);

	fprintf(out, "%s%s:\n", indent, key);
	while (count--) {
		fprintf(out, "%s  - ", indent);
		random_pattern(out, world, kinds);
		fputc('\n', out);
	}
}

static void add_network(FILE *out)
{
	unsigned int count = 1 + random_below(4);

	fputs("    network:\n      connect:\n", out);
	while (count--) {
		fputs("        - ", out);
		random_endpoint(out);
		fputc('\n', out);
	}
}

static void add_unix(FILE *out, const struct world *world)
{
	fputs("    unix:\n", out);
	add_patterns(out, world, "      ", "connect", SOCKETS, 2);
}

/* Words in the order of the table, each at most once. */
static void add_files(FILE *out, const struct world *world, unsigned int percent)
{
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		/* One word at least: an empty section is an error. */
		if (i && !random_percent(percent))
			continue;
		add_patterns(out, world, "      ", words[i], PLACE_NAMED, 2);
	}
}

static void add_deny_rule(FILE *out, const struct world *world, unsigned int kinds)
{
	if (random_percent(65)) {
		fputs("          - ", out);
		random_pattern(out, world, kinds);
		fputc('\n', out);
		return;
	}
	fputs("          - path: ", out);
	random_pattern(out, world, kinds);
	fputs("\n            except:\n              - ", out);
	random_pattern(out, world, kinds);
	if (random_percent(40)) {
		fputs("\n              - ", out);
		random_pattern(out, world, kinds);
	}
	fputc('\n', out);
}

static void add_denies(FILE *out, const struct world *world)
{
	bool any = false;
	size_t i;

	for (i = 0; i < sizeof(denied) / sizeof(denied[0]); i++) {
		bool socket = !strcmp(denied[i], "connect");
		unsigned int count = 1 + random_below(2);

		if (!random_percent(22))
			continue;
		fprintf(out, "%s        %s:\n", any ? "" : "      deny:\n", denied[i]);
		any = true;
		while (count--)
			add_deny_rule(out, world, socket ? SOCKETS : PLACE_NAMED);
	}
}

static void add_calls(FILE *out)
{
	size_t first = random_below(sizeof(calls) / sizeof(calls[0])), i;
	unsigned int count = 1 + random_below(3);

	fputs("    syscalls:\n      deny:\n", out);
	for (i = 0; i < count; i++)
		fprintf(out, "        - %s\n",
			calls[(first + 7 * i) % (sizeof(calls) / sizeof(calls[0]))]);
}

static void add_tool(FILE *out, const struct world *world, unsigned int number)
{
	bool runs = random_percent(65);

	fprintf(out, "  t%u:\n", number);
	if (random_percent(25))
		fputs("    shared: true\n", out);
	if (runs)
		add_patterns(out, world, "    ", "exec", PLACE_RUNS, 2);
	/* One rule at least. */
	if (!runs || random_percent(50))
		add_unix(out, world);
	if (random_percent(70))
		add_network(out);
	if (random_percent(50)) {
		fputs("    files:\n", out);
		add_files(out, world, 12);
	}
}

/* Everything in a section by one rule, which tools and denies then take parts out of. */
static void add_wide(FILE *out)
{
	fprintf(out, "    exec:\n      - '%s/**'\n", random_percent(50) ? "" : "{DIR}");
	if (random_percent(70))
		fputs("    unix:\n      connect:\n        - '/**'\n        - '@*'\n", out);
	if (random_percent(70))
		fputs("    network:\n      connect:\n        - 'tcp:*:*'\n        - 'udp:*:*'\n",
		      out);
}

static void add_narrow(FILE *out, const struct world *world)
{
	if (random_percent(50))
		add_patterns(out, world, "    ", "exec", PLACE_RUNS, 2);
	if (random_percent(70))
		add_unix(out, world);
	if (random_percent(70))
		add_network(out);
}

/* What may be mapped, but not started. */
static void add_map(FILE *out, const struct world *world)
{
	if (random_percent(50))
		fputs("      map-exec:\n        - '{DIR}/**'\n", out);
	else if (random_percent(50))
		add_patterns(out, world, "      ", "map-exec", PLACE_RUNS | PLACE_DIRECTORY, 2);
}

/* Names come and go everywhere, so that what stops them is their rights. */
static void add_names(FILE *out, const struct world *world)
{
	static const char *const moves[] = {"create", "delete", "rename", "link"};
	size_t i;

	for (i = 0; i < sizeof(moves) / sizeof(moves[0]); i++)
		fprintf(out, "      %s:\n        - '{DIR}/**'\n", moves[i]);
	add_patterns(out, world, "      ", "read", PLACE_NAMED, 3);
	add_patterns(out, world, "      ", "chattr", PLACE_NAMED, 1);
	add_patterns(out, world, "      ", "write", PLACE_NAMED, 2);
}

static void add_set(FILE *out, const struct world *world, const char *name, unsigned int tools)
{
	unsigned int first = random_below(tools + 1), i;

	fprintf(out, "  %s:\n", name);
	if (first < tools)
		fputs("    tools:\n", out);
	for (i = first; i < tools; i += 2)
		fprintf(out, "      - t%u\n", i);
	fputs("    files:\n", out);
	switch (random_below(5)) {
	case 0:
	case 1:
		fputs("      write:\n        - '{DIR}/**'\n", out);
		break;
	case 2:
	case 3:
		add_names(out, world);
		break;
	default:
		add_files(out, world, 35);
	}
	add_map(out, world);
	if (random_percent(80))
		add_denies(out, world);
	if (random_percent(50))
		add_wide(out);
	else
		add_narrow(out, world);
	if (random_percent(60))
		add_calls(out);
}

char *random_policy(const struct world *world)
{
	unsigned int tools = 2 + random_below(3), i;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	fputs("tools:\n", out);
	for (i = 0; i < tools; i++)
		add_tool(out, world, i);
	fputs("sets:\n", out);
	/* The rules of a set that is not held have no say. */
	if (random_percent(30))
		add_set(out, world, "other", tools);
	add_set(out, world, RANDOM_POLICY_SET, tools);
	fclose(out);
	return text;
}
