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

static int keep_path(const char *directory, __u64 generation, const char *suffix, char **ret_path)
{
	return asprintf(ret_path, "%s/%llu.%s", directory, generation, suffix) < 0 ? -ENOMEM : 0;
}

static int keep_file(const char *directory, __u64 generation, const char *suffix, const char *data,
		     size_t size)
{
	_cleanup_free_ char *path = NULL;
	int error = keep_path(directory, generation, suffix, &path);

	return error < 0 ? error : warder_file_replace(path, data, size, 0600);
}

static int recall_file(const char *directory, __u64 generation, const char *suffix, char **ret_text,
		       size_t *ret_size)
{
	_cleanup_free_ char *path = NULL;
	int error = keep_path(directory, generation, suffix, &path);

	return error < 0 ? error : warder_file_read(path, ret_text, ret_size);
}

int warder_policy_keep_in(const char *directory, __u64 generation,
			  const struct warder_policy *policy)
{
	const struct warder_source *source = &policy->source;
	_cleanup_free_ char *kept = NULL;
	size_t size;
	int error = warder_file_mkdir(directory, 0700);

	if (!error)
		error = recall_file(directory, generation, "yaml", &kept, &size);
	/* The first one stays: its subjects live, and their events name its file. */
	if (!error)
		return size == source->size && !memcmp(kept, source->text, size) ? 0 : -EEXIST;
	if (error != -ENOENT)
		return error;
	error = keep_file(directory, generation, "source", source->name, strlen(source->name));
	if (error < 0)
		return error;
	return keep_file(directory, generation, "yaml", source->text, source->size);
}

int warder_policy_keep(__u64 generation, const struct warder_policy *policy)
{
	return warder_policy_keep_in(KEEP_DIR, generation, policy);
}

int warder_policy_recall(__u64 generation, struct warder_policy **ret_policy,
			 struct warder_error *reterr)
{
	struct warder_policy_options options = {.keep_links = false};
	_cleanup_diagnostics_ struct warder_diagnostics diagnostics = {};
	_cleanup_free_ char *text = NULL, *source = NULL;
	size_t size;
	int error = recall_file(KEEP_DIR, generation, "source", &source, NULL);

	if (!error)
		error = recall_file(KEEP_DIR, generation, "yaml", &text, &size);
	if (error < 0)
		return warder_error_set(
			reterr, error,
			"cannot read the kept policy \"" KEEP_DIR "/%llu.yaml\":", generation);
	error = warder_policy_parse(source, text, size, &options, &diagnostics, ret_policy);
	if (error < 0)
		return warder_error_set(reterr, error,
					"the kept policy \"" KEEP_DIR "/%llu.yaml\" is damaged",
					generation);
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
