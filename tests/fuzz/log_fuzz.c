// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* log_fuzz.c - any bytes as a line of the audit log: shown as one line that can be printed. */
#include <jansson.h>

#include "audit/line.h"
#include "base/cleanup.h"
#include "claim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = NULL;
	json_t *record = json_loadb((const char *)data, size, JSON_ALLOW_NUL, NULL);
	FILE *out;
	size_t length;

	if (!record)
		return 0;
	out = open_memstream(&text, &length);
	CLAIM(out);
	warder_line_print(record, out);
	fclose(out);
	json_decref(record);
	CLAIM(length && memchr(text, '\n', length) == text + length - 1);
	CLAIM(!memchr(text, '\t', length));
	claim_printable(text, length);
	return 0;
}
