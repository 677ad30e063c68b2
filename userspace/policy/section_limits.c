// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * section_limits.c - `limits:`: memory, processes and processor time of a subject.
 */
#include <string.h>

#include "policy/section.h"

/* Less starts no program; more is no machine. */
#define MEMORY_MIN (1ull << 20)
#define MEMORY_MAX (1ull << 50)
#define PIDS_MAX   4194304u /* the most that Linux can have */
#define CPU_MAX	   100000u  /* a thousand CPUs */

/* The leading digits of a text as a number, and what follows them; NULL: none, or too many. */
static const char *read_digits(const char *text, __u64 *ret_number)
{
	size_t digits = strspn(text, "0123456789"), i;
	__u64 number = 0;

	if (!digits || digits > 15 || (digits > 1 && text[0] == '0'))
		return NULL;
	for (i = 0; i < digits; i++)
		number = number * 10 + (__u64)(text[i] - '0');
	*ret_number = number;
	return text + digits;
}

/* *ret_number and the text behind it; NULL: reported. */
static const char *read_quantity(struct warder_reader *reader, const struct warder_yaml *value,
				 const char *what, const char *hint, __u64 *ret_number)
{
	char quoted[WARDER_QUOTED_MAX];
	const char *rest;

	if (!warder_reader_text(reader, value, what))
		return NULL;
	rest = read_digits(value->text, ret_number);
	if (!rest)
		warder_reader_error(reader, value, hint, "%s is not %s",
				    warder_reader_quote(value->text, value->length, quoted), what);
	return rest;
}

static void read_memory(struct warder_reader *reader, const struct warder_yaml *key,
			const struct warder_yaml *value, void *context)
{
	static const char units[] = "KMGT", hint[] = "a number and K, M, G or T: 512M";
	struct warder_limits *limits = context;
	__u64 number = 0;
	const char *rest = read_quantity(reader, value, "an amount of memory", hint, &number);
	const char *unit;

	if (!rest)
		return;
	unit = *rest ? strchr(units, *rest) : NULL;
	if (!unit || rest[1]) {
		warder_reader_error_at(reader, value, (size_t)(rest - value->text), hint,
				       *rest ? "unknown unit of memory" : "memory without a unit");
		return;
	}
	/* 15 digits times 2^40 do not fit: look before. */
	if (number > MEMORY_MAX >> (10 * (unit - units + 1)))
		number = MEMORY_MAX + 1;
	else
		number <<= 10 * (unit - units + 1);
	if (number < MEMORY_MIN || number > MEMORY_MAX)
		warder_reader_error(reader, value, "from 1M to 1024T",
				    "impossible limit of memory");
	else
		limits->memory = number;
}

static void read_pids(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	static const char hint[] = "a number from 1 to 4194304";
	struct warder_limits *limits = context;
	__u64 number = 0;
	const char *rest = read_quantity(reader, value, "a number of processes", hint, &number);

	if (!rest)
		return;
	if (*rest || !number || number > PIDS_MAX)
		warder_reader_error(reader, value, hint, "impossible number of processes");
	else
		limits->pids = (__u32)number;
}

static void read_cpu(struct warder_reader *reader, const struct warder_yaml *key,
		     const struct warder_yaml *value, void *context)
{
	static const char hint[] = "percent of one CPU: 50%; 200% are two CPUs";
	struct warder_limits *limits = context;
	__u64 number = 0;
	const char *rest = read_quantity(reader, value, "a share of a CPU", hint, &number);

	if (!rest)
		return;
	if (strcmp(rest, "%"))
		warder_reader_error_at(reader, value, (size_t)(rest - value->text), hint,
				       *rest ? "unknown unit of processor time"
					     : "processor time without %%");
	else if (!number || number > CPU_MAX)
		warder_reader_error(reader, value, "from 1% to 100000%",
				    "impossible limit of processor time");
	else
		limits->cpu = (__u32)number;
}

static const struct warder_field fields[] = {
	{"memory", read_memory, false, 0},
	{"pids", read_pids, false, 0},
	{"cpu", read_cpu, false, 0},
	{0},
};

void warder_section_limits(struct warder_reader *reader, const struct warder_yaml *key,
			   const struct warder_yaml *value, void *context)
{
	struct warder_set *set = warder_reader_current_set(reader);

	if (warder_reader_mapping(reader, value, "limits", fields, &set->limits) && !value->count)
		warder_reader_error(reader, value, "leave it out: then there is none",
				    "empty limits");
}
