// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * kernel.c - what a kernel says about itself, read from text.
 */
#include "load/kernel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool scan_version(const char *text, struct warder_kernel_version *version)
{
	int fields;

	*version = (struct warder_kernel_version){};
	fields = sscanf(text, "%u.%u.%u", &version->major, &version->minor, &version->patch);
	return fields >= 2;
}

int warder_kernel_version_parse(const char *release, const char *version, const char *signature,
				struct warder_kernel_version *ret_version)
{
	struct warder_kernel_version found, better;
	const char *place;

	if (!scan_version(release, &found))
		return -EINVAL;
	place = version ? strstr(version, "Debian ") : NULL;
	if (place && scan_version(place + strlen("Debian "), &better))
		found = better;
	/* "Ubuntu 6.8.0-31.31-generic 6.8.1": the last word. */
	place = signature ? strrchr(signature, ' ') : NULL;
	if (place && scan_version(place + 1, &better))
		found = better;
	*ret_version = found;
	return 0;
}

bool warder_kernel_version_less(const struct warder_kernel_version *version, unsigned int major,
				unsigned int minor, unsigned int patch)
{
	if (version->major != major)
		return version->major < major;
	if (version->minor != minor)
		return version->minor < minor;
	return version->patch < patch;
}

bool warder_kernel_list_has(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (*list) {
		size_t span = strcspn(list, ",\n");

		if (span == length && !strncmp(list, word, length))
			return true;
		list += span + (list[span] ? 1 : 0);
	}
	return false;
}

int warder_kernel_selected(const char *text, char *buffer, size_t size)
{
	const char *begin = strpbrk(text, "[(");
	size_t length;

	if (!begin)
		return -ENOENT;
	length = strcspn(++begin, "])");
	if (!begin[length] || length >= size)
		return -EINVAL;
	memcpy(buffer, begin, length);
	buffer[length] = '\0';
	return 0;
}

/* One line of mountinfo: "36 35 98:0 /root /mnt options [tags] - type source superoptions". */
static bool mount_line_is(const char *line, size_t length, const char *path, const char *type)
{
	char copy[4096], place[1024], kind[64];
	const char *dash;

	if (length >= sizeof(copy))
		return false;
	memcpy(copy, line, length);
	copy[length] = '\0';
	dash = strstr(copy, " - ");
	return dash && sscanf(copy, "%*u %*u %*s %*s %1023s", place) == 1 &&
	       sscanf(dash + 3, "%63s", kind) == 1 && !strcmp(place, path) && !strcmp(kind, type);
}

/* The number is fixed in the kernel (PROC_PID_INIT_INO). */
bool warder_kernel_is_first_pid_namespace(const char *link)
{
	return !strcmp(link, "pid:[4026531836]");
}

bool warder_kernel_has_mount(const char *mountinfo, const char *path, const char *type)
{
	while (*mountinfo) {
		size_t length = strcspn(mountinfo, "\n");

		if (mount_line_is(mountinfo, length, path, type))
			return true;
		mountinfo += length + (mountinfo[length] ? 1 : 0);
	}
	return false;
}

static const char *const preemption_names[] = {
	[WARDER_PREEMPTION_UNKNOWN] = "cannot tell",
	[WARDER_PREEMPTION_NONE] = "none",
	[WARDER_PREEMPTION_VOLUNTARY] = "voluntary",
	[WARDER_PREEMPTION_FULL] = "full",
};

const char *warder_preemption_name(enum warder_preemption mode)
{
	return preemption_names[mode];
}

static enum warder_preemption preemption_from_word(const char *word)
{
	enum warder_preemption mode;

	for (mode = WARDER_PREEMPTION_NONE; mode <= WARDER_PREEMPTION_FULL; mode++) {
		if (!strcmp(word, preemption_names[mode]))
			return mode;
	}
	return strcmp(word, "lazy") ? WARDER_PREEMPTION_UNKNOWN : WARDER_PREEMPTION_FULL;
}

/* The last "preempt=word" of the command line. */
static enum warder_preemption preemption_from_cmdline(const char *cmdline)
{
	enum warder_preemption mode = WARDER_PREEMPTION_UNKNOWN;
	const char *place = cmdline;
	char word[32];

	while ((place = strstr(place, "preempt="))) {
		bool starts = place == cmdline || place[-1] == ' ';

		place += strlen("preempt=");
		if (starts && sscanf(place, "%31[a-z]", word) == 1)
			mode = preemption_from_word(word);
	}
	return mode;
}

static enum warder_preemption preemption_from_config(const char *config)
{
	if (strstr(config, "\nCONFIG_PREEMPT=y") || strstr(config, "\nCONFIG_PREEMPT_RT=y"))
		return WARDER_PREEMPTION_FULL;
	if (strstr(config, "\nCONFIG_PREEMPT_VOLUNTARY=y"))
		return WARDER_PREEMPTION_VOLUNTARY;
	if (strstr(config, "\nCONFIG_PREEMPT_NONE=y"))
		return WARDER_PREEMPTION_NONE;
	return WARDER_PREEMPTION_UNKNOWN;
}

/* "#1 SMP PREEMPT Debian ...": full. PREEMPT_DYNAMIC says that it was chosen at boot. */
static enum warder_preemption preemption_from_version(const char *version)
{
	if (strstr(version, "PREEMPT_DYNAMIC"))
		return WARDER_PREEMPTION_UNKNOWN;
	return strstr(version, "PREEMPT") ? WARDER_PREEMPTION_FULL : WARDER_PREEMPTION_VOLUNTARY;
}

enum warder_preemption warder_kernel_preemption(const char *sched, const char *cmdline,
						const char *config, const char *version)
{
	enum warder_preemption mode = WARDER_PREEMPTION_UNKNOWN;
	char word[32];

	if (sched && warder_kernel_selected(sched, word, sizeof(word)) == 0)
		return preemption_from_word(word);
	if (version)
		mode = preemption_from_version(version);
	if (mode != WARDER_PREEMPTION_UNKNOWN)
		return mode; /* not switchable: the command line has no say */
	if (cmdline)
		mode = preemption_from_cmdline(cmdline);
	if (mode == WARDER_PREEMPTION_UNKNOWN && config)
		mode = preemption_from_config(config);
	return mode;
}
