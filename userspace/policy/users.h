/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * users.h - `allow-users:`: users and groups by name.
 */
#ifndef WARDER_POLICY_USERS_H
#define WARDER_POLICY_USERS_H

#include "policy/reader.h"

/* Read a list. Whether there is such a user is asked when somebody comes. Reports. */
void warder_users_read(struct warder_reader *reader, const struct warder_yaml *value,
		       struct warder_users *users);

/* Release the contents, not the struct. */
void warder_users_release(struct warder_users *users);

#endif
