// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * policy_fuzz.c - any bytes as a policy.
 *
 * What is refused is refused with a reason that can be printed. What is accepted compiles to
 * an image without a fault, twice to the same one, and the rules one by one (`explain`) say of
 * each object what the image says. What `check` accepts, `run` accepts or refuses for what is not
 * enforced; and the values of an instance bring it back.
 */
#include <errno.h>

#include <warder/decide.h>

#include "base/cleanup.h"
#include "claim.h"
#include "compile/compile.h"
#include "compile/explain.h"
#include "compile/validate.h"

/* Rules whose objects are asked about; a preset has a hundred. */
#define RULES_MAX 16u

struct subject {
	const struct warder_policy *policy;
	const struct warder_image *image;
	__u64 held, base;
	uint32_t choice; /* turns over the rights that are asked for */
};

static void check_diagnostics(const struct warder_diagnostics *found, int result)
{
	_cleanup_free_ char *text = NULL;
	size_t size, i;
	FILE *out;

	CLAIM(warder_diagnostics_failed(found) == (result < 0));
	for (i = 0; i < found->count; i++) {
		const struct warder_diagnostic *d = &found->list[i];

		CLAIM(d->message[0] && d->width);
		CLAIM(!d->excerpt || (d->line && d->column && d->caret));
	}
	out = open_memstream(&text, &size);
	CLAIM(out);
	warder_diagnostics_print(found, out);
	fclose(out);
	claim_printable(text, size);
}

static void check_path(struct subject *s, const char *path, size_t length)
{
	struct warder_explanation e;
	const struct warder_row *row;
	__u32 state = s->image->start, asked, missing;
	__u64 denied, keys;
	size_t i;
	int r;

	s->choice = s->choice * 1664525u + 1013904223u;
	asked = 1u << (s->choice >> 16) % WARDER_RIGHT_COUNT;
	if (!(s->choice >> 29))
		asked |= 1u << (s->choice >> 8) % WARDER_RIGHT_COUNT;
	r = warder_explain_path(s->policy, s->held, asked, path, length, &e);
	if (r == -EINVAL)
		return; /* nothing that the kernel feeds */
	CLAIM(r == 0);
	for (i = 0; i < length; i++)
		state = warder_step(s->image, state, (__u8)path[i]);
	row = warder_row(s->image, warder_row_number(s->image, state));
	missing = warder_decide_row(row, asked, s->held, s->base, &denied, &keys);
	CLAIM(e.allowed == !missing);
	CLAIM(!denied == (e.cause != WARDER_CAUSE_DENIED));
	CLAIM(e.allowed || (denied ? e.right & missing : e.right == (missing & -missing)));
}

/* Some text that the pattern matches, or nearly: its metacharacters replaced. */
static size_t make_path(const char *text, size_t length, char *out)
{
	size_t used = 0, i;

	for (i = 0; i < length; i++) {
		const char *stop = NULL;

		switch (text[i]) {
		case '\\':
			continue;
		case '*':
		case '?':
			out[used++] = 'a';
			continue;
		case '[':
			stop = memchr(text + i, ']', length - i);
			break;
		case '{':
			stop = memchr(text + i, ',', length - i);
			break;
		case ',':
			stop = memchr(text + i, '}', length - i);
			break;
		}
		if (text[i] == '[' && i + 1 < length)
			out[used++] = text[i + 1];
		if (stop && text[i] == '{') {
			memcpy(out + used, text + i + 1, (size_t)(stop - text) - i - 1);
			used += (size_t)(stop - text) - i - 1;
			i = (size_t)(stop - text) - 1;
		} else if (stop) {
			i = (size_t)(stop - text);
		} else if (text[i] != '[') {
			out[used++] = text[i];
		}
	}
	return used;
}

static void check_pattern(struct subject *s, const struct warder_rule_path *rule)
{
	_cleanup_free_ char *path = malloc(rule->pattern->length + 3);
	size_t length;

	CLAIM(path);
	length = make_path(rule->pattern->text, rule->pattern->length, path);
	check_path(s, path, length);
	memcpy(path + length, "/z", 2);
	check_path(s, path, length + 2);
	while (length && path[length - 1] != '/')
		length--;
	if (length > 1)
		check_path(s, path, length - 1);
}

static void check_address(struct subject *s, enum warder_proto proto, struct warder_address address,
			  __u16 port)
{
	struct warder_explanation e;
	__u64 denied, keys;
	int allowed, i;

	for (i = 0; i < WARDER_NET_OP_COUNT; i++) {
		enum warder_net_op op = (enum warder_net_op)i;
		struct warder_address at = address;

		if (op == WARDER_NET_CONNECT)
			warder_address_normalise(&at.hi, &at.lo);
		allowed = warder_decide_net(s->image, op, proto, at.hi, at.lo, port, s->held,
					    s->base, &denied, &keys);
		CLAIM(warder_explain_net(s->policy, s->held, op, proto, address, port, &e) == 0);
		CLAIM(e.allowed == allowed);
		CLAIM(!denied == (e.cause != WARDER_CAUSE_DENIED));
	}
}

