/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * vector.h - room for one more element in a growing array.
 */
#ifndef WARDER_BASE_VECTOR_H
#define WARDER_BASE_VECTOR_H

#include <stdlib.h>

/*
 * Make room for element `count` of `array` (a pointer variable), whose allocated size is
 * in `capacity`. True when there is room; false leaves the array as it was.
 */
#define VECTOR_ROOM(array, count, capacity) \
	((count) < (capacity) ||            \
	 warder_vector_grow((void **)&(array), sizeof(*(array)), (count), &(capacity)))

static inline int warder_vector_grow(void **array, size_t size, size_t count, size_t *capacity)
{
	size_t wanted = *capacity ? *capacity * 2 : 8;
	void *grown;

	while (wanted <= count)
		wanted *= 2;
	grown = reallocarray(*array, wanted, size);
	if (!grown)
		return 0;
	*array = grown;
	*capacity = wanted;
	return 1;
}

#endif
