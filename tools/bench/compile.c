// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * compile.c - what it takes to compile large and hostile policies, and whether that is in bounds.
 *
 * usage: build/bench/compile [--quick] [CASE...]
 *
 * Each policy is compiled in a process of its own: processor seconds, and the most memory it had.
 * A bound that is exceeded, or another outcome than the one that is expected, fails. --quick leaves
 * out the largest and gives three times the seconds, for machines that do other things, too.
 */
#include <errno.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "compile/automaton.h"
#include "compile/compile.h"
#include "compile/rows.h"
#include "tools/bench/policies.h"

/* How far. */
enum stage {
	AUTOMATON, /* text to rows: what an image can hold does not count */
	IMAGE,	   /* text to image */
	CHECK,	   /* `warder check`, in a root where the directories are there */
};

enum outcome {
	COMPILED,
	REFUSED, /* and the costly rules named */
	EITHER,	 /* as large as images are */
};

struct bench_case {
	struct bench_policy policy;
	enum stage stage;
	enum outcome outcome;
	double seconds;
	long mebibytes;
	bool large; /* not in the quick form */
};

#define CASE(name, write, count, template, stage, outcome, seconds, mebibytes, large)             \
	{                                                                                         \
		{name, bench_##write, count, template}, stage, outcome, seconds, mebibytes, large \
	}

/* clang-format off */
static const struct bench_case cases[] = {
	CASE("12 trees, 15 names denied anywhere", usual, 0, NULL,
	     IMAGE, COMPILED, 0.1, 512, false),
	CASE("10,000 directories", directories, 10000, NULL, AUTOMATON, COMPILED, 2, 512, false),
	CASE("10,000 directories, 15 names denied", directories, 10000, "deny",
	     AUTOMATON, COMPILED, 2, 512, false),
	CASE("10,000 directories, warder check", directories, 10000, "deny",
	     CHECK, EITHER, 2, 512, false),
	CASE("100,000 directories", directories, 100000, NULL, AUTOMATON, COMPILED, 10, 768, true),
	CASE("100,000 directories, 15 names denied", directories, 100000, "deny",
	     AUTOMATON, COMPILED, 10, 768, true),
	CASE("60 sets of presets", sets, 60, NULL, IMAGE, COMPILED, 1, 512, false),
	CASE("1,000 names denied anywhere", denies, 1000, "**/%%/**",
	     IMAGE, COMPILED, 2, 512, false),
	CASE("3,000 endings denied", denies, 3000, "**/*.%", IMAGE, COMPILED, 2, 512, false),
	CASE("10,000 exceptions", exceptions, 10000, "/srv/%/#.pub",
	     AUTOMATON, COMPILED, 2, 512, false),
	/* One pattern. */
	CASE("a run of ? behind a star", denies, 1, "**/*x????????????????????",
	     IMAGE, REFUSED, 5, 512, false),
	CASE("levels behind **", denies, 1, "**/x/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*",
	     IMAGE, REFUSED, 5, 512, false),
	/* Few that multiply, and many. */
	CASE("40 of **/*a*b*c*d*", denies, 40, "**/*@*@*@*@*", IMAGE, REFUSED, 5, 512, false),
	CASE("500 of **/a*b*c*d*", denies, 500, "**/@*@*@*@*", IMAGE, REFUSED, 5, 512, false),
	CASE("3,000 of **/*a*b*c*d*", denies, 3000, "**/*@*@*@*@*", IMAGE, REFUSED, 5, 512, false),
	CASE("40 of **/*x?????????", denies, 40, "**/*@?????????", IMAGE, REFUSED, 5, 512, false),
	CASE("3,000 of **/*x?????????", denies, 3000, "**/*@?????????",
	     IMAGE, REFUSED, 5, 512, false),
	CASE("3,000 of **/*x?????????, allowed", allows, 3000, "**/*@?????????",
	     IMAGE, REFUSED, 5, 512, false),
	CASE("500 of **/x/*/*/*/*/*/*/*/*", denies, 500, "**/@/*/*/*/*/*/*/*/*",
	     IMAGE, REFUSED, 5, 512, false),
	CASE("3,000 of **/a/**/b/**/c", denies, 3000, "**/@/**/@/**/@/**/@/**/@/**/@",
	     IMAGE, REFUSED, 5, 512, false),
	CASE("40 of 20 alternatives", denies, 40, "**/{@*@,@*@,@*@,@*@,@*@,@*@,@*@,@*@}{@*@,@*@,@*@,@*@,@*@,@*@,@*@}{@*@,@*@,@*@,@*@,@*@}",
	     IMAGE, REFUSED, 5, 512, false),
	CASE("500 of classes", denies, 500, "**/*[@@@]*[@@@]*[@@@]*",
	     IMAGE, REFUSED, 5, 512, false),
	CASE("500 of two levels", allows, 500, "**/*@*@*/*@*@*/**", IMAGE, REFUSED, 5, 512, false),
	CASE("60 sets, a pattern each", keys, 60, "**/*@*@*", IMAGE, REFUSED, 5, 512, false),
	CASE("500 exceptions of **/*a*b*c", exceptions, 500, "**/*@*@*@",
	     IMAGE, REFUSED, 5, 512, false),
	CASE("500 denies with two exceptions", excepting, 500, "**/*@*@*",
	     IMAGE, REFUSED, 5, 512, false),
	CASE("60 allowed and 60 denied", crossing, 60, "/**/*@*@*", IMAGE, REFUSED, 5, 512, false),
	/* Addresses. */
	CASE("1,000 hosts", endpoints, 1000, "tcp:#:443", IMAGE, COMPILED, 0.5, 512, false),
	CASE("500 rules of 32 ports, 500 hosts", ports, 500, "tcp:10.0.0.0/8",
	     IMAGE, COMPILED, 2, 512, false),
	CASE("200,000 hosts", endpoints, 200000, "tcp:#:443", IMAGE, REFUSED, 5, 512, false),
	CASE("30,000 ports of a network", endpoints, 30000, "tcp:10.0.0.0/8:@",
	     IMAGE, REFUSED, 5, 512, false),
	CASE("4,000 hosts of 32 ports", ports, 4000, "tcp:#", IMAGE, REFUSED, 5, 512, false),
};
/* clang-format on */

/* What the process that compiles tells. */
struct report {
	int error;
	bool named; /* a hint names the costly rules */
	uint32_t states;
	double seconds;
};

static double slack = 1;

/* Of CHECK. */
static char root[] = "/tmp/warder-bench-XXXXXX", file[sizeof(root) + 8];

static double processor_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static char *policy_text(const struct bench_policy *policy, size_t *ret_size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, ret_size);

	if (!out)
		return NULL;
	policy->write(out, policy);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* --- in a process of its own --- */

static int build_automaton(const struct warder_policy *policy, uint32_t *ret_states)
{
	struct warder_automaton automaton;
	struct warder_rows rows = {0};
	int r = warder_automaton_build(policy, &automaton);

	if (r == 0)
		r = warder_rows_build(&automaton, &rows);
	if (r == 0)
		*ret_states = automaton.dfa->count;
	warder_rows_release(&rows);
	warder_automaton_release(&automaton);
	return r;
}

static int build_image(const struct warder_policy *policy, struct warder_diagnostics *found,
		       uint32_t *ret_states)
{
	_cleanup_free_ struct warder_image *image = NULL;
	int r = warder_compile(policy, found, &image);

	if (r == 0)
		*ret_states = warder_image_states(image);
	return r;
}

/* Does the hint name rules that come from the template? */
static bool names_template(const char *hint, const char *template)
{
	const char *named = hint ? strstr(hint, "the costliest ") : NULL;

	named = named ? strchr(named, '"') : NULL;
	return named && template && !strncmp(named + 1, template, strcspn(template, "@#%"));
}

static struct report compile(const struct bench_case *c, const char *text, size_t size)
{
	const struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	struct report report = {0};
	double start = processor_seconds();
	size_t i;

	report.error = warder_policy_parse("bench", text, size, &options, &found, &policy);
	if (report.error == 0)
		report.error = c->stage == AUTOMATON ? build_automaton(policy, &report.states)
						     : build_image(policy, &found, &report.states);
	report.seconds = processor_seconds() - start;
	for (i = 0; i < found.count; i++)
		report.named |= names_template(found.list[i].hint, c->policy.template);
	return report;
}

static void compile_and_tell(const struct bench_case *c, int out) __attribute__((noreturn));

static void compile_and_tell(const struct bench_case *c, int out)
{
	size_t size = 0;
	char *text = policy_text(&c->policy, &size);
	struct report report = {.error = -ENOMEM};

	if (text)
		report = compile(c, text, size);
	_exit(write(out, &report, sizeof(report)) != sizeof(report));
}

static void run_warder(void) __attribute__((noreturn));

static void run_warder(void)
{
	if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
		execl("build/warder", "warder", "check", "--root", root, file, NULL);
	_exit(127);
}

/* --- from outside --- */

/* A root with the directories, and the policy beside them. */
static int prepare_check(const struct bench_policy *policy)
{
	size_t size = 0;
	_cleanup_free_ char *text = policy_text(policy, &size);

	if (!text)
		return -ENOMEM;
	if (!mkdtemp(root))
		return -errno;
	snprintf(file, sizeof(file), "%s/policy", root);
	if (warder_file_replace(file, text, size, 0600) < 0)
		return -EIO;
	return bench_make_directories(root, policy->count);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static void clean_check(void)
{
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static double seconds_of(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

/* Run the case in a child. False: it did not come to an end. */
static bool run(const struct bench_case *c, struct report *report, long *ret_mebibytes)
{
	int ends[2], status;
	struct rusage usage;
	pid_t child;
	bool told;

	if (pipe(ends) < 0)
		return false;
	child = fork();
	if (child == 0 && c->stage == CHECK)
		run_warder();
	if (child == 0)
		compile_and_tell(c, ends[1]);
	close(ends[1]);
	told = read(ends[0], report, sizeof(*report)) == sizeof(*report);
	close(ends[0]);
	if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status))
		return false;
	*ret_mebibytes = usage.ru_maxrss / 1024;
	if (c->stage != CHECK)
		return told;
	report->seconds = seconds_of(&usage);
	report->error = WEXITSTATUS(status) ? -E2BIG : 0;
	return WEXITSTATUS(status) <= 1;
}

/* What is wrong; NULL: nothing. */
static const char *judge(const struct bench_case *c, const struct report *report, long mebibytes)
{
	if (report->error && report->error != -E2BIG)
		return strerror(-report->error);
	if (c->outcome == COMPILED && report->error)
		return "refused";
	if (c->outcome == REFUSED && !report->error)
		return "compiled, but should be refused";
	if (c->outcome == REFUSED && !report->named)
		return "refused without a name";
	if (report->seconds > c->seconds * slack)
		return "too slow";
	return mebibytes > c->mebibytes ? "too large" : NULL;
}

static bool measure(const struct bench_case *c)
{
	struct report report = {0};
	long mebibytes = 0;
	const char *wrong = "no end";

	if (run(c, &report, &mebibytes))
		wrong = judge(c, &report, mebibytes);
	printf("%-40s %9s %9u %8.3f (%4.1f) %8ld (%3ld)  %s%s\n", c->policy.name,
	       report.error ? "refused" : "compiled", report.states, report.seconds,
	       c->seconds * slack, mebibytes, c->mebibytes, wrong ? "FAILED: " : "ok",
	       wrong ? wrong : "");
	fflush(stdout);
	return !wrong;
}

/* Is the case asked for? */
static bool wanted(const struct bench_case *c, bool quick, char **names)
{
	if (!*names)
		return !quick || !c->large;
	for (; *names; names++) {
		if (strstr(c->policy.name, *names))
			return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	bool quick = argc > 1 && !strcmp(argv[1], "--quick");
	unsigned int passed = 0, failed = 0;
	size_t i;

	slack = quick ? 3 : 1;
	printf("%-40s %9s %9s %8s %6s %8s %5s\n", "policy", "", "states", "seconds", "bound", "MiB",
	       "bound");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct bench_case *c = &cases[i];
		bool good;

		if (!wanted(c, quick, argv + 1 + quick))
			continue;
		good = (c->stage != CHECK || prepare_check(&c->policy) == 0) && measure(c);
		if (c->stage == CHECK)
			clean_check();
		passed += good;
		failed += !good;
	}
	printf("%u passed, %u failed\n", passed, failed);
	return failed || !passed;
}
