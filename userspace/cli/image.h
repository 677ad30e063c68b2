/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * image.h - a loaded image as text, read back from the kernel.
 */
#ifndef WARDER_CLI_IMAGE_H
#define WARDER_CLI_IMAGE_H

#include "load/session.h"

/*
 * Print the image that the subjects of a policy are judged by, as `warder check --print`
 * does: from the kernel's own maps, with the names of keys from the text that was kept.
 * -ENOENT no subject has a policy of this name; -EBADMSG what was read is no image.
 */
int warder_cli_image(const struct warder_session *session, const char *policy,
		     struct warder_error *reterr);

#endif
