// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * image_test.c - images of many pages: enforced exactly, read back as they were, as large as
 * stated; and what is not whole refuses.
 */
#include "acts.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <sys/stat.h>

#include "compile/validate.h"
#include "load/image.h"

#define DIRECTORIES 10000
#define SAMPLES	    40

/* act_read keeps its descriptor; these are many. */
static int look(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* --- 10,000 directories --- */

static unsigned int scatter(unsigned int i)
{
	return i * 40503 % 65536;
}

static char *large_policy(void)
{
	char *text = malloc(1u << 20);
	size_t used, i;

	used = (size_t)sprintf(text, "sets:\n  code:\n    files:\n"
				     "      deny: { read: ['**/.env'] }\n      write:\n");
	for (i = 0; i < DIRECTORIES; i++)
		used += (size_t)sprintf(text + used, "        - {DIR}/d%04x/project-%zu/**\n",
					scatter((unsigned int)i), i);
	return text;
}

/* What each of these may do, in a directory of the policy and in the one beside it. */
static int act_sample(const void *first)
{
	unsigned int i, wrong = 0;
	char path[128], other[128];

	for (i = (unsigned int)(long)first; i < DIRECTORIES; i += DIRECTORIES / SAMPLES) {
		snprintf(path, sizeof(path), "d%04x/project-%u/file", scatter(i), i);
		wrong += look(path) != 0;
		snprintf(path, sizeof(path), "d%04x/project-%u/.env", scatter(i), i);
		wrong += look(path) != -EACCES;
		snprintf(path, sizeof(path), "d%04x/project-%ux/file", scatter(i), i);
		wrong += look(path) != -EACCES;
		snprintf(path, sizeof(path), "d%04x/project-%u/file", scatter(i), i);
		snprintf(other, sizeof(other), "d%04x/project-%u/moved", scatter(i), i);
		wrong += act_rename(PAIR(path, other)) != 0;
		snprintf(path, sizeof(path), "d%04x/project-%ux/moved", scatter(i), i);
		wrong += act_rename(PAIR(other, path)) == 0;
	}
	return (int)wrong;
}

static void build_samples(const struct kt_subject *s)
{
	unsigned int i;

	for (i = 7; i < DIRECTORIES; i += DIRECTORIES / SAMPLES) {
		kt_write("%s/d%04x/project-%u/file", "text", s->dir, scatter(i), i);
		kt_write("%s/d%04x/project-%u/.env", "text", s->dir, scatter(i), i);
		kt_write("%s/d%04x/project-%ux/file", "text", s->dir, scatter(i), i);
	}
}

static struct warder_image *read_back(const struct kt_subject *s)
{
	struct warder_image *image = NULL;
	struct warder_subject subject;
	int error = warder_subject_read(kt_session(), s->binding, &subject);

	if (!error)
		error = warder_image_read(kt_session(), subject.image_slot, &image);
	kt_check_why("image is read back", !error, "%s", strerror(-error));
	return image;
}

static char *text_of(const struct warder_image *image, const struct kt_subject *s, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	warder_image_print(image, s->policy, out);
	fclose(out);
	return text;
}

static void check_read_back(const struct kt_subject *s)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {};
	_cleanup_free_ struct warder_image *image = NULL, *loaded = read_back(s);
	_cleanup_free_ char *wanted = NULL, *text = NULL;
	size_t wanted_size = 0, size = 0;

	if (!loaded || warder_compile(s->policy, &found, &image) < 0)
		return;
	kt_check_why("it has no fault", !warder_image_fault(loaded), "%s",
		     warder_image_fault(loaded));
	wanted = text_of(image, s, &wanted_size);
	text = text_of(loaded, s, &size);
	kt_check_why("it reads back as the same text",
		     size == wanted_size && size > 100 && !memcmp(text, wanted, size),
		     "%zu and %zu bytes", size, wanted_size);
}

