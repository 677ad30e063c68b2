/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * decide.h - the decision, pure: an image, a keyring and an access in, a verdict out.
 *
 * Compiled into the kernel programs and into the host tools, so that `check` and the
 * event log give the kernel's own answer. No I/O, no clock, no state. Every index is
 * bounded by the size of a page: the verifier wants it, and a damaged image then gives a
 * wrong row of the same image or none, never foreign memory. What is not there refuses.
 *
 * An image is a void pointer here: a struct warder_image and what follows it on the host,
 * a map of pages in the kernel, where bpf_helpers.h has to be included before.
 *
 * Loops over rights and keys compute without branches: the verifier follows every
 * combination of branches, and 2^13 of them are too many.
 */
#ifndef WARDER_DECIDE_H
#define WARDER_DECIDE_H

#include <warder/access.h>
#include <warder/image.h>
#include <warder/subject.h>

#define WARDER_INLINE static inline __attribute__((always_inline, unused))

/* Keep the compiler from moving a mask away from the access it guards (kernel-side verifier). */
#define WARDER_PIN(x) asm volatile("" : "+r"(x))

/* 1 when any bit of x is set, else 0; without a branch. */
WARDER_INLINE __u64 warder_any(__u64 x)
{
	x |= 0 - x;
	WARDER_PIN(x);
	return x >> 63;
}

/*
 * Page `number` of an image, or NULL when there is none. In the kernel an image is a map of
 * pages, and its size is what the kernel says; on the host the pages lie in a row.
 */
WARDER_INLINE const union warder_page *warder_page(const void *image, __u32 number)
{
#ifdef __bpf__
	return bpf_map_lookup_elem((void *)image, &number);
#else
	const union warder_page *pages = image;

	return number < pages->head.page_count ? &pages[number] : 0;
#endif
}

/* The page that holds the cells of `state`, or NULL. */
WARDER_INLINE const struct warder_cell_page *warder_page_of_state(const void *image, __u32 state)
{
	const union warder_page *page = warder_page(image, 1 + (state >> WARDER_STATE_SHIFT));

	return page ? &page->cells : 0;
}

/* Page `number` of the tables: the first page, and on behind the cells. */
WARDER_INLINE const union warder_page *
warder_page_of_table(const void *image, const union warder_page *first, __u32 number)
{
	return number ? warder_page(image, first->head.cell_pages + number) : first;
}

/*
 * The state after `byte`, for a state in `page` at `place`, which has to be below
 * WARDER_PAGE_STATES: then nothing needs a mask.
 */
WARDER_INLINE __u32 warder_step_in(const struct warder_cell_page *page, __u32 state, __u32 place,
				   __u8 byte)
{
	const struct warder_cell *head = &page->cells[place], *cell;

	/* Pinned: the compiler would make up more pointers than these two. */
	WARDER_PIN(head);
	cell = head + page->classes[byte];
	WARDER_PIN(cell);
	if (cell->owner != state)
		cell = head;
	WARDER_PIN(cell);
	return cell->next;
}

/* The state after `byte`. */
WARDER_INLINE __u32 warder_step(const void *image, __u32 state, __u8 byte)
{
	const struct warder_cell_page *page = warder_page_of_state(image, state);
	__u32 place = state & WARDER_STATE_PLACE;

	if (!page || place >= WARDER_PAGE_STATES)
		return 0;
	return warder_step_in(page, state, place, byte);
}

/* The number of the row that `state` ends in; 0 when there is no such state. */
WARDER_INLINE __u32 warder_row_number(const void *image, __u32 state)
{
	const struct warder_cell_page *page = warder_page_of_state(image, state);
	__u32 place = state & WARDER_STATE_PLACE, owner;

	if (!page || place >= WARDER_PAGE_STATES)
		return 0;
	owner = page->cells[place].owner;
	return owner & WARDER_CELL_HEAD ? owner & ~WARDER_CELL_HEAD : 0;
}

/* Row `number`, or NULL. `first` is the image's first page. */
WARDER_INLINE const struct warder_row *warder_row_from(const void *image,
						       const union warder_page *first, __u32 number)
{
	__u64 i = (__u64)number + WARDER_ROW_FIRST;
	const union warder_page *page;

	if (number >= first->head.row_count)
		return 0;
	page = warder_page_of_table(image, first, (__u32)(i / WARDER_PAGE_ROWS));
	if (!page)
		return 0;
	WARDER_PIN(i);
	i &= WARDER_PAGE_ROWS - 1;
	return &page->rows[i];
}

/* The same, for who has not got the first page. */
WARDER_INLINE const struct warder_row *warder_row(const void *image, __u32 number)
{
	const union warder_page *first = warder_page(image, 0);

	return first ? warder_row_from(image, first, number) : 0;
}

