// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * print.c - an image as text: everything it says, and nothing of how that is stored.
 *
 * States are numbered as a walk from the start meets them, class by class, and not by their
 * cells, so that the text outlives a change of the encoding.
 */
#include <errno.h>
#include <stdlib.h>

#include <warder/decide.h>

#include "compile/compile.h"
#include "policy/capability.h"
#include "policy/right.h"
#include "policy/surface.h"
#include "policy/syscall.h"

static void print_keys(__u64 keys, const struct warder_policy *policy, FILE *out)
{
	const char *separator = "";
	int i;

	for (i = 0; i < (int)WARDER_KEYS_MAX; i++) {
		if (!(keys >> i & 1))
			continue;
		if (policy && (size_t)i < policy->key_count)
			fprintf(out, "%s%s", separator, policy->keys[i].name);
		else
			fprintf(out, "%s#%d", separator, i);
		separator = ",";
	}
}

static void print_head(const struct warder_image *image, const struct warder_policy *policy,
		       FILE *out)
{
	__u32 i;

	fprintf(out, "image: %u keys, %u states, %u byte classes, %u rows, %u ranges, %u ports\n",
		image->key_count, image->state_count, image->class_count, image->row_count,
		image->range_count, image->port_count);
	for (i = 0; i < image->key_count; i++) {
		fprintf(out, "key %u ", i);
		print_keys(1ull << i, policy, out);
		fputc('\n', out);
	}
}

static void print_byte(unsigned int byte, FILE *out)
{
	if (byte > ' ' && byte < 0x7f && byte != '-')
		fputc((int)byte, out);
	else
		fprintf(out, "\\x%02x", byte);
}

/* Bytes of a class as ranges: "a-c x". */
static void print_classes(const struct warder_image *image, FILE *out)
{
	const __u8 *classes = warder_image_cells(image, 0)->classes;
	unsigned int class, b, end;

	for (class = 1; class <= image->class_count; class ++) {
		fprintf(out, "class %u:", class);
		for (b = 0; b < 256; b = end) {
			end = b + 1;
			if (classes[b] != class)
				continue;
			while (end < 256 && classes[end] == class)
				end++;
			fputc(' ', out);
			print_byte(b, out);
			if (end - b > 1) {
				fputc('-', out);
				print_byte(end - 1, out);
			}
		}
		fputc('\n', out);
	}
}

/* Which number each state has, and the other way round. */
struct numbering {
	const struct warder_image *image;
	unsigned char example[256]; /* byte of a class */
	__u32 *number;		    /* by state; 0: none yet (and the dead state) */
	__u32 *state;		    /* by number */
	__u32 count;
};

static __u32 next_of(const struct numbering *n, __u32 state, __u32 class)
{
	return warder_step(n->image, state, n->example[class]);
}

static void number_state(struct numbering *n, __u32 state)
{
	if (!state || n->number[state])
		return;
	n->number[state] = n->count;
	n->state[n->count++] = state;
}

static void number_all(struct numbering *n)
{
	__u32 page, i, c;

	number_state(n, n->image->start);
	for (i = 1; i < n->count; i++) {
		for (c = 1; c <= n->image->class_count; c++)
			number_state(n, next_of(n, n->state[i], c));
	}
	/* What no path reaches, by its place: there is none in what was compiled. */
	for (page = 0; page < n->image->cell_pages; page++) {
		const struct warder_cell *cells = warder_image_cells(n->image, page)->cells;

		for (i = 0; i < WARDER_PAGE_STATES; i++) {
			if (cells[i].owner & WARDER_CELL_HEAD)
				number_state(n, WARDER_STATE(page, i));
		}
	}
}

static int numbering_init(struct numbering *n)
{
	const __u8 *classes = warder_image_cells(n->image, 0)->classes;
	int b;

	for (b = 255; b >= 0; b--)
		n->example[classes[b]] = (unsigned char)b;
	n->number = calloc(WARDER_STATE(n->image->cell_pages, 0), sizeof(*n->number));
	n->state = calloc(n->image->state_count, sizeof(*n->state));
	if (!n->number || !n->state)
		return -ENOMEM;
	n->count = 1; /* the dead state */
	number_all(n);
	return 0;
}

/* Where a state leads, by target: "5<1,3 7<2"; what is not named is dead. */
static void print_state(const struct numbering *n, __u32 number, FILE *out)
{
	const struct warder_image *image = n->image;
	__u32 state = n->state[number], next[WARDER_CLASSES_MAX + 1], c, d;

	fprintf(out, "state %u row %u:", number, warder_row_number(image, state));
	for (c = 1; c <= image->class_count; c++)
		next[c] = next_of(n, state, c);
	for (c = 1; c <= image->class_count; c++) {
		for (d = 1; d < c && next[d] != next[c]; d++)
			;
		if (!next[c] || d < c)
			continue; /* dead, or printed with an earlier class */
		fprintf(out, " %u<%u", n->number[next[c]], c);
		for (d = c + 1; d <= image->class_count; d++) {
			if (next[d] == next[c])
				fprintf(out, ",%u", d);
		}
	}
	fputc('\n', out);
}

static int print_states(const struct warder_image *image, FILE *out)
{
	struct numbering n = {.image = image};
	int r = numbering_init(&n);
	__u32 i;

	if (r == 0) {
		fprintf(out, "start %u\n", n.number[image->start]);
		for (i = 0; i < n.count; i++)
			print_state(&n, i, out);
	}
	free(n.number);
	free(n.state);
	return r;
}

