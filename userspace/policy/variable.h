/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * variable.h - `vars:`, their values, and ${NAME} in the texts where they may stand.
 *
 * A value is a literal. From outside (`--var`) it is taken only where the policy says what it
 * has to lie within; a variable without `within` is a constant of the policy.
 */
#ifndef WARDER_POLICY_VARIABLE_H
#define WARDER_POLICY_VARIABLE_H

#include "policy/reader.h"

/* Bytes of the longest value: of the longest pattern. */
#define WARDER_VALUE_MAX WARDER_PATTERN_MAX
/* Bytes of the longest text that a value is put into: values must not multiply without end. */
#define WARDER_FILLED_MAX 16384u

/*
 * Read `vars:` (NULL: the policy has none) and the values that the options give. Before anything
 * else is read. Reports.
 */
void warder_variables_read(struct warder_reader *reader, const struct warder_yaml *vars);

/* When all is read: name the instance, and warn of variables that nothing uses. */
void warder_variables_end(struct warder_reader *reader);

/* Release the contents, not the struct. */
void warder_variable_release(struct warder_variable *variable);

/* What the text is read as: a value must not become more than a literal in it. */
enum warder_fill {
	WARDER_FILL_TEXT,     /* as it is */
	WARDER_FILL_PATTERN,  /* metacharacters are escaped; refused in a class */
	WARDER_FILL_ACCESS,   /* metacharacters are escaped; brackets are those of an address */
	WARDER_FILL_ENDPOINT, /* a star is refused */
};

/* A stretch of a filled text: written so in the policy, or put there for a variable. */
struct warder_fill_piece {
	size_t at;				/* byte in the filled text */
	size_t node_at;				/* byte in the text of the node */
	const struct warder_variable *variable; /* NULL: written so */
};

/* A text with its variables filled in. Release with warder_filled_release(). */
struct warder_filled {
	char *text; /* NUL-terminated */
	size_t length;
	struct warder_fill_piece *pieces;
	size_t count, capacity;
};

/*
 * The text of a node that may hold variables; `what` says what was expected ("a path"). Not
 * empty, and without NUL unless it begins with "@". False: reported.
 */
bool warder_variable_fill(struct warder_reader *reader, const struct warder_yaml *node,
			  const char *what, enum warder_fill fill,
			  struct warder_filled *ret_filled);

/*
 * Report what is wrong at a byte of the filled text, at the place it comes from; of a value the
 * message says whose it is.
 */
void warder_filled_error(struct warder_reader *reader, const struct warder_yaml *node,
			 const struct warder_filled *filled, size_t offset, const char *hint,
			 const char *message);

void warder_filled_release(struct warder_filled *filled);

#define _cleanup_filled_ __attribute__((cleanup(warder_filled_release)))

#endif