static void check_endpoint(struct subject *s, const struct warder_endpoint *e)
{
	struct warder_address at = e->ranges[0].first;

	check_address(s, e->proto, at, e->ports[0].low);
	check_address(s, e->proto, e->ranges[e->range_count - 1].last, e->ports[0].high);
	check_address(s, WARDER_PROTO_UDP, at, (__u16)(e->ports[e->port_count - 1].high + 1));
	at.hi -= !at.lo;
	at.lo--;
	check_address(s, e->proto, at, (__u16)(e->ports[0].low - 1));
}

static void check_rules(struct subject *s)
{
	const struct warder_policy *p = s->policy;
	struct warder_explanation e;
	size_t i, k;

	for (i = 0; i < p->path_count; i++) {
		if (i >= RULES_MAX && i + RULES_MAX < p->path_count)
			continue;
		check_pattern(s, &p->path_rules[i].path);
		for (k = 0; k < p->path_rules[i].except_count && k < RULES_MAX; k++)
			check_pattern(s, &p->path_rules[i].except[k]);
	}
	for (i = 0; i < p->net_count && i < RULES_MAX; i++)
		check_endpoint(s, &p->net_rules[i].endpoint);
	for (i = 0; i < p->syscall_count && i < RULES_MAX; i++) {
		int number = (int)p->syscall_rules[i].number;

		CLAIM(warder_explain_syscall(p, s->held, number, &e) == 0);
		CLAIM(e.allowed == warder_decide_syscall(s->image, number, s->held));
	}
}

static void check_subjects(const struct warder_policy *policy, const struct warder_image *image,
			   uint32_t choice)
{
	struct subject s = {.policy = policy, .image = image, .choice = choice};
	unsigned int last = (unsigned int)policy->set_count - 1;

	s.base = warder_policy_keyring(policy, choice % policy->set_count);
	s.held = s.base;
	check_rules(&s);
	s.held = ~0ull >> (choice & 63);
	check_rules(&s);
	s.base = s.held = 1ull << policy->sets[last].key;
	check_rules(&s);
}

/* Printed and compiled again: the same text, the same image. */
static void check_again(const struct warder_policy *policy, const struct warder_image *image)
{
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_free_ struct warder_image *twin = NULL;
	_cleanup_free_ char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	CLAIM(out && warder_compile(policy, &found, &twin) == 0);
	CLAIM(image->page_count == twin->page_count);
	CLAIM(!memcmp(image, twin, warder_image_size(image)));
	warder_image_print(image, policy, out);
	fclose(out);
	claim_printable(text, size);
}

/* As `run` reads it, and as it was kept: text and arguments. */
static void check_twice(const struct warder_policy *policy, const char *data, size_t size)
{
	struct warder_policy_options options = {.keep_links = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *twin = NULL;
	_cleanup_free_ char *arguments = NULL;
	const char *list[1];
	size_t length;
	int r;

	CLAIM(warder_policy_arguments(policy, &arguments, &length) == 0);
	CLAIM(!length || (!arguments[length - 1] && strlen(arguments) == length - 1));
	list[0] = arguments;
	options.variables = list;
	options.variable_count = length != 0;
	r = warder_policy_parse("p.yaml", data, size, &options, &found, &twin);
	CLAIM(r == 0 || r == -EINVAL);
	CLAIM((r < 0) == (policy->unenforced != 0));
	CLAIM(r < 0 || (!twin->unenforced && !strcmp(twin->instance, policy->instance)));
	CLAIM((length != 0) == !!strcmp(policy->instance, policy->name));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const given[] = {"v=/a/b*"};
	struct warder_policy_options options = {.keep_links = true, .accept_unenforced = true};
	_cleanup_diagnostics_ struct warder_diagnostics found = {0};
	_cleanup_policy_ struct warder_policy *policy = NULL;
	_cleanup_free_ struct warder_image *image = NULL;
	uint32_t choice = 2166136261u;
	size_t i;
	int r;

	for (i = 0; i < size; i++)
		choice = (choice ^ data[i]) * 16777619u;
	options.variables = given;
	options.variable_count = choice >> 8 & 1;
	r = warder_policy_parse("p.yaml", (const char *)data, size, &options, &found, &policy);
	CLAIM(r == 0 || r == -EINVAL);
	if (r == 0) {
		r = warder_compile(policy, &found, &image);
		CLAIM(r == 0 || r == -E2BIG);
	}
	check_diagnostics(&found, r);
	if (r < 0)
		return 0;
	CLAIM(!warder_image_fault(image));
	check_subjects(policy, image, choice);
	if (choice % 8 == 0)
		check_again(policy, image);
	if (choice % 4 == 1)
		check_twice(policy, (const char *)data, size);
	return 0;
}
