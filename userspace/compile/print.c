// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * print.c - an image as text: every field, so that equal text means equal images.
 */
#include <stdlib.h>

#include "compile/compile.h"
#include "policy/right.h"
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

	fprintf(out, "image abi %u, %u keys, %u states of %u cells, %u rows, %u ranges, %u ports\n",
		image->abi, image->key_count, warder_image_states(image), image->stride,
		image->row_count, image->range_count, image->port_count);
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
	unsigned int class, b, end;

	for (class = 1; class < image->stride; class ++) {
		fprintf(out, "class %u:", class);
		for (b = 0; b < 256; b = end) {
			end = b + 1;
			if (image->classes[b] != class)
				continue;
			while (end < 256 && image->classes[end] == class)
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

/* Where a state leads, by target: "5<1,3 7<2"; what is not named is dead. */
static void print_state(const struct warder_image *image, __u32 state, FILE *out)
{
	const __u32 *cells = &image->cells[state * image->stride];
	__u32 c, d;

	fprintf(out, "state %u row %u:", state, cells[0]);
	for (c = 1; c < image->stride; c++) {
		for (d = 1; d < c && cells[d] != cells[c]; d++)
			;
		if (!cells[c] || d < c)
			continue; /* dead, or printed with an earlier class */
		fprintf(out, " %u<%u", cells[c] / image->stride, c);
		for (d = c + 1; d < image->stride; d++) {
			if (cells[d] == cells[c])
				fprintf(out, ",%u", d);
		}
	}
	fputc('\n', out);
}

static void print_row(const struct warder_image *image, __u32 number,
		      const struct warder_policy *policy, FILE *out)
{
	const struct warder_row *row = &image->rows[number];
	char name[32];
	int r;

	fprintf(out, "row %u below ", number);
	if (row->below == WARDER_ROW_NONE)
		fputs("differs", out);
	else
		fprintf(out, "%u", row->below);
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

static void print_range(const struct warder_image *image, const struct warder_range *range,
			const struct warder_policy *policy, FILE *out)
{
	__u32 i;

	fputs("from ", out);
	print_address(range->hi, range->lo, out);
	fputs(range->count ? ":" : ": nothing", out);
	for (i = 0; i < range->count; i++) {
		const struct warder_port *port = &image->ports[range->first + i];

		fprintf(out, "%s %s %u-%u ", i ? ";" : "",
			port->proto == WARDER_PROTO_TCP ? "tcp" : "udp", port->low, port->high);
		print_keys(port->allow[WARDER_NET_CONNECT], policy, out);
		if (port->deny[WARDER_NET_CONNECT]) {
			fputs(" deny ", out);
			print_keys(port->deny[WARDER_NET_CONNECT], policy, out);
		}
	}
	fputc('\n', out);
}

static void print_syscalls(const struct warder_image *image, const struct warder_policy *policy,
			   FILE *out)
{
	char *name;
	__u32 i;

	for (i = 0; image->has_syscalls && i < WARDER_SYSCALLS_MAX; i++) {
		if (!image->syscall_deny[i])
			continue;
		name = warder_syscall_name((int)i);
		fprintf(out, "syscall %u %s deny ", i, name ? name : "?");
		print_keys(image->syscall_deny[i], policy, out);
		fputc('\n', out);
		free(name);
	}
}

void warder_image_print(const struct warder_image *image, const struct warder_policy *policy,
			FILE *out)
{
	__u32 i, states = warder_image_states(image);

	print_head(image, policy, out);
	print_classes(image, out);
	fprintf(out, "start %u\n", image->start / image->stride);
	for (i = 0; i < states; i++)
		print_state(image, i, out);
	for (i = 0; i < image->row_count; i++)
		print_row(image, i, policy, out);
	for (i = 0; i < image->range_count; i++)
		print_range(image, &image->ranges[i], policy, out);
	print_syscalls(image, policy, out);
}
