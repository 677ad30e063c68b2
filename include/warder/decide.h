/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * decide.h - the decision, pure: an image, a keyring and an access in, a verdict out.
 *
 * Compiled into the kernel programs and into the host tools, so that `check` and the
 * event log give the kernel's own answer. No I/O, no clock, no state. Every index is
 * masked to the table's size: the verifier wants it, and a damaged image then gives a
 * wrong row of the same image, never foreign memory.
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

/* The state after `byte`. */
WARDER_INLINE __u32 warder_step(const struct warder_image *image, __u32 state, __u8 byte)
{
	__u64 i = (__u64)state + image->classes[byte];

	WARDER_PIN(i);
	i &= WARDER_CELLS_MAX - 1;
	return image->cells[i];
}

/* The number of the row that `state` ends in. */
WARDER_INLINE __u32 warder_row_number(const struct warder_image *image, __u32 state)
{
	__u64 i = state;

	WARDER_PIN(i);
	i &= WARDER_CELLS_MAX - 1;
	return image->cells[i];
}

WARDER_INLINE const struct warder_row *warder_row(const struct warder_image *image, __u32 number)
{
	__u64 i = number;

	WARDER_PIN(i);
	i &= WARDER_ROWS_MAX - 1;
	return &image->rows[i];
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
WARDER_INLINE int warder_decide_move(const struct warder_image *image, __u32 source, __u32 target,
				     __u64 held, int directory)
{
	const struct warder_row *from, *to;

	if (source == target)
		return 1;
	from = warder_row(image, warder_row_number(image, source));
	to = warder_row(image, warder_row_number(image, target));
	if (warder_rights(to, held) & ~warder_rights(from, held))
		return 0;
	if (!directory)
		return 1;
	if (from->below == WARDER_ROW_NONE || to->below == WARDER_ROW_NONE)
		return 0;
	from = warder_row(image, from->below);
	to = warder_row(image, to->below);
	return !(warder_rights(to, held) & ~warder_rights(from, held));
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

/*
 * Is `op` towards hi:lo (normalised) allowed? 1 or 0.
 * Outputs as warder_decide_row.
 */
WARDER_INLINE int warder_decide_net(const struct warder_image *image, enum warder_net_op op,
				    __u8 proto, __u64 hi, __u64 lo, __u16 port, __u64 held,
				    __u64 base, __u64 *ret_denied, __u64 *ret_keys)
{
	__u32 low = 0, high = image->range_count, first, count, step;
	__u64 i;

	*ret_denied = 0;
	*ret_keys = 0;
	if (!high || high > WARDER_RANGES_MAX)
		return 0;
	/* The last range that starts at or before the address. */
	for (step = 0; step < WARDER_RANGE_STEPS; step++) {
		if (high - low <= 1)
			break;
		i = (low + high) / 2;
		WARDER_PIN(i);
		i &= WARDER_RANGES_MAX - 1;
		if (warder_range_starts_after(&image->ranges[i], hi, lo))
			high = i;
		else
			low = i;
	}
	i = low;
	WARDER_PIN(i);
	i &= WARDER_RANGES_MAX - 1;
	if (warder_range_starts_after(&image->ranges[i], hi, lo))
		return 0;
	first = image->ranges[i].first;
	count = image->ranges[i].count;
	for (step = 0; step < WARDER_SEGMENTS_MAX; step++) {
		const struct warder_port *segment;
		__u64 allow, deny;

		if (step >= count)
			break;
		i = first + step;
		WARDER_PIN(i);
		i &= WARDER_PORTS_MAX - 1;
		segment = &image->ports[i];
		if (segment->proto != proto || port < segment->low || port > segment->high)
			continue;
		allow = segment->allow[op] & held;
		deny = segment->deny[op] & held;
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

#endif
