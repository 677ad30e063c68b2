/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * reader.h - the schema walk: which keys a mapping may have, and what reads each value.
 *
 * A mapping is described by a table of fields. A field that stands for a construct is read like
 * any other; where the construct is not enforced yet, that is said. So nothing is accepted in
 * silence and nothing that exists is called unknown.
 *
 * Readers report into the diagnostics and go on, so that one run shows several errors.
 */
#ifndef WARDER_POLICY_READER_H
#define WARDER_POLICY_READER_H

#include "policy/construct.h"
#include "policy/policy.h"
#include "policy/yaml.h"

struct warder_reader {
	struct warder_policy *policy;
	const struct warder_source *source; /* what is read now: the policy or a preset */
	const char *file;		    /* its name, owned by the policy or static */
	const struct warder_policy_options *options;
	int root_fd; /* directory links are resolved below; -1: they are kept */
	struct warder_diagnostics *diagnostics;
	bool preset;	  /* reading a preset: no notes about links */
	bool literal;	  /* no variables here */
	unsigned int key; /* whose rules are read */
	bool in_set;	  /* the last set of the policy is being read */
	bool names;	  /* the key is a tool: what it names is its own */
	bool out_of_memory;
};

struct warder_field {
	const char *name;
	void (*read)(struct warder_reader *reader, const struct warder_yaml *key,
		     const struct warder_yaml *value, void *context);
	bool required;
	enum warder_construct construct; /* what the key stands for, where not all is enforced */
};

/* Report at a node, or at byte `offset` of a scalar's text. */
void warder_reader_error(struct warder_reader *reader, const struct warder_yaml *node,
			 const char *hint, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void warder_reader_error_at(struct warder_reader *reader, const struct warder_yaml *node,
			    size_t offset, const char *hint, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
void warder_reader_warn(struct warder_reader *reader, enum warder_severity severity,
			const struct warder_yaml *node, const char *hint, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/*
 * A construct of the language stands at the node. Where this version does not enforce it: an
 * error, or with accept_unenforced a note. The caller reads it in either case.
 */
void warder_reader_construct(struct warder_reader *reader, const struct warder_yaml *node,
			     enum warder_construct construct);

/* The same in words of its own: what is not enforced, and why. */
void warder_reader_unenforced(struct warder_reader *reader, const struct warder_yaml *node,
			      enum warder_construct construct, const char *hint, const char *format,
			      ...) __attribute__((format(printf, 5, 6)));

/*
 * Walk a mapping by a table that ends in a NULL name. `what` names the mapping in messages
 * ("a set"). False when the node is no mapping (reported).
 */
bool warder_reader_mapping(struct warder_reader *reader, const struct warder_yaml *node,
			   const char *what, const struct warder_field *fields, void *context);

/*
 * Call `read` for each entry of a mapping whose keys are names that the policy chooses;
 * duplicates are reported and skipped. Empty is an error.
 */
bool warder_reader_names(struct warder_reader *reader, const struct warder_yaml *node,
			 const char *what,
			 void (*read)(struct warder_reader *reader, const struct warder_yaml *key,
				      const struct warder_yaml *value, void *context),
			 void *context);

/*
 * Call `read` for each item of a list; an empty list is an error. `what` names one item
 * ("a path").
 */
bool warder_reader_list(struct warder_reader *reader, const struct warder_yaml *node,
			const char *what,
			void (*read)(struct warder_reader *reader, const struct warder_yaml *item,
				     void *context),
			void *context);

/* Is the node of this type? Reports; `what` says what was expected ("a list of paths"). */
bool warder_reader_type(struct warder_reader *reader, const struct warder_yaml *node,
			enum warder_yaml_type type, const char *what);

/* Is it what YAML calls null? */
bool warder_reader_is_nothing(const struct warder_yaml *node);

/*
 * Is the node text, not empty, and without NUL unless it begins with "@"? Reports what is wrong;
 * `what` says what was expected ("a path"). Where a variable may stand, use
 * warder_variable_fill().
 */
bool warder_reader_scalar(struct warder_reader *reader, const struct warder_yaml *node,
			  const char *what);

/* The same, without a variable in it. */
bool warder_reader_text(struct warder_reader *reader, const struct warder_yaml *node,
			const char *what);

/* Is a text exactly this word? */
bool warder_reader_is(const struct warder_yaml *node, const char *word);

/* The set that is being read; NULL in a tool and outside. */
struct warder_set *warder_reader_current_set(const struct warder_reader *reader);

/* Text that is a name: [a-z0-9-], at most 63 bytes, copied to `out`. Reports. */
bool warder_reader_name(struct warder_reader *reader, const struct warder_yaml *node,
			const char *what, char out[WARDER_NAME_MAX]);

/* Index of the one of some words that a text is; `count`: none of them, reported. */
size_t warder_reader_word(struct warder_reader *reader, const struct warder_yaml *node,
			  const char *what, const char *const *words, size_t count);

/* Plain true or false. Reports. */
bool warder_reader_bool(struct warder_reader *reader, const struct warder_yaml *node,
			bool *ret_value);

struct warder_place warder_reader_place(const struct warder_reader *reader,
					const struct warder_yaml *node);

/* Quote untrusted text for a message; cut after 60 characters. Returns `out`. */
#define WARDER_QUOTED_MAX 288
char *warder_reader_quote(const char *text, size_t length, char out[WARDER_QUOTED_MAX]);

#endif
