// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * policies.c - the policies that compiling is measured with; the same in every run.
 */
#include "tools/bench/policies.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

static const char head[] = "version: 1\npolicy: bench\nmodel: agent-in-sandbox\n";

static const char *const private_names[] = {
	".git",	   ".ssh",	   ".aws",    ".gnupg", ".kube",       ".docker",	  "secrets",
	"private", "node_modules", ".config", ".cache", "credentials", ".password-store", "keys",
	"backup",
};

/* --- numbers and templates --- */

static uint64_t seed;

/* splitmix64: the same everywhere. */
static unsigned int any(unsigned int below)
{
	uint64_t x = seed += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return (unsigned int)((x ^ x >> 31) >> 33) % below;
}

static void fill(FILE *out, const char *template, unsigned int number)
{
	int i;

	for (; *template; template ++) {
		if (*template == '@')
			fputc('a' + (int)any(26), out);
		else if (*template == '#')
			fprintf(out, "%u", number);
		else if (*template == '%')
			for (i = 0; i < 4; i++)
				fputc('a' + (int)any(26), out);
		else
			fputc(*template, out);
	}
}

static void begin(FILE *out)
{
	seed = 1;
	fputs(head, out);
}

static void fill_list(FILE *out, const char *indent, const struct bench_policy *policy)
{
	unsigned int i;

	for (i = 0; i < policy->count; i++) {
		fprintf(out, "%s- '", indent);
		fill(out, policy->template, i);
		fputs("'\n", out);
	}
}

static void deny_private(FILE *out)
{
	size_t i;

	fputs("      deny:\n        read:\n", out);
	for (i = 0; i < sizeof(private_names) / sizeof(private_names[0]); i++)
		fprintf(out, "        - '**/%s/**'\n", private_names[i]);
}

/* --- paths --- */

/* As tenants of a store are called: eight hexadecimal digits, a kind, a number. */
static void write_directory(char *out, size_t size, unsigned int number)
{
	static const char *const kinds[] = {"project", "archive", "dataset", "tenant"};

	snprintf(out, size, "/srv/data/%08x/%s-%u", number * 2654435761u, kinds[number * 7 / 3 % 4],
		 number);
}

void bench_directories(FILE *out, const struct bench_policy *policy)
{
	char path[128];
	unsigned int i;

	begin(out);
	fputs("sets:\n  a:\n    files:\n", out);
	if (policy->template)
		deny_private(out);
	fputs("      read:\n", out);
	for (i = 0; i < policy->count; i++) {
		write_directory(path, sizeof(path), i);
		fprintf(out, "        - %s/**\n", path);
	}
}

int bench_make_directories(const char *root, unsigned int count)
{
	char path[512], *slash;
	size_t used;
	unsigned int i;

	for (i = 0; i < count; i++) {
		used = (size_t)snprintf(path, sizeof(path), "%s", root);
		write_directory(path + used, sizeof(path) - used, i);
		for (slash = path + used; slash;) {
			slash = strchr(slash + 1, '/');
			if (slash)
				*slash = 0;
			if (mkdir(path, 0755) < 0 && errno != EEXIST)
				return -errno;
			if (slash)
				*slash = '/';
		}
	}
	return 0;
}

void bench_usual(FILE *out, const struct bench_policy *policy)
{
	begin(out);
	fputs("sets:\n  a:\n    files:\n      read: [/usr/lib/**, /usr/share/**, /etc/**, "
	      "/srv/agent/**, /srv/data/**, /var/lib/app/**,\n        /opt/tool/**, "
	      "/home/agent/**, /tmp/**, /var/tmp/**, /run/app/**, /dev/shm/**]\n",
	      out);
	deny_private(out);
}

