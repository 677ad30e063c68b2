// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * image_fuzz.c - a good image with any damage.
 *
 * The decision stays inside the image whatever it holds; what has no fault by the validator
 * can be printed. (ASan sees a read outside, UBSan an index behind a table.)
 */
#include <warder/decide.h>

#include "base/cleanup.h"
#include "claim.h"
#include "compile/compile.h"
#include "compile/validate.h"

#define EDITS_MAX 64u

static const char policy_text[] =
	"version: 1\npolicy: p\nmodel: agent-in-sandbox\n"
	"tools: {mail: {exec: [/bin/mail], network: {connect: ['tcp:127.0.0.1:25']}}}\n"
	"sets: {agent: {exec: [/bin/**], files: {read: [/**], deny: {read: ['**/.env']}},\n"
	"  network: {connect: ['tcp:10.0.0.0/8:80,443', 'udp:*:53']},\n"
	"  syscalls: {deny: [ptrace]}}}\n";

struct edit {
	__u32 where, value; /* a word of the image; after the edit: its place, the old one */
};

static struct warder_image *the_image(void)
{
	static struct warder_image *image;

	if (!image) {
		const struct warder_policy_options options = {.keep_links = true};
		_cleanup_policy_ struct warder_policy *policy = NULL;
		struct warder_diagnostics found = {0};

		CLAIM(warder_policy_parse("p.yaml", policy_text, strlen(policy_text), &options,
					  &found, &policy) == 0);
		CLAIM(warder_compile(policy, &found, &image) == 0);
		warder_diagnostics_release(&found);
	}
	return image;
}

/*
 * Which word an edit means: three bits choose a part, most of them one that is in use. The
 * number of pages stays: what is behind it is no memory of the image, and in the kernel it
 * is the map that knows.
 */
static size_t word_of(const struct warder_image *image, __u32 where)
{
	const size_t cells = sizeof(union warder_page);
	const struct {
		size_t start, bytes;
	} parts[] = {
		{0, offsetof(struct warder_image, page_count)},
		{offsetof(struct warder_image, cell_pages),
		 offsetof(struct warder_image, syscall_deny) -
			 offsetof(struct warder_image, cell_pages)},
		{cells + offsetof(struct warder_cell_page, classes), 256},
		{WARDER_ROW_FIRST * sizeof(struct warder_row), 8 * sizeof(struct warder_row)},
		{image->range_first % WARDER_PAGE_RANGES * sizeof(struct warder_range), 512},
		{cells, 4096},
		{cells, sizeof(union warder_page)},
		{sizeof(struct warder_image), cells - sizeof(struct warder_image)},
	};

	return (parts[where >> 29].start + where % parts[where >> 29].bytes) / 4;
}

static void swap(struct warder_image *image, struct edit *edit)
{
	__u32 *word = (__u32 *)image + edit->where, old = *word;

	*word = edit->value;
	edit->value = old;
}

static void check_decisions(const struct warder_image *image, const uint8_t *data, size_t size)
{
	__u32 state = image->start, before = state;
	__u64 hi = 0, lo = 0, denied, keys;
	size_t i;

	for (i = 0; i < size; i++) {
		const struct warder_row *row = warder_row(image, warder_row_number(image, state));

		if (row)
			warder_decide_row(row, data[i], lo, hi, &denied, &keys);
		warder_decide_move(image, before, state, lo, data[i] & 1);
		hi = hi << 8 | lo >> 56;
		lo = lo << 8 | data[i];
		warder_decide_net(image, WARDER_NET_CONNECT, data[i] & 3, hi, lo, (__u16)lo, ~hi,
				  lo, &denied, &keys);
		warder_decide_syscall(image, (__s32)lo, hi);
		before = state;
		state = warder_step(image, state, data[i]);
	}
}

static void check_print(const struct warder_image *image)
{
	_cleanup_free_ char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CLAIM(out && warder_image_states(image));
	CLAIM(warder_image_print(image, NULL, out) == 0);
	fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct warder_image *image = the_image();
	size_t count = size / sizeof(struct edit) < EDITS_MAX ? size / sizeof(struct edit)
							      : EDITS_MAX;
	struct edit edits[EDITS_MAX];
	size_t i;

	if (count)
		memcpy(edits, data, count * sizeof(*edits));
	for (i = 0; i < count; i++)
		edits[i].where = (__u32)word_of(image, edits[i].where);
	for (i = 0; i < count; i++)
		swap(image, &edits[i]);
	check_decisions(image, data, size);
	if (!warder_image_fault(image))
		check_print(image);
	for (i = count; i-- > 0;)
		swap(image, &edits[i]);
	CLAIM(!warder_image_fault(image));
	return 0;
}
