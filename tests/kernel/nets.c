// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * nets.c - take parts of the enforcement away.
 */
#include "nets.h"

#include <bpf/bpf.h>
#include <dirent.h>

#include "load/pin.h"

/* Is a program loaded whose name begins so? (The kernel keeps 15 bytes of a name.) */
static bool program_lives(const char *beginning)
{
	__u32 id = 0;

	while (!bpf_prog_get_next_id(id, &id)) {
		struct bpf_prog_info info = {};
		__u32 size = sizeof(info);
		int fd = bpf_prog_get_fd_by_id(id);
		bool found = fd >= 0 && !bpf_obj_get_info_by_fd(fd, &info, &size) &&
			     !strncmp(info.name, beginning, strlen(beginning));

		if (fd >= 0)
			close(fd);
		if (found)
			return true;
	}
	return false;
}

/*
 * The kernel takes a link off its list at once, but its program off the hook only later, one
 * after the other: some tens of them take many seconds.
 */
void nets_wait(const char *beginning)
{
	int tries;

	for (tries = 0; tries < 600 && program_lives(beginning); tries++)
		usleep(100000);
	kt_check_why("their programs are gone", tries < 600, "%s...", beginning);
	kt_figure("taken off", "%s...: %d.%d s", beginning, tries / 10, tries % 10);
}

static void take_from(const char *place, const char *kind, unsigned int *taken,
		      unsigned int *stayed)
{
	char directory[256], path[600];
	struct dirent *entry;
	DIR *stream;

	snprintf(directory, sizeof(directory), "%s/links/%s", place, kind);
	stream = opendir(directory);
	while (stream && (entry = readdir(stream))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		if (unlink(path))
			(*stayed)++;
		else
			(*taken)++;
	}
	if (stream)
		closedir(stream);
}

/* All links of a kind: "global", "twin", "net". */
void nets_take(const char *kind, const char *beginning)
{
	unsigned int taken = 0, stayed = 0;

	take_from(WARDER_PIN_DIR, kind, &taken, &stayed);
	take_from(WARDER_SECOND_PIN_DIR, kind, &taken, &stayed);
	kt_check_why("links are taken away", taken && !stayed, "%s: %u taken, %u stayed", kind,
		     taken, stayed);
	nets_wait(beginning);
}