/* Range `number`, or NULL. `first` is the image's first page. */
WARDER_INLINE const struct warder_range *warder_range(const void *image,
						      const union warder_page *first, __u32 number)
{
	__u64 i = (__u64)number + first->head.range_first;
	const union warder_page *page =
		warder_page_of_table(image, first, (__u32)(i / WARDER_PAGE_RANGES));

	if (!page)
		return 0;
	WARDER_PIN(i);
	i &= WARDER_PAGE_RANGES - 1;
	return &page->ranges[i];
}

/* Segment of ports `number`, or NULL. */
WARDER_INLINE const struct warder_port *warder_port(const void *image,
						    const union warder_page *first, __u32 number)
{
	__u64 i = (__u64)number + first->head.port_first;
	const union warder_page *page =
		warder_page_of_table(image, first, (__u32)(i / WARDER_PAGE_PORTS));

	if (!page)
		return 0;
	WARDER_PIN(i);
	i &= WARDER_PAGE_PORTS - 1;
	return &page->ports[i];
}

/* Keys held at `now` (CLOCK_BOOTTIME ns). */
WARDER_INLINE __u64 warder_held(const struct warder_subject *subject, __u64 now)
{
	__u64 granted = subject->granted;
	__u64 live = 0;
	int i;

	if (!granted)
		return subject->base;
	if (now < subject->soonest)
		return subject->base | granted;
	for (i = 0; i < WARDER_KEYS_MAX; i++) {
		__u64 before = (now - subject->deadline[i]) >> 63; /* 1: not expired */

		WARDER_PIN(before);
		live |= before << i;
	}
	return subject->base | (live & granted);
}

/* The rights a row gives to a keyring. */
WARDER_INLINE __u32 warder_rights(const struct warder_row *row, __u64 held)
{
	__u64 rights = 0;
	int r;

	for (r = 0; r < WARDER_RIGHT_COUNT; r++)
		rights |= (warder_any(row->allow[r] & held) & ~warder_any(row->deny[r] & held))
			  << r;
	return rights;
}

/*
 * Which of the rights `asked` a row refuses to `held`; 0 allows.
 * ret_denied: keys whose deny rule was the cause (0: no rule allows).
 * ret_keys: keys outside `base` without which it would have been refused (0: none).
 */
WARDER_INLINE __u32 warder_decide_row(const struct warder_row *row, __u32 asked, __u64 held,
				      __u64 base, __u64 *ret_denied, __u64 *ret_keys)
{
	__u64 denied = 0, keys = 0, missing = 0;
	int r;

	for (r = 0; r < WARDER_RIGHT_COUNT; r++) {
		__u64 wanted = 0 - (__u64)(asked >> r & 1); /* all ones where asked for */
		__u64 allow = row->allow[r] & held & wanted;
		__u64 deny = row->deny[r] & held & wanted;

		WARDER_PIN(wanted);
		denied |= deny;
		missing |= ((1 - warder_any(allow)) | warder_any(deny)) << r;
		/* Allowed by no key of the base: all of the allowing keys, else none. */
		keys |= allow & (warder_any(allow & base) - 1);
	}
	missing &= asked;
	*ret_denied = denied;
	*ret_keys = missing ? 0 : keys;
	return missing;
}

/*
 * May a name in state `source` become a name in state `target`, for a file or, with
 * `directory`, for a directory and all below it? Never to more rights than before.
 */
WARDER_INLINE int warder_decide_move(const void *image, __u32 source, __u32 target, __u64 held,
				     int directory)
{
	const struct warder_row *from, *to;

	if (source == target)
		return 1;
	from = warder_row(image, warder_row_number(image, source));
	to = warder_row(image, warder_row_number(image, target));
	if (!from || !to || warder_rights(to, held) & ~warder_rights(from, held))
		return 0;
	if (!directory)
		return 1;
	/* WARDER_ROW_NONE is no row. */
	from = warder_row(image, from->below);
	to = warder_row(image, to->below);
	return from && to && !(warder_rights(to, held) & ~warder_rights(from, held));
}

/* Which of the keys `held` deny to rename something below a directory in state `source`? */
WARDER_INLINE __u64 warder_decide_nailed(const void *image, __u32 source, __u64 held)
{
	const struct warder_row *row = warder_row(image, warder_row_number(image, source));

	return row ? row->nailed & held : held;
}

/*
 * Normalise an address in place: IPv4-compatible rules see ::ffff:a.b.c.d, and an
 * unspecified destination is loopback, because that is where the kernel sends it.
 */
WARDER_INLINE void warder_address_normalise(__u64 *hi, __u64 *lo)
{
	if (*hi)
		return;
	if (*lo == 0)
		*lo = 1;
	else if (*lo == 0xffff00000000ull)
		*lo = 0xffff7f000001ull;
}

