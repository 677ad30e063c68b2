/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * yaml.h - the YAML text as a tree with places; the part of YAML that policies use.
 *
 * libyaml reads; anchors, aliases, tags and several documents are refused here, because
 * each lets a text mean something else than it seems to say.
 */
#ifndef WARDER_POLICY_YAML_H
#define WARDER_POLICY_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "policy/diagnostic.h"

/* Sequences and mappings inside one another. */
#define WARDER_YAML_DEPTH_MAX 24u

enum warder_yaml_type {
	WARDER_YAML_SCALAR,
	WARDER_YAML_SEQUENCE,
	WARDER_YAML_MAPPING,
};

struct warder_yaml {
	enum warder_yaml_type type;
	struct warder_span span;
	size_t offset;		    /* byte of the source where it starts */
	char *text;		    /* of a scalar; NUL-terminated */
	size_t length;		    /* bytes of text */
	bool plain;		    /* a scalar without quotes */
	bool flow;		    /* a collection in brackets or braces */
	struct warder_yaml **items; /* of a sequence; of a mapping: key, value, key, value */
	size_t count, capacity;	    /* of items */
};

/*
 * Read the one document of `source`. -EINVAL: the diagnostics say why. -ENOMEM.
 */
int warder_yaml_parse(const struct warder_source *source, struct warder_diagnostics *diagnostics,
		      struct warder_yaml **ret_root);

/* Accepts NULL and *node == NULL. */
void warder_yaml_free(struct warder_yaml **node);

/* "a mapping", "a list", "text". Static. */
const char *warder_yaml_type_name(enum warder_yaml_type type);

#define _cleanup_yaml_ __attribute__((cleanup(warder_yaml_free)))

#endif
