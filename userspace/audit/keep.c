// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * keep.c - the text of every loaded policy, kept while its generation is loaded.
 *
 * WARDER_RUN_DIR/policies/<generation>.yaml is a copy, <generation>.source the name under which
 * rules are to be shown, and <generation>.vars the values of variables that were given
 * ("NAME=VALUE", a NUL behind each).
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

/* 0: what is kept is equal; -EEXIST: it is not. */
static int compare_file(const char *directory, __u64 generation, const char *suffix,
			const char *data, size_t size)
{
	_cleanup_free_ char *kept = NULL;
	size_t kept_size;
	int error = recall_file(directory, generation, suffix, &kept, &kept_size);

	if (error < 0)
		return error;
	return kept_size == size && !memcmp(kept, data, size) ? 0 : -EEXIST;
}

/* The text last: what has one has all. */
static int keep_files(const char *directory, __u64 generation, const struct warder_source *source,
		      const char *arguments, size_t size)
{
	int error = keep_file(directory, generation, "source", source->name, strlen(source->name));

	if (!error)
		error = keep_file(directory, generation, "vars", arguments, size);
	if (!error)
		error = keep_file(directory, generation, "yaml", source->text, source->size);
	return error;
}

int warder_policy_keep_in(const char *directory, __u64 generation,
			  const struct warder_policy *policy)
{
	const struct warder_source *source = &policy->source;
	_cleanup_free_ char *arguments = NULL;
	size_t size;
	int error = warder_policy_arguments(policy, &arguments, &size);

	if (!error)
		error = warder_file_mkdir(directory, 0700);
	if (!error)
		error = compare_file(directory, generation, "yaml", source->text, source->size);
	if (error == -ENOENT)
		return keep_files(directory, generation, source, arguments, size);
	/* The first one stays: its subjects live, and their events name its file. */
	if (!error)
		error = compare_file(directory, generation, "vars", arguments, size);
	return error;
}

int warder_policy_keep(__u64 generation, const struct warder_policy *policy)
{
	return warder_policy_keep_in(KEEP_DIR, generation, policy);
}

/* The strings of `text`, each with its NUL. *ret_list points into it. */
static int split(const char *text, size_t size, const char ***ret_list, size_t *ret_count)
{
	const char **list;
	size_t count = 0, at;

	if (size && text[size - 1])
		return -EINVAL;
	list = calloc(size + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (at = 0; at < size; at += strlen(text + at) + 1)
		list[count++] = text + at;
	*ret_list = list;
	*ret_count = count;
	return 0;
}

/*
 * The links of today are not those of the load, and a subject may have planted one that no policy
 * would be accepted with. That must not keep an operator from naming a tool to take back, so
 * what cannot be read with links is read as it is written.
 */
static int parse_kept(const char *source, const char *text, size_t size,
		      struct warder_policy_options *options, struct warder_policy **ret_policy)
{
	_cleanup_diagnostics_ struct warder_diagnostics diagnostics = {}, again = {};
	int error = warder_policy_parse(source, text, size, options, &diagnostics, ret_policy);

	if (error != -EINVAL || options->keep_links)
		return error;
	options->keep_links = true;
	return warder_policy_parse(source, text, size, options, &again, ret_policy);
}

int warder_policy_recall_in(const char *directory, __u64 generation,
			    const struct warder_policy_options *defaults,
			    struct warder_policy **ret_policy, struct warder_error *reterr)
{
	struct warder_policy_options options = *defaults;
	_cleanup_free_ char *text = NULL, *source = NULL, *arguments = NULL;
	_cleanup_free_ const char **list = NULL;
	size_t size, arguments_size;
	int error = recall_file(directory, generation, "source", &source, NULL);

	if (!error)
		error = recall_file(directory, generation, "vars", &arguments, &arguments_size);
	if (!error)
		error = recall_file(directory, generation, "yaml", &text, &size);
	if (error < 0)
		return warder_error_set(reterr, error,
					"cannot read the kept policy \"%s/%llu.yaml\":", directory,
					generation);
	error = split(arguments, arguments_size, &list, &options.variable_count);
	options.variables = list;
	if (!error)
		error = parse_kept(source, text, size, &options, ret_policy);
	if (error < 0)
		return warder_error_set(reterr, error,
					"the kept policy \"%s/%llu.yaml\" is damaged", directory,
					generation);
	return 0;
}

int warder_policy_recall(__u64 generation, struct warder_policy **ret_policy,
			 struct warder_error *reterr)
{
	const struct warder_policy_options options = {.keep_links = false};

	return warder_policy_recall_in(KEEP_DIR, generation, &options, ret_policy, reterr);
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
