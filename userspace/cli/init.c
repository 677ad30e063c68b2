// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * init.c - `warder init [STARTER] [--output FILE]`: a whole policy to begin with.
 *
 * A starter is printed, or written to a file that is not there yet: what somebody wrote is
 * never overwritten.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "cli/option.h"
#include "cli/say.h"
#include "cli/verb.h"
#include "policy/preset.h"

static const char more[] =
	"Without a name, lists the starters. Each is a policy with its own tests: change the "
	"paths\n"
	"at its top, then `warder check` it.\n"
	"\n"
	"Exit status: 0 done, 1 unknown name or FILE cannot be written, 2 usage.\n";

/* The first line of a starter is a comment that says what it is for. */
static void list_starters(void)
{
	const struct warder_preset *starter;

	for (starter = warder_starters; starter->name; starter++)
		printf("%-12s %.*s\n", starter->name, (int)strcspn(starter->text + 2, "\n"),
		       starter->text + 2);
}

static const struct warder_preset *find_starter(const char *name)
{
	const struct warder_preset *starter;
	struct warder_nearest nearest;

	warder_nearest_begin(&nearest, name, strlen(name));
	for (starter = warder_starters; starter->name; starter++) {
		if (!strcmp(starter->name, name))
			return starter;
		warder_nearest_offer(&nearest, starter->name);
	}
	if (nearest.best)
		warder_say("init: there is no starter \"%s\"; did you mean \"%s\"?", name,
			   nearest.best);
	else
		warder_say("init: there is no starter \"%s\"; `warder init` lists them", name);
	return NULL;
}

/* All of the text or no file. */
static int write_file(const char *path, const struct warder_preset *starter)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	size_t done = 0;
	ssize_t n = 0;

	if (fd < 0) {
		warder_say(errno == EEXIST ? "init: \"%s\": %s; name another file, or remove it"
					   : "init: \"%s\": %s",
			   path, strerror(errno));
		return WARDER_EXIT_FAILED;
	}
	while (done < starter->size) {
		n = write(fd, starter->text + done, starter->size - done);
		if (n <= 0)
			break;
		done += (size_t)n;
	}
	if (done < starter->size || fsync(fd) < 0) {
		warder_say("init: \"%s\": %s", path, strerror(errno));
		unlink(path);
		return WARDER_EXIT_FAILED;
	}
	return WARDER_EXIT_OK;
}

int verb_init(int argc, char **argv)
{
	const char *output = NULL;
	const struct warder_option options[] = {
		{'o', "output", "FILE",
		 "write to FILE, which must not exist (default: standard output)",
		 .place = &output},
		{},
	};
	const struct warder_usage usage = {
		.verb = "init",
		.options = options,
		.more = more,
		.most = 1,
		.wanted = "one starter at a time",
	};
	const struct warder_preset *starter;
	char **arguments;
	int result = warder_options_read(&usage, argc, argv, &arguments);

	if (result >= 0)
		return result;
	if (!arguments[0] && output)
		return warder_say_usage("init", "init: which starter shall \"%s\" hold?", output);
	if (!arguments[0]) {
		list_starters();
		return WARDER_EXIT_OK;
	}
	starter = find_starter(arguments[0]);
	if (!starter)
		return WARDER_EXIT_FAILED;
	if (output)
		return write_file(output, starter);
	fwrite(starter->text, 1, starter->size, stdout);
	return WARDER_EXIT_OK;
}
