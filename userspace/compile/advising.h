/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * advising.h - advice that is being given: what advice*.c share.
 */
#ifndef WARDER_COMPILE_ADVISING_H
#define WARDER_COMPILE_ADVISING_H

#include "compile/advice.h"

struct warder_advising {
	const struct warder_policy *policy;
	const struct warder_image *image;
	const struct warder_policy_options *options;
	struct warder_diagnostics *diagnostics;
};

/* Was it written in the policy itself, and not in a preset? Only that is worth advice. */
bool warder_advising_own(const struct warder_advising *a, const struct warder_place *place);

/* What stands at a place of the policy itself, to the end of its line. */
const char *warder_advising_text(const struct warder_advising *a, const struct warder_place *place,
				 size_t *ret_size);

/*
 * Does `rule` stand at the place as it is? Else a variable is in it. Cannot tell (a text of several
 * lines, escapes of YAML): no.
 */
bool warder_advising_is_as_written(const struct warder_advising *a,
				   const struct warder_place *place, const char *rule);

/* Say something about a place in the policy itself. `hint` may be NULL. */
void warder_advising_say(const struct warder_advising *a, enum warder_severity severity,
			 const struct warder_place *place, const char *hint, const char *format,
			 ...) __attribute__((format(printf, 5, 6)));

/* Each adds its part. -ENOMEM. */
int warder_advise_sets(const struct warder_advising *a);
int warder_advise_wider(const struct warder_advising *a);
int warder_advise_rules(const struct warder_advising *a);
int warder_advise_network(const struct warder_advising *a);
int warder_advise_tools(const struct warder_advising *a);
int warder_advise_files(const struct warder_advising *a);

#endif
