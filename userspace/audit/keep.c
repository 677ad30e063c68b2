// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * keep.c - the text of every loaded policy, kept while its generation is loaded.
 *
 * WARDER_RUN_DIR/policies/<generation>.yaml is a copy, and <generation>.source the name
 * under which rules are to be shown.
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "audit/explain.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "load/image.h"

#define KEEP_DIR WARDER_RUN_DIR "/policies"

static void keep_path(__u64 generation, const char *suffix, char *path, size_t size)
{
	snprintf(path, size, KEEP_DIR "/%llu.%s", generation, suffix);
}

int warder_policy_keep(__u64 generation, const struct warder_policy *policy)
{
	char path[128];
	int error = warder_file_mkdir(KEEP_DIR, 0700);

	if (error < 0)
		return error;
	keep_path(generation, "source", path, sizeof(path));
	error = warder_file_replace(path, policy->source.name, strlen(policy->source.name), 0600);
	if (error < 0)
		return error;
	keep_path(generation, "yaml", path, sizeof(path));
	return warder_file_replace(path, policy->source.text, policy->source.size, 0600);
}

int warder_policy_recall(__u64 generation, struct warder_policy **ret_policy,
			 struct warder_error *reterr)
{
	struct warder_policy_options options = {.keep_links = false};
	_cleanup_diagnostics_ struct warder_diagnostics diagnostics = {};
	_cleanup_free_ char *text = NULL, *source = NULL;
	char path[128];
	size_t size;
	int error;

	keep_path(generation, "source", path, sizeof(path));
	error = warder_file_read(path, &source, NULL);
	keep_path(generation, "yaml", path, sizeof(path));
	if (!error)
		error = warder_file_read(path, &text, &size);
	if (error < 0)
		return warder_error_set(reterr, error, "cannot read the kept policy \"%s\":", path);
	error = warder_policy_parse(source, text, size, &options, &diagnostics, ret_policy);
	if (error < 0)
		return warder_error_set(reterr, error, "the kept policy \"%s\" is damaged", path);
	return 0;
}

void warder_policy_sweep(const struct warder_session *session)
{
	DIR *directory = opendir(KEEP_DIR);
	struct dirent *entry;

	if (!directory)
		return;
	while ((entry = readdir(directory))) {
		__u64 generation = strtoull(entry->d_name, NULL, 10);
		_cleanup_free_ char *path = NULL;

		if (entry->d_name[0] == '.' ||
		    (session && warder_image_exists(session, generation)))
			continue;
		if (asprintf(&path, KEEP_DIR "/%s", entry->d_name) >= 0)
			unlink(path);
	}
	closedir(directory);
	if (!session)
		rmdir(KEEP_DIR);
}
