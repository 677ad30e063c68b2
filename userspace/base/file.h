/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * file.h - whole small files: read, write, and the directories they live in.
 */
#ifndef WARDER_BASE_FILE_H
#define WARDER_BASE_FILE_H

#include <stddef.h>
#include <sys/types.h>

/*
 * Read a whole file, sizes that stat does not know (procfs) included; a NUL is added
 * behind the last byte. *ret_text is malloc'ed; ret_size may be NULL.
 */
int warder_file_read(const char *path, char **ret_text, size_t *ret_size);

/* The same from an open descriptor, from its position on. */
int warder_file_read_fd(int fd, char **ret_text, size_t *ret_size);

/* Replace a file in one step (written beside it, then renamed). */
int warder_file_replace(const char *path, const void *data, size_t size, mode_t mode);

/* Write all of it, whatever write(2) takes at a time. */
int warder_file_write_fd(int fd, const void *data, size_t size);

/* Make one directory that belongs to us alone; 0 when it is there already. */
int warder_file_mkdir(const char *path, mode_t mode);

#endif
