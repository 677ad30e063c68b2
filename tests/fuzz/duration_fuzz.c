// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* duration_fuzz.c - any bytes as a span of time, and any span as text. */
#include <errno.h>

#include "base/cleanup.h"
#include "base/duration.h"
#include "claim.h"

static void check_format(__u64 span)
{
	char words[64];
	__u64 again;

	warder_duration_format(span, words, sizeof(words));
	CLAIM(strlen(words) < sizeof(words) - 1);
	/* Of one unit: smaller ones are left out, and a part of a second counts as one. */
	if (!strchr(words, ' ') && warder_duration_parse(words, &again) == 0)
		CLAIM(again < span + WARDER_SECOND && again > span / 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = claim_text(data, size);
	__u64 span = 0;
	int r = warder_duration_parse(text, &span);

	CLAIM(r == 0 || ((r == -EINVAL || r == -ERANGE) && !span));
	if (r == 0) {
		CLAIM(span && span <= WARDER_DURATION_MAX && span % WARDER_SECOND == 0);
		check_format(span);
	}
	if (size >= sizeof(span)) {
		memcpy(&span, data, sizeof(span));
		check_format(span % (1ull << 62));
	}
	return 0;
}
