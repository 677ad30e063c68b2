/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * claim.h - what must hold for every input; a claim that fails is a crash of the fuzzer.
 */
#ifndef TESTS_FUZZ_CLAIM_H
#define TESTS_FUZZ_CLAIM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define CLAIM(condition)                                                                  \
	do {                                                                              \
		if (!(condition)) {                                                       \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, \
				#condition);                                              \
			abort();                                                          \
		}                                                                         \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input as text with a NUL behind it; the caller frees it. */
static inline char *claim_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	CLAIM(text);
	if (size)
		memcpy(text, data, size);
	text[size] = 0;
	return text;
}

/* Lines that a terminal shows as they are: nothing in them is left to escape. */
static inline void claim_printable(const char *text, size_t size)
{
	size_t start, end;

	for (start = 0; start < size; start = end + 1) {
		char line[8192];

		end = start + strcspn(text + start, "\n\t");
		if (4 * (end - start) + 1 > sizeof(line))
			continue;
		warder_utf8_escape(line, sizeof(line), text + start, end - start);
		CLAIM(strlen(line) == end - start && !memcmp(line, text + start, end - start));
	}
}

#endif