/* What the kernel counts for the map of the subject's image. */
static long long memory_of(const struct kt_subject *s)
{
	struct warder_subject subject;
	long long bytes = -1;
	char path[64], line[128];
	__u32 id = 0;
	FILE *file;
	int fd;

	if (warder_subject_read(kt_session(), s->binding, &subject) < 0 ||
	    warder_session_inner_id(kt_session(), WARDER_MAP_images, subject.image_slot, &id) < 0)
		return -1;
	fd = bpf_map_get_fd_by_id(id);
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "memlock: %lld", &bytes);
	if (file)
		fclose(file);
	close(fd);
	return bytes;
}

static void check_memory(const struct kt_subject *s, const char *what)
{
	_cleanup_free_ struct warder_image *image = read_back(s);
	long long bytes = memory_of(s), stated, least;

	if (!image)
		return;
	least = (long long)warder_image_size(image);
	stated = (long long)warder_image_kernel_size(image);
	/* Up to 6.3 the kernel counts the key with each value, though it stores none. */
	if (kt_kernel_is("6.1"))
		stated += 8LL * image->page_count;
	kt_check_why("it takes the memory that is stated", bytes >= least && bytes <= stated,
		     "%lld of %lld to %lld bytes", bytes, least, stated);
	kt_figure(what, "%u states, %u pages, %lld bytes", image->state_count, image->page_count,
		  bytes);
}

TEST(ten_thousand_directories)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ char *text = large_policy();
	_cleanup_free_ struct warder_image *image = NULL;

	if (!kt_subject_open(&s, "code", text))
		return;
	build_samples(&s);
	kt_result("inside", kt_inside(&s, act_sample, (void *)7L), 0);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN,
				    .reason = WARDER_REASON_DENY_RULE,
				    .missing = WARDER_READ});
	kt_check("control: outside nothing is refused",
		 kt_outside(&s, act_sample, (void *)7L) > 2 * SAMPLES);
	image = read_back(&s);
	kt_check("of many states", image && image->state_count > 60000);
	check_read_back(&s);
	check_memory(&s, "10,000 directories");
}

static const char small[] =
	"sets: { code: { include: [base, python], files: { read: ['{DIR}/**'],\n"
	"  deny: { read: ['**/.env'] } }, exec: [/usr/bin/**] } }\n";

TEST(a_small_policy_is_small)
{
	_cleanup_subject_ struct kt_subject s = {};
	long long bytes;

	if (!kt_subject_open(&s, "code", small))
		return;
	bytes = memory_of(&s);
	kt_check_why("72 KiB at most", bytes > 0 && bytes <= 72 * 1024, "%lld bytes", bytes);
	check_read_back(&s);
	check_memory(&s, "base, python and a tree");
}

/* --- names of every length, so that every place of a name ends a step of the feed --- */

#define NAME_MOST 255

static void name_of(char *name, int length, char last)
{
	memset(name, 'a', (size_t)length);
	name[length - 1] = last;
	name[length] = '\0';
}

/* The right one is allowed, and the one with another end is not. */
static int act_lengths(const void *unused)
{
	char path[2 * NAME_MOST + 8] = "n/", *name = path + 2;
	int length, wrong = 0;

	for (length = 1; length <= NAME_MOST; length++) {
		name_of(name, length, 'b');
		wrong += look(path) != 0;
		name_of(name, length, 'c');
		wrong += look(path) != -EACCES;
	}
	/* The same, behind a directory of each length. */
	memcpy(path, "s/", 2);
	for (length = 1; length <= NAME_MOST; length++) {
		name_of(path + 2, length, 'b');
		strcat(path, "/bb");
		wrong += look(path) != 0;
		path[strlen(path) - 1] = 'c';
		wrong += look(path) != -EACCES;
		path[strlen(path) - 1] = '\0';
		wrong += look(path) != -EACCES;
	}
	return wrong;
}