WARDER_INLINE int warder_range_starts_after(const struct warder_range *range, __u64 hi, __u64 lo)
{
	return range->hi > hi || (range->hi == hi && range->lo > lo);
}

/* The number of the last of `count` ranges that starts at or before the address. */
WARDER_INLINE __u32 warder_range_find(const void *image, const union warder_page *first,
				      __u32 count, __u64 hi, __u64 lo)
{
	__u32 low = 0, high = count, step;

	for (step = 0; step < WARDER_RANGE_STEPS; step++) {
		const struct warder_range *range;
		__u64 i;

		if (high - low <= 1)
			break;
		i = (low + high) / 2;
		WARDER_PIN(i);
		i &= WARDER_RANGES_MAX - 1;
		range = warder_range(image, first, i);
		if (!range || warder_range_starts_after(range, hi, lo))
			high = i;
		else
			low = i;
	}
	return low;
}

/*
 * Is it a port that needs no right? A UDP socket gets one that the kernel picks when it first
 * sends, whatever it binds: nobody can be kept from it.
 */
WARDER_INLINE int warder_port_is_free(enum warder_net_op op, __u8 proto, __u16 port)
{
	return op == WARDER_NET_BIND && proto == WARDER_PROTO_UDP && !port;
}

/*
 * Is `op` with hi:lo (to connect: normalised) allowed? 1 or 0.
 * Outputs as warder_decide_row.
 */
WARDER_INLINE int warder_decide_net(const void *image, enum warder_net_op op, __u8 proto, __u64 hi,
				    __u64 lo, __u16 port, __u64 held, __u64 base, __u64 *ret_denied,
				    __u64 *ret_keys)
{
	const union warder_page *first = warder_page(image, 0);
	const struct warder_range *range;
	__u32 number, count, step;
	__u64 index = op;

	*ret_denied = 0;
	*ret_keys = 0;
	if (warder_port_is_free(op, proto, port))
		return 1;
	if (!first)
		return 0;
	count = first->head.range_count;
	if (!count || count > WARDER_RANGES_MAX)
		return 0;
	range = warder_range(image, first, warder_range_find(image, first, count, hi, lo));
	if (!range || warder_range_starts_after(range, hi, lo))
		return 0;
	number = range->first;
	count = range->count;
	for (step = 0; step < WARDER_SEGMENTS_MAX; step++) {
		const struct warder_port *segment;
		__u64 allow, deny;

		if (step >= count)
			break;
		segment = warder_port(image, first, number + step);
		if (!segment)
			break;
		if (segment->proto != proto || port < segment->low || port > segment->high)
			continue;
		WARDER_PIN(index);
		if (index >= WARDER_NET_OP_COUNT)
			return 0;
		allow = segment->allow[index] & held;
		deny = segment->deny[index] & held;
		*ret_denied = deny;
		if (!allow || deny)
			return 0;
		if (!(allow & base))
			*ret_keys = allow;
		return 1;
	}
	return 0;
}

/* Is system call `number` (x86-64 table) denied by a held key? Unknown numbers are, too. */
WARDER_INLINE int warder_decide_syscall(const struct warder_image *image, __s32 number, __u64 held)
{
	__u64 i = (__u32)number;

	if (!image->has_syscalls)
		return 1;
	if (i >= WARDER_SYSCALLS_MAX)
		return 0;
	WARDER_PIN(i);
	i &= WARDER_SYSCALLS_MAX - 1;
	return !(image->syscall_deny[i] & held);
}

/* Does a held key name the capability? */
WARDER_INLINE int warder_decide_capability(const struct warder_image *image, __u32 number,
					   __u64 held)
{
	__u64 i = number;

	if (i >= WARDER_CAPABILITIES_MAX)
		return 0;
	WARDER_PIN(i);
	i &= WARDER_CAPABILITIES_MAX - 1;
	return (image->capability_allow[i] & held) != 0;
}

/* May `held` use this part of the kernel's surface? 1 or 0; outputs as warder_decide_row. */
WARDER_INLINE int warder_decide_surface(const struct warder_image *image, __u32 surface, __u64 held,
					__u64 base, __u64 *ret_denied, __u64 *ret_keys)
{
	__u64 i = surface, allow;

	*ret_denied = 0;
	*ret_keys = 0;
	if (i >= WARDER_SURFACES_MAX)
		return 0;
	WARDER_PIN(i);
	i &= WARDER_SURFACES_MAX - 1;
	allow = image->surface_allow[i] & held;
	*ret_denied = image->surface_deny[i] & held;
	if (!allow || *ret_denied)
		return 0;
	if (!(allow & base))
		*ret_keys = allow;
	return 1;
}

#endif
