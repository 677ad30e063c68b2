/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * section.h - the parts of a tool, a set or a preset that give rights.
 *
 * Each has the shape of warder_field.read and adds rules of reader->key to the policy.
 */
#ifndef WARDER_POLICY_SECTION_H
#define WARDER_POLICY_SECTION_H

#include "policy/reader.h"

#define SECTION(name)                                                                           \
	void warder_section_##name(struct warder_reader *reader, const struct warder_yaml *key, \
				   const struct warder_yaml *value, void *context)

SECTION(files);	     /* of a set or preset: with deny */
SECTION(tool_files); /* of a tool: deny is an error */
SECTION(exec);
SECTION(unix);
SECTION(network);
SECTION(syscalls);
SECTION(capabilities);
SECTION(surface); /* of a set, with deny; or of a tool */
SECTION(env);	  /* of a set; context: struct warder_env */
SECTION(limits);  /* of a set */

#undef SECTION

/* What `ungoverned` for the class is in the table of constructs. */
enum warder_construct warder_section_construct(enum warder_class class);

/* `ungoverned` in place of the section of a class. True when it was that. */
bool warder_section_ungoverned(struct warder_reader *reader, const struct warder_yaml *key,
			       const struct warder_yaml *value, enum warder_class class);

/*
 * A class of paths that is ungoverned, as rules: `rights` on every path. So all that reads rules
 * knows of it, and a deny, or what a tool reserves, still holds.
 */
void warder_section_add_all(struct warder_reader *reader, const struct warder_yaml *node,
			    const char *section, __u32 rights);

/* Add one path rule; `section` is static text. */
void warder_section_add_path(struct warder_reader *reader, const struct warder_yaml *node,
			     const char *section, __u32 rights, bool names);

#endif
