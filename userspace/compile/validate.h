/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * validate.h - is an image what the compiler promises?
 *
 * decide.h stays inside any image, a damaged one too; userspace follows indices without masks.
 * So an image is validated before it is printed or loaded.
 */
#ifndef WARDER_COMPILE_VALIDATE_H
#define WARDER_COMPILE_VALIDATE_H

#include <warder/image.h>

/*
 * What is wrong with an image, in a few words ("a cell leads out of the automaton"); NULL: nothing.
 * Static text. The generation is not looked at. The image has to have the size that its
 * page_count says, and be at least one page.
 */
const char *warder_image_fault(const struct warder_image *image);

#endif