static void build_lengths(const struct kt_subject *s)
{
	char name[NAME_MOST + 1];
	int length;

	for (length = 1; length <= NAME_MOST; length++) {
		name_of(name, length, 'b');
		kt_write("%s/n/%s", "text", s->dir, name);
		kt_write("%s/s/%s/b", "text", s->dir, name);
		kt_write("%s/s/%s/bb", "text", s->dir, name);
		kt_write("%s/s/%s/bc", "text", s->dir, name);
		name_of(name, length, 'c');
		kt_write("%s/n/%s", "text", s->dir, name);
	}
}

TEST(names_of_every_length)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(
		    &s, "code",
		    "sets: { code: { files: { read: ['{DIR}/n/*b', '{DIR}/s/*/bb'] } } }\n"))
		return;
	build_lengths(&s);
	kt_result("inside", kt_inside(&s, act_lengths, NULL), 0);
	kt_result("control: all can be read outside", kt_outside(&s, act_lengths, NULL),
		  3 * NAME_MOST);
}

/* --- what is not whole refuses --- */

/* Put other pages into the slot of the subject's image; `count` may be less than they are. */
static bool exchange(const struct kt_subject *s, const struct warder_image *image, __u32 count)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_INNER_MAP);
	int fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "test_image", sizeof(__u32), WARDER_PAGE_SIZE,
				count, &options);
	struct warder_subject subject;
	__u32 i;
	int error = warder_subject_read(kt_session(), s->binding, &subject);

	for (i = 0; i < count && !error; i++)
		error = bpf_map_update_elem(fd, &i, (const union warder_page *)image + i, BPF_ANY);
	if (!error)
		error = bpf_map_update_elem(warder_session_map(kt_session(), WARDER_MAP_images),
					    &subject.image_slot, &fd, BPF_ANY);
	close(fd);
	return kt_check_why("exchanged", !error, "%s", strerror(-error));
}

static void check_refused(struct kt_subject *s, const char *what, const struct warder_image *image,
			  __u32 count)
{
	kt_events_clear(s);
	if (!exchange(s, image, count))
		return;
	kt_result(what, kt_inside(s, act_read, "file"), -EACCES);
	kt_event(s, "because it is gone",
		 &(struct kt_match){.hook = WARDER_HOOK_FILE_OPEN, .reason = WARDER_REASON_GONE});
}

TEST(damaged_images_refuse)
{
	_cleanup_subject_ struct kt_subject s = {};
	_cleanup_free_ struct warder_image *image = NULL;
	struct warder_cell_page *page;
	__u32 pages, start;

	if (!kt_subject_open(&s, "code", small))
		return;
	kt_write("%s/file", "text", s.dir);
	kt_result("whole", kt_inside(&s, act_read, "file"), 0);
	image = read_back(&s);
	if (!image)
		return;
	pages = image->page_count;
	page = warder_layout_cells(image, 0);
	start = image->start;
	check_refused(&s, "without its cells", image, 1);
	page->generation++;
	check_refused(&s, "cells of another generation", image, pages);
	page->generation--;
	image->start = WARDER_STATE(1, 1);
	check_refused(&s, "a start on a page that is not there", image, pages);
	/* As a number below zero it is a result of the walk, of which one may allow. */
	image->start = (__u32)-8;
	check_refused(&s, "a start that is no state", image, pages);
	image->start = WARDER_STATE(0, WARDER_PAGE_STATES);
	check_refused(&s, "a start behind the last state", image, pages);
	image->start = start;
	memset(page->classes, WARDER_CLASSES_MAX, sizeof(page->classes));
	page->cells[start].next = WARDER_STATE(WARDER_CELL_PAGES_MAX, 0);
	check_refused(&s, "a way out of the automaton", image, pages);
	page->cells[start].next = (__u32)-8;
	check_refused(&s, "a way to no state", image, pages);
	page->cells[start].next = (__u32)-9;
	check_refused(&s, "a way to another one", image, pages);
}
