/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * diagnostic.h - what is wrong with a policy: place, message, the line with a caret, a hint.
 *
 * Parser and compiler collect; only the command line prints. A run collects several
 * errors; after WARDER_DIAGNOSTICS_MAX further ones are counted and not kept, except that an
 * error takes the place of a warning or note.
 */
#ifndef WARDER_POLICY_DIAGNOSTIC_H
#define WARDER_POLICY_DIAGNOSTIC_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "policy/source.h"

#define WARDER_DIAGNOSTICS_MAX 50u

enum warder_severity {
	WARDER_ERROR,	/* the policy is refused */
	WARDER_WARNING, /* accepted, and probably not what was meant */
	WARDER_NOTE,	/* worth knowing: a link that was followed */
};

struct warder_diagnostic {
	enum warder_severity severity;
	char *file;
	unsigned int line, column; /* from 1; 0: the file as a whole */
	unsigned int width;	   /* characters that are meant, from column; at least 1 */
	char *message;		   /* escaped: safe to print */
	char *excerpt; /* the source line, or what is around the place; safe to print; NULL: none */
	unsigned int caret; /* where in excerpt the column is, in characters from 1 */
	char *hint;	    /* NULL: none */
};

/* Zero-initialise; release with warder_diagnostics_release(). */
struct warder_diagnostics {
	struct warder_diagnostic *list; /* in the order found */
	size_t count, capacity;
	unsigned int errors, warnings, notes; /* the ones not kept included */
	bool out_of_memory;		      /* something was lost; counts as an error */
};

/* Where in a source something is meant. A zero line means the file as a whole. */
struct warder_span {
	unsigned int line, column, width;
};

/*
 * Add one. `source` may be NULL (no file name). `hint` may be NULL. Message and hint are
 * copied. Never fails: out_of_memory is set instead.
 */
void warder_diagnostics_add(struct warder_diagnostics *diagnostics, enum warder_severity severity,
			    const struct warder_source *source, struct warder_span span,
			    const char *hint, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

void warder_diagnostics_addv(struct warder_diagnostics *diagnostics, enum warder_severity severity,
			     const struct warder_source *source, struct warder_span span,
			     const char *hint, const char *format, va_list arguments)
	__attribute__((format(printf, 6, 0)));

/* Will a further error only be counted? Then its place and hint need not be looked for. */
bool warder_diagnostics_full(const struct warder_diagnostics *diagnostics);

bool warder_diagnostics_failed(const struct warder_diagnostics *diagnostics);

/* "error", "warning", "note". Static. */
const char *warder_severity_name(enum warder_severity severity);

/* file:line:column: error: message, the line, a caret, a hint. */
void warder_diagnostic_print(const struct warder_diagnostic *diagnostic, FILE *out);

/* All of them, and a line that counts the ones not kept. */
void warder_diagnostics_print(const struct warder_diagnostics *diagnostics, FILE *out);

void warder_diagnostics_release(struct warder_diagnostics *diagnostics);

#define _cleanup_diagnostics_ __attribute__((cleanup(warder_diagnostics_release)))

#endif