void bench_sets(FILE *out, const struct bench_policy *policy)
{
	unsigned int i;

	begin(out);
	fputs("sets:\n", out);
	for (i = 0; i < policy->count; i++)
		fprintf(out,
			"  s%u:\n    include: [base, python]\n    exec: [/usr/bin/**]\n"
			"    files:\n      read: [/srv/%u/**]\n"
			"      deny: { read: ['**/.env', '**/.ssh/**', '**/.git/**'] }\n",
			i, i);
}

void bench_allows(FILE *out, const struct bench_policy *policy)
{
	begin(out);
	fputs("sets:\n  a:\n    files:\n      read:\n", out);
	fill_list(out, "      ", policy);
}

void bench_denies(FILE *out, const struct bench_policy *policy)
{
	begin(out);
	fputs("sets:\n  a:\n    files:\n      read: [/srv/**]\n      deny:\n        read:\n", out);
	fill_list(out, "        ", policy);
}

void bench_crossing(FILE *out, const struct bench_policy *policy)
{
	begin(out);
	fputs("sets:\n  a:\n    files:\n      read:\n", out);
	fill_list(out, "      ", policy);
	fputs("      deny:\n        write:\n", out);
	fill_list(out, "        ", policy);
}

void bench_exceptions(FILE *out, const struct bench_policy *policy)
{
	begin(out);
	fputs("sets:\n  a:\n    files:\n      read: [/srv/**]\n"
	      "      deny:\n        read:\n        - path: /**\n          except:\n",
	      out);
	fill_list(out, "          ", policy);
}

void bench_excepting(FILE *out, const struct bench_policy *policy)
{
	unsigned int i;

	begin(out);
	fputs("sets:\n  a:\n    files:\n      read: [/srv/**]\n      deny:\n        read:\n", out);
	for (i = 0; i < policy->count; i++) {
		fputs("        - { path: '", out);
		fill(out, policy->template, i);
		fputs("', except: ['", out);
		fill(out, policy->template, i);
		fputs("/**', '", out);
		fill(out, "/srv/@*@/**", i);
		fputs("'] }\n", out);
	}
}

void bench_keys(FILE *out, const struct bench_policy *policy)
{
	unsigned int i;

	begin(out);
	fputs("sets:\n", out);
	for (i = 0; i < policy->count; i++) {
		fprintf(out, "  s%u:\n    files:\n      read: [/srv/**]\n      deny: { read: ['",
			i);
		fill(out, policy->template, i);
		fputs("'] }\n", out);
	}
}

/* --- addresses --- */

static void write_address(FILE *out, unsigned int number)
{
	fprintf(out, "10.%u.%u.%u", number >> 16 & 255, number >> 8 & 255, number & 255);
}

/* In the template, # is a host of its own, and @ every other port. */
static void write_endpoint(FILE *out, const char *template, unsigned int number)
{
	for (; *template; template ++) {
		if (*template == '#')
			write_address(out, 2 * number);
		else if (*template == '@')
			fprintf(out, "%u", 2 * number % 65535 + 1);
		else
			fputc(*template, out);
	}
}

void bench_endpoints(FILE *out, const struct bench_policy *policy)
{
	unsigned int i;

	begin(out);
	fputs("sets:\n  a:\n    network:\n      connect:\n", out);
	for (i = 0; i < policy->count; i++) {
		fputs("      - '", out);
		write_endpoint(out, policy->template, i);
		fputs("'\n", out);
	}
}

void bench_ports(FILE *out, const struct bench_policy *policy)
{
	unsigned int i, k;

	begin(out);
	fputs("sets:\n  a:\n    network:\n      connect:\n", out);
	for (i = 0; i < policy->count; i++) {
		fputs("      - '", out);
		write_endpoint(out, policy->template, i);
		for (k = 0; k < 32; k++)
			fprintf(out, "%c%u", k ? ',' : ':', (i * 32 + k) % 65535 + 1);
		/* One host beside the many: the pieces differ. */
		fputs("'\n      - 'udp:", out);
		write_address(out, 2 * i);
		fputs(":53'\n", out);
	}
}