static void print_row(const struct warder_image *image, __u32 number,
		      const struct warder_policy *policy, FILE *out)
{
	const struct warder_row *row = warder_row(image, number);
	char name[32];
	int r;

	fprintf(out, "row %u below ", number);
	if (row->below == WARDER_ROW_NONE)
		fputs("differs", out);
	else
		fprintf(out, "%u", row->below);
	if (row->nailed) {
		fputs("; nailed below ", out);
		print_keys(row->nailed, policy, out);
	}
	for (r = 0; r < WARDER_RIGHT_COUNT; r++) {
		if (!row->allow[r] && !row->deny[r])
			continue;
		fprintf(out, "; %s", warder_rights_text(1u << r, name, sizeof(name)));
		if (row->allow[r]) {
			fputc(' ', out);
			print_keys(row->allow[r], policy, out);
		}
		if (row->deny[r]) {
			fputs(" deny ", out);
			print_keys(row->deny[r], policy, out);
		}
	}
	fputc('\n', out);
}

static void print_address(__u64 hi, __u64 lo, FILE *out)
{
	if (!hi && lo >> 32 == 0xffff)
		fprintf(out, "%u.%u.%u.%u", (unsigned int)(lo >> 24 & 255),
			(unsigned int)(lo >> 16 & 255), (unsigned int)(lo >> 8 & 255),
			(unsigned int)(lo & 255));
	else
		fprintf(out, "%016llx:%016llx", (unsigned long long)hi, (unsigned long long)lo);
}

static void print_port_keys(const struct warder_port *port, const struct warder_policy *policy,
			    FILE *out)
{
	/* What one does without a word is to connect. */
	static const char *const words[] = {[WARDER_NET_CONNECT] = "",
					    [WARDER_NET_BIND] = " bind",
					    [WARDER_NET_ACCEPT] = " accept"};
	int op;

	for (op = 0; op < WARDER_NET_OP_COUNT; op++) {
		if (!(port->allow[op] | port->deny[op]))
			continue;
		fputs(words[op], out);
		if (port->allow[op] || op == WARDER_NET_CONNECT) {
			fputc(' ', out);
			print_keys(port->allow[op], policy, out);
		}
		if (port->deny[op]) {
			fputs(" deny ", out);
			print_keys(port->deny[op], policy, out);
		}
	}
}

static void print_range(const struct warder_image *image, const struct warder_range *range,
			const struct warder_policy *policy, FILE *out)
{
	const union warder_page *first = warder_page(image, 0);
	__u32 i;

	fputs("from ", out);
	print_address(range->hi, range->lo, out);
	fputs(range->count ? ":" : ": nothing", out);
	for (i = 0; i < range->count; i++) {
		const struct warder_port *port = warder_port(image, first, range->first + i);

		fprintf(out, "%s %s %u-%u", i ? ";" : "",
			port->proto == WARDER_PROTO_TCP ? "tcp" : "udp", port->low, port->high);
		print_port_keys(port, policy, out);
	}
	fputc('\n', out);
}

/* The last of a run of numbers without a name that have the same mask, from `first` on. */
static __u32 end_of_run(const struct warder_image *image, __u32 first)
{
	__u32 last = first;
	char *name;

	while (last + 1 < WARDER_SYSCALLS_MAX &&
	       image->syscall_deny[last + 1] == image->syscall_deny[first]) {
		name = warder_syscall_name((int)last + 1);
		free(name);
		if (name)
			break;
		last++;
	}
	return last;
}

static void print_syscalls(const struct warder_image *image, const struct warder_policy *policy,
			   FILE *out)
{
	char *name;
	__u32 i, last;

	for (i = 0; image->has_syscalls && i < WARDER_SYSCALLS_MAX; i = last + 1) {
		last = i;
		if (!image->syscall_deny[i])
			continue;
		name = warder_syscall_name((int)i);
		if (!name)
			last = end_of_run(image, i);
		if (last > i)
			fprintf(out, "syscall %u-%u ? deny ", i, last);
		else
			fprintf(out, "syscall %u %s deny ", i, name ? name : "?");
		print_keys(image->syscall_deny[i], policy, out);
		fputc('\n', out);
		free(name);
	}
}

static void print_masks(const char *word, __u64 keys, const struct warder_policy *policy, FILE *out)
{
	if (!keys)
		return;
	fprintf(out, " %s ", word);
	print_keys(keys, policy, out);
}

static void print_surface(const struct warder_image *image, const struct warder_policy *policy,
			  FILE *out)
{
	const char *name;
	__u32 i;

	for (i = 0; i < WARDER_CAPABILITIES_MAX; i++) {
		if (!image->capability_allow[i])
			continue;
		name = warder_capability_name(i);
		fprintf(out, "capability %u %s", i, name ? name : "?");
		print_masks("allow", image->capability_allow[i], policy, out);
		fputc('\n', out);
	}
	for (i = 0; i < WARDER_SURFACES_MAX; i++) {
		if (!image->surface_allow[i] && !image->surface_deny[i])
			continue;
		name = warder_surface_name(i);
		fprintf(out, "kernel %u %s", i, name ? name : "?");
		print_masks("allow", image->surface_allow[i], policy, out);
		print_masks("deny", image->surface_deny[i], policy, out);
		fputc('\n', out);
	}
}

int warder_image_print(const struct warder_image *image, const struct warder_policy *policy,
		       FILE *out)
{
	const union warder_page *first = warder_page(image, 0);
	__u32 i;
	int r;

	print_head(image, policy, out);
	print_classes(image, out);
	r = print_states(image, out);
	if (r < 0)
		return r;
	for (i = 0; i < image->row_count; i++)
		print_row(image, i, policy, out);
	for (i = 0; i < image->range_count; i++)
		print_range(image, warder_range(image, first, i), policy, out);
	print_syscalls(image, policy, out);
	print_surface(image, policy, out);
	return 0;
}
