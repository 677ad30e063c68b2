// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pattern_fuzz.c - a line of any bytes as a pattern, and what follows it as a path.
 *
 * The program of a pattern, its automaton, the minimal one and, for a literal, the trie say
 * the same of the path.
 */
#include <errno.h>

#include "base/cleanup.h"
#include "claim.h"
#include "compile/label.h"
#include "compile/trie.h"
#include "policy/pattern.h"

static const warder_match_labels labels = {0, 1, 2, 3};

static uint32_t walk(const struct warder_dfa *dfa, const char *path, size_t length)
{
	uint32_t state = dfa->start;
	size_t i;

	for (i = 0; i < length; i++)
		state = warder_dfa_row(dfa, state)[dfa->classes->of[(unsigned char)path[i]]];
	return dfa->label[state];
}

/* What the kernel can feed: "/", "/a/b" without empty components, "@name". */
static int is_fed(const char *path, size_t length)
{
	size_t i;

	if (length && path[0] == '@')
		return length > 1;
	if (!length || path[0] != '/' || memchr(path, 0, length))
		return 0;
	for (i = 1; i < length; i++) {
		if (path[i] == '/' && path[i - 1] == '/')
			return 0;
	}
	return length == 1 || path[length - 1] != '/';
}

static uint32_t join(void *context, uint32_t a, uint32_t b)
{
	return warder_labels_join(context, a, b);
}

static void check_trie(const struct warder_pattern *pattern, const struct warder_classes *classes,
		       const char *path, size_t length, int match)
{
	_cleanup_dfa_ struct warder_dfa *dfa = NULL;
	struct warder_label one = {.allow = {1}}, two = {.allow = {2}};
	struct warder_labels numbers;
	struct warder_trie trie;
	warder_match_labels own = {0};
	struct warder_row row;

	CLAIM(warder_labels_init(&numbers) == 0);
	own[WARDER_MATCH_WHOLE] = warder_labels_number(&numbers, &one);
	own[WARDER_MATCH_ROOT] = warder_labels_number(&numbers, &two);
	own[3] = warder_labels_join(&numbers, own[1], own[2]);
	CLAIM(warder_trie_init(&trie, classes, join, &numbers) == 0);
	CLAIM(warder_trie_add(&trie, pattern, own) == 0);
	CLAIM(warder_trie_finish(&trie, NULL, &dfa) == 0);
	warder_label_row(&numbers.list[walk(dfa, path, length)], &row);
	CLAIM(row.allow[0] == (uint64_t)match);
	warder_trie_release(&trie);
	warder_labels_release(&numbers);
}

static void check_path(const struct warder_pattern *pattern, const char *path, size_t length)
{
	_cleanup_dfa_ struct warder_dfa *dfa = NULL;
	int match = warder_pattern_match(pattern, path, length), r;
	struct warder_classes classes;

	CLAIM(match >= 0 && match <= 3);
	if (!is_fed(path, length))
		return;
	CLAIM(!pattern->abstract || path[0] == '@' || !match);
	warder_classes_init(&classes);
	warder_classes_add(&classes, pattern);
	warder_classes_order(&classes);
	r = warder_dfa_from_pattern(&classes, pattern, labels, &dfa);
	CLAIM(r == 0 || r == -E2BIG);
	if (r < 0)
		return;
	CLAIM(walk(dfa, path, length) == (uint32_t)match);
	r = warder_dfa_minimise(&dfa);
	CLAIM(r == 0 || r == -E2BIG);
	if (r == 0)
		CLAIM(walk(dfa, path, length) == (uint32_t)match);
	if (pattern->literal)
		check_trie(pattern, &classes, path, length, match);
}

/* The literal beginning, escaped, is a pattern of just that. */
static void check_prefix(const struct warder_pattern *pattern)
{
	_cleanup_free_ char *escaped = warder_pattern_escape(pattern->prefix);
	_cleanup_pattern_ struct warder_pattern *copy = NULL;
	struct warder_pattern_error error;
	int r;

	CLAIM(escaped && pattern->rest <= pattern->length);
	if (!*escaped)
		return;
	r = warder_pattern_parse(escaped, strlen(escaped), false, &copy, &error);
	/* Escapes may make it longer than a pattern can be. */
	CLAIM(r == 0 || strlen(escaped) > WARDER_PATTERN_MAX);
	if (r < 0)
		return;
	CLAIM(copy->literal && !strcmp(copy->prefix, pattern->prefix));
	CLAIM(warder_pattern_match(copy, pattern->prefix, strlen(pattern->prefix)) ==
	      WARDER_MATCH_WHOLE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = claim_text(data, size);
	_cleanup_pattern_ struct warder_pattern *pattern = NULL;
	struct warder_pattern_error error = {0};
	const char *newline = memchr(text, '\n', size);
	size_t length = newline ? (size_t)(newline - text) : size;
	int r = warder_pattern_parse(text, length, true, &pattern, &error);

	if (r < 0) {
		CLAIM(r == -EINVAL && !pattern);
		CLAIM(error.message[0] && error.offset <= length);
		return 0;
	}
	check_prefix(pattern);
	check_path(pattern, pattern->prefix, strlen(pattern->prefix));
	if (newline)
		check_path(pattern, newline + 1, size - length - 1);
	return 0;
}
