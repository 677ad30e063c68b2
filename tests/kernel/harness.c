// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * harness.c - main() of every kernel test: the list of tests, assertions, the session.
 */
#include "harness.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#define TESTS_MAX   128
#define SHARED_SIZE 65536

static struct {
	const char *name;
	void (*function)(void);
} tests[TESTS_MAX];

static size_t test_count;
static const char *current = "";
static unsigned int passed, failed, skipped;
static struct warder_session *session;
static void *shared;

void kt_register(const char *name, void (*function)(void))
{
	if (test_count == TESTS_MAX)
		abort();
	tests[test_count].name = name;
	tests[test_count++].function = function;
}

bool kt_check_at(const char *file, int line, const char *name, bool ok, const char *format, ...)
{
	va_list arguments;

	if (ok) {
		passed++;
		printf("ok %s: %s\n", current, name);
		return true;
	}
	failed++;
	printf("not ok %s: %s: %s:%d: ", current, name, file, line);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	return false;
}

static const char *result_text(int result, char *buffer, size_t size)
{
	if (result >= 0)
		snprintf(buffer, size, "%d", result);
	else if (result <= KT_HUNG)
		snprintf(buffer, size, "hung");
	else if (result <= KT_CRASHED)
		snprintf(buffer, size, "killed by signal %d", KT_CRASHED - result);
	else
		snprintf(buffer, size, "-%s", strerrorname_np(-result) ?: "?");
	return buffer;
}

bool kt_result_at(const char *file, int line, const char *name, int got, int expected)
{
	char a[64], b[64];

	return kt_check_at(file, line, name, got == expected, "%s instead of %s",
			   result_text(got, a, sizeof(a)), result_text(expected, b, sizeof(b)));
}

bool kt_kernel_is(const char *kernel)
{
	size_t length = strlen(kernel);
	struct utsname host;

	if (uname(&host) < 0)
		return false;
	return !strncmp(host.release, kernel, length) && host.release[length] == '.';
}

bool kt_skip_on(const char *kernel, const char *name, const char *reason)
{
	if (!kt_kernel_is(kernel))
		return false;
	skipped++;
	printf("skip %s: %s: %s\n", current, name, reason);
	return true;
}

void kt_figure(const char *name, const char *format, ...)
{
	va_list arguments;

	printf("figure %s: ", name);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
}

static int session_open(const struct warder_session_options *options)
{
	struct warder_session_options with = options ? *options : (struct warder_session_options){};
	struct warder_error error = {};
	int result;

	with.keep_loaded = true;
	result = warder_session_open(&with, &session, &error);
	if (result < 0)
		kt_check_why("warder loads", false, "%s", error.text);
	return result;
}

struct warder_session *kt_session(void)
{
	return session;
}

bool kt_unload(void)
{
	struct warder_error error = {};

	if (!kt_check_why("warder unloads", !warder_session_unload(session, &error), "%s",
			  error.text))
		return false;
	warder_session_close(&session);
	return true;
}

bool kt_load(const struct warder_session_options *options)
{
	return kt_check("warder loads again", !session_open(options));
}

bool kt_reload(const struct warder_session_options *options)
{
	return kt_unload() && kt_load(options);
}

void *kt_shared(void)
{
	return shared;
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Run the tests whose name contains `wanted`, or all. */
static void run_tests(const char *wanted)
{
	size_t i;

	for (i = 0; i < test_count; i++) {
		double start = seconds_now();

		if (wanted && !strstr(tests[i].name, wanted))
			continue;
		current = tests[i].name;
		memset(shared, 0, SHARED_SIZE);
		tests[i].function();
		if (seconds_now() - start > 5)
			kt_figure(current, "%.1f s", seconds_now() - start);
	}
	current = "";
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGPIPE, SIG_IGN);
	umask(0);
	current = "setup";
	shared = mmap(NULL, SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared != MAP_FAILED && !session_open(NULL))
		run_tests(argc > 1 ? argv[1] : NULL);
	warder_session_close(&session);
	if (!passed && !failed && !skipped)
		kt_check_why("tests", false, "no test ran");
	printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
