/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * rows.h - from labels to verdict rows, and what is uniform below a state.
 */
#ifndef WARDER_COMPILE_ROWS_H
#define WARDER_COMPILE_ROWS_H

#include "compile/automaton.h"

struct warder_rows {
	struct warder_row *list; /* row 0 grants nothing */
	size_t count, capacity;
	uint32_t *of_state; /* row number by state of the automaton */
};

/*
 * Turn the automaton's labels into rows. Labels that are the same row once reservation is
 * applied become one, so the automaton may shrink. -ENOMEM; -E2BIG.
 */
int warder_rows_build(struct warder_automaton *automaton, struct warder_rows *ret_rows);

/* Release the contents, not the struct. */
void warder_rows_release(struct warder_rows *rows);

#endif
