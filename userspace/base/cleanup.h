/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * cleanup.h - ownership that a reader can check inside one function.
 *
 * A local variable declared with one of these is released when its scope ends;
 * TAKE_PTR and TAKE_FD hand the object on and leave nothing behind to release.
 */
#ifndef WARDER_BASE_CLEANUP_H
#define WARDER_BASE_CLEANUP_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(function) __attribute__((cleanup(function)))
#define _cleanup_free_	    _cleanup_(warder_cleanup_free)
#define _cleanup_close_	    _cleanup_(warder_cleanup_close)
#define _cleanup_fclose_    _cleanup_(warder_cleanup_fclose)

#define TAKE_PTR(pointer)                               \
	({                                              \
		__typeof__(pointer) taken_ = (pointer); \
		(pointer) = NULL;                       \
		taken_;                                 \
	})

#define TAKE_FD(fd)                \
	({                         \
		int taken_ = (fd); \
		(fd) = -1;         \
		taken_;            \
	})

static inline void warder_cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

/* Keeps errno: a cleanup runs between a failure and the code that reports it. */
static inline void warder_cleanup_close(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	errno = saved;
}

static inline void warder_cleanup_fclose(FILE **file)
{
	int saved = errno;

	if (*file)
		fclose(*file);
	errno = saved;
}

#endif
