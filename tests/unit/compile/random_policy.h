/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * random_policy.h - random policies, as text and as the naive matcher reads them.
 *
 * Names are short and over a small alphabet, so that patterns overlap; paths are made from
 * the patterns of the policy, so that verdicts of every kind are frequent.
 */
#ifndef TESTS_COMPILE_RANDOM_POLICY_H
#define TESTS_COMPILE_RANDOM_POLICY_H

#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>

#include "naive.h"
#include "random.h"

/* --- text --- */

struct text {
	char at[32768];
	size_t used;
};

static void text_add(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void text_add(struct text *text, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	text->used += (size_t)vsnprintf(text->at + text->used, sizeof(text->at) - text->used,
					format, arguments);
	va_end(arguments);
	if (text->used >= sizeof(text->at))
		abort();
}

/* --- patterns --- */

static const char *const names[] = {"a",   "b",	 "ab", "abc", "a.b", ".env", "b-c",
				    "bin", "bb", "sh", "x",   "xa",  "x,y",  "\xc3\xa4"};

static void append(char out[NAIVE_PATTERN_MAX], const char *more)
{
	size_t used = strlen(out), room = NAIVE_PATTERN_MAX - 1 - used, size = strlen(more);

	size = size < room ? size : room;
	memcpy(out + used, more, size);
	out[used + size] = 0;
}

static void append_piece(char out[NAIVE_PATTERN_MAX], bool in_braces)
{
	static const char *const pieces[] = {"a",     "b",	"x",	 ".",	  "?",	    "[ab]",
					     "[!a]",  "[a-c]",	"[!b.]", "\\*",	  "[\\]x]", "\\{",
					     "[!,-]", "[x{,}]", "sh",	 "[.\\-]"};
	size_t length = strlen(out);

	/* Two stars side by side are no glob. */
	if (random_percent(35) && (!length || out[length - 1] != '*'))
		append(out, "*");
	else if (in_braces || random_percent(80))
		append(out, RANDOM_OF(pieces));
	else
		append(out, RANDOM_OF(names));
}

static void append_braces(char out[NAIVE_PATTERN_MAX])
{
	unsigned int alternatives = 2 + random_below(2), i, k;

	for (i = 0; i < alternatives; i++) {
		append(out, i ? "," : "{");
		if (random_percent(60))
			append(out, RANDOM_OF(names)[0] == 'x' ? "x\\,y" : RANDOM_OF(names));
		else
			for (k = random_below(3); k > 0; k--)
				append_piece(out, true);
	}
	append(out, "}");
}

/* A glob of one name. */
static void append_glob(char out[NAIVE_PATTERN_MAX])
{
	unsigned int pieces = 1 + random_below(3);

	while (pieces--) {
		if (random_percent(15))
			append_braces(out);
		else
			append_piece(out, false);
	}
}

static void random_pattern(char out[NAIVE_PATTERN_MAX])
{
	unsigned int components = 1 + random_below(4);
	bool after_cross = false;
	char glob[NAIVE_PATTERN_MAX];

	out[0] = 0;
	if (random_percent(2)) {
		append(out, "/");
		return;
	}
	while (components--) {
		bool cross = !after_cross && random_percent(components ? 15 : 40);

		glob[0] = 0;
		if (cross)
			append(glob, "**");
		else if (random_percent(65))
			append(glob, RANDOM_OF(names));
		else
			append_glob(glob);
		/* A pattern may begin without its slash, but not with a tree. */
		if (*out || !cross || !components || random_percent(50))
			append(out, "/");
		/* Names that mean themselves or their parent are refused. */
		append(out, strcmp(glob, ".") && strcmp(glob, "..") ? glob : "a");
		after_cross = cross;
	}
}

static void random_socket_pattern(char out[NAIVE_PATTERN_MAX])
{
	if (random_percent(60)) {
		random_pattern(out);
		return;
	}
	out[0] = 0;
	append(out, "@");
	if (random_percent(50))
		append(out, RANDOM_OF(names));
	append_glob(out);
	if (random_percent(20))
		append(out, "/x");
}

/* --- a text that a pattern matches, mostly --- */

static const char *instance_of_braces(const char *p, char out[NAIVE_PATTERN_MAX], bool any_byte);

static const char *instance_of_piece(const char *p, char out[NAIVE_PATTERN_MAX], bool any_byte)
{
	static const char *const letters[] = {"a", "b", "c", "x", ".", "s", "-", "*", "{", "]"};
	const char *behind = p + 1;
	char one[2] = {*p};
	unsigned int tries;

	switch (*p) {
	case '*':
		while (random_percent(60))
			append(out, RANDOM_OF(letters));
		return p + 1;
	case '?':
		append(out, any_byte && random_percent(20) ? "/" : RANDOM_OF(letters));
		return p + 1;
	case '[':
		for (tries = 0; tries < 30; tries++) {
			const char *letter = RANDOM_OF(letters);

			if (naive_class(p + 1, (unsigned char)*letter, any_byte, &behind)) {
				append(out, letter);
				break;
			}
		}
		return behind;
	case '{':
		return instance_of_braces(p, out, any_byte);
	case '\\':
		one[0] = *++p;
		/* fall through */
	default:
		append(out, one);
		return p + 1;
	}
}

static const char *instance_of_braces(const char *p, char out[NAIVE_PATTERN_MAX], bool any_byte)
{
	const char *from = p + 1, *to, *stop;
	unsigned int chosen = random_below(3), i = 0;

	for (;;) {
		to = naive_alternative_end(from);
		if (i++ == chosen || (*to == '}' && i <= chosen)) {
			for (stop = to; from < stop;)
				from = instance_of_piece(from, out, any_byte);
		}
		if (*to == '}')
			return to + 1;
		from = to + 1;
	}
}

static void append_names(char out[NAIVE_PATTERN_MAX], unsigned int count)
{
	while (count--) {
		append(out, "/");
		append(out, RANDOM_OF(names));
	}
}

/* One component of a pattern; empty names, "." and ".." do not exist. */
static void instance_of_component(const char *p, const char *end, bool last,
				  char out[NAIVE_PATTERN_MAX])
{
	char name[NAIVE_PATTERN_MAX] = "";

	if (end - p == 2 && !memcmp(p, "**", 2)) {
		append_names(out, random_below(last ? 4 : 3));
		return;
	}
	while (p < end)
		p = instance_of_piece(p, name, false);
	append(out, "/");
	append(out, !*name || !strcmp(name, ".") || !strcmp(name, "..") ? "a" : name);
}

static void random_instance(const char *pattern, char out[NAIVE_PATTERN_MAX])
{
	const char *p = pattern, *end;

	out[0] = 0;
	if (*p == '@') {
		while (*p)
			p = instance_of_piece(p, out, true);
		append(out, out[1] ? "" : "a");
		return;
	}
	p += *p == '/';
	while (*p) {
		end = strchrnul(p, '/');
		instance_of_component(p, end, !*end, out);
		p = *end ? end + 1 : end;
	}
	if (!*out)
		append(out, "/");
}

/* What kind of rule shall be tried. */
enum random_aim {
	RANDOM_ANY,
	RANDOM_DENY,  /* one that takes */
	RANDOM_NAMES, /* one that reserves */
};

/* A rule to be tried, of that kind when there is one. NULL: none at all. */
static const struct naive_rule *random_rule(const struct naive_policy *policy, enum random_aim aim)
{
	const struct naive_rule *rule = NULL;
	unsigned int tries;

	for (tries = 16; policy->rule_count && tries; tries--) {
		rule = &policy->rules[random_below((unsigned int)policy->rule_count)];
		if (aim == RANDOM_ANY || (aim == RANDOM_DENY ? rule->deny : rule->names))
			break;
	}
	return rule;
}

/* A path that the rule probably speaks about. */
static void random_path_of(const struct naive_rule *rule, char out[NAIVE_PATTERN_MAX])
{
	size_t length;

	if (!rule || random_percent(8)) {
		out[0] = 0;
		append_names(out, 1 + random_below(4));
		return;
	}
	random_instance(rule->pattern, out);
	length = strlen(out);
	if (length > 1 && random_percent(12))
		out[1 + random_below((unsigned int)length - 1)] = 'a';
	if (out[0] == '/' && out[1] && random_percent(8))
		append_names(out, 1);
	if (random_percent(2))
		append(out, "\xff");
	/* A changed letter can have made one of the names that do not exist. */
	if (strstr(out, "//") || strstr(out, "/./") || strstr(out, "/../"))
		strcpy(out, "/a/b");
	length = strlen(out);
	if (length > 1 && (out[length - 1] == '/' || !strcmp(out + length - 2, "/.") ||
			   (length > 2 && !strcmp(out + length - 3, "/.."))))
		strcpy(out, "/a/b/x");
}

static inline void random_path(const struct naive_policy *policy, char out[NAIVE_PATTERN_MAX])
{
	random_path_of(random_rule(policy, (enum random_aim)random_below(3)), out);
}

/* --- path rules --- */

#define CREATE_TO_CHATTR \
	(WARDER_CREATE | WARDER_DELETE | WARDER_RENAME | WARDER_LINK | WARDER_CHATTR)
#define READING (WARDER_READ | WARDER_LIST | WARDER_STAT)

/* The words of the manual page. */
static const struct word {
	const char *text;
	__u32 allow, deny;
} words[] = {
	{"read", READING, READING},
	{"write", READING | WARDER_WRITE | CREATE_TO_CHATTR, WARDER_WRITE | CREATE_TO_CHATTR},
	{"write-only", WARDER_STAT | WARDER_WRITE | CREATE_TO_CHATTR,
	 WARDER_WRITE | CREATE_TO_CHATTR},
	{"list", WARDER_LIST, WARDER_LIST},
	{"create", WARDER_CREATE, WARDER_CREATE},
	{"delete", WARDER_DELETE, WARDER_DELETE},
	{"rename", WARDER_RENAME, WARDER_RENAME},
	{"link", WARDER_LINK, WARDER_LINK},
	{"chattr", WARDER_CHATTR, WARDER_CHATTR},
	{"map-exec", WARDER_MAP_EXEC, WARDER_MAP_EXEC},
	{"exec", 0, WARDER_EXEC | WARDER_MAP_EXEC},
	{"connect", 0, WARDER_CONNECT},
};

#define WORD_COUNT (sizeof(words) / sizeof(words[0]))

/* In single quotes, where YAML gives no character but the quote itself a meaning. */
static void add_quoted(struct text *text, const char *value)
{
	text_add(text, "'%s'", value);
}

static struct naive_rule *rule_new(struct naive_policy *policy, unsigned int key, __u32 rights)
{
	struct naive_rule *rule = &policy->rules[policy->rule_count++];

	if (policy->rule_count > NAIVE_RULES_MAX)
		abort();
	memset(rule, 0, sizeof(*rule));
	rule->key = key;
	rule->rights = rights;
	return rule;
}

/* One to three patterns in brackets. */
static void add_paths(struct text *text, struct naive_policy *policy, unsigned int key,
		      __u32 rights, bool names_objects)
{
	unsigned int count = 1 + random_below(3), i;

	text_add(text, "[");
	for (i = 0; i < count; i++) {
		struct naive_rule *rule = rule_new(policy, key, rights);

		rule->names = names_objects;
		/* What would open everything, were it not reserved. */
		if (!names_objects && rights & (WARDER_EXEC | WARDER_CONNECT) && random_percent(50))
			strcpy(rule->pattern, "/**");
		else if (rights == WARDER_CONNECT)
			random_socket_pattern(rule->pattern);
		else
			random_pattern(rule->pattern);
		text_add(text, i ? ", " : "");
		add_quoted(text, rule->pattern);
	}
	text_add(text, "]\n");
}

/* Denies overlap with what is allowed, or they would be noise. */
static void deny_pattern(const struct naive_policy *policy, size_t rules, bool socket,
			 char out[NAIVE_PATTERN_MAX])
{
	const char *other = rules ? policy->rules[random_below((unsigned int)rules)].pattern : "@";

	if (random_percent(30) && other[0] != '@')
		strcpy(out, other);
	else if (socket)
		random_socket_pattern(out);
	else
		random_pattern(out);
}

static void add_excepts(struct text *text, struct naive_rule *rule, bool socket)
{
	rule->except_count = 1 + random_below(2);
	text_add(text, ", except: [");
	if (random_percent(50) && rule->pattern[0] != '@') {
		random_instance(rule->pattern, rule->except[0]);
		/* Literal: metacharacters that it happens to hold are not escaped. */
		if (strpbrk(rule->except[0], "*?[]{}\\"))
			strcpy(rule->except[0], "/a/**");
	} else {
		deny_pattern(NULL, 0, socket, rule->except[0]);
	}
	add_quoted(text, rule->except[0]);
	if (rule->except_count == 2) {
		deny_pattern(NULL, 0, socket, rule->except[1]);
		text_add(text, ", ");
		add_quoted(text, rule->except[1]);
	}
	text_add(text, "]");
}

static void add_denies(struct text *text, struct naive_policy *policy, unsigned int key)
{
	unsigned int first = random_below(WORD_COUNT), count = 1 + random_below(3), i, k;

	text_add(text, "      deny:\n");
	for (i = 0; i < count; i++) {
		const struct word *word = &words[(first + i) % WORD_COUNT];
		bool socket = word->deny == WARDER_CONNECT;

		text_add(text, "        %s: [", word->text);
		for (k = random_below(2) + 1; k > 0; k--) {
			size_t rules = policy->rule_count;
			struct naive_rule *rule = rule_new(policy, key, word->deny);

			rule->deny = true;
			deny_pattern(policy, rules, socket, rule->pattern);
			text_add(text, "{path: ");
			add_quoted(text, rule->pattern);
			if (random_percent(35))
				add_excepts(text, rule, socket);
			text_add(text, k > 1 ? "}, " : "}");
		}
		text_add(text, "]\n");
	}
}

static void add_files(struct text *text, struct naive_policy *policy, unsigned int key)
{
	unsigned int first = random_below(WORD_COUNT), count = 1 + random_below(3), i;

	text_add(text, "    files:\n");
	for (i = 0; i < count; i++) {
		const struct word *word = &words[(first + i) % WORD_COUNT];

		if (!word->allow)
			continue;
		text_add(text, "      %s: ", word->text);
		add_paths(text, policy, key, word->allow, false);
	}
	/* At least one word, whatever was chosen. */
	if (first >= WORD_COUNT - 2) {
		text_add(text, "      %s: ", words[5].text);
		add_paths(text, policy, key, words[5].allow, false);
	}
	if (!policy->tool[key] && random_percent(60))
		add_denies(text, policy, key);
}

/* --- network rules --- */

static const unsigned char v4_pool[][4] = {{10, 0, 0, 0},  {10, 1, 0, 0},  {10, 1, 2, 0},
					   {10, 1, 2, 3},  {127, 0, 0, 1}, {0, 0, 0, 0},
					   {127, 0, 0, 0}, {192, 0, 2, 1}, {255, 255, 255, 255}};
static const unsigned char v6_pool[][16] = {{0},
					    {[15] = 1},
					    {0x20, 1, 0x0d, 0xb8},
					    {0x20, 1, 0x0d, 0xb8, 0, 1},
					    {0x20, 1, 0x0d, 0xb8, 0, 1, [15] = 9},
					    {0xfe, 0x80},
					    {[10] = 0xff, 0xfe, 1},
					    {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
					     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}};

static void clear_host_bits(unsigned char *bytes, unsigned int width, unsigned int prefix)
{
	unsigned int bit;

	for (bit = prefix; bit < width; bit++)
		bytes[bit / 8] &= (unsigned char)~(0x80u >> bit % 8);
}

static bool all_zero(const unsigned char *bytes, size_t size)
{
	while (size && !bytes[size - 1])
		size--;
	return !size;
}

static void random_network(struct naive_net *net, bool any, char out[80])
{
	static const unsigned int lengths4[] = {0, 7, 8, 9, 16, 24, 25, 31, 32, 32};
	static const unsigned int lengths6[] = {0, 1, 10, 32, 47, 48, 64, 80, 95, 127, 128, 128};
	char shown[INET6_ADDRSTRLEN];

	net->family = any || random_percent(3) ? 0 : random_percent(60) ? 4 : 6;
	if (!net->family) {
		strcpy(out, "*");
		return;
	}
	if (net->family == 4) {
		memcpy(net->address, RANDOM_OF(v4_pool), 4);
		net->prefix = RANDOM_OF(lengths4);
	} else {
		memcpy(net->address, RANDOM_OF(v6_pool), 16);
		net->prefix = RANDOM_OF(lengths6);
	}
	clear_host_bits(net->address, net->family == 4 ? 32 : 128, net->prefix);
	/* The unspecified address is no host. */
	if (all_zero(net->address, net->family == 4 ? 4 : 16) &&
	    net->prefix == (net->family == 4 ? 32 : 128))
		net->prefix = 3;
	inet_ntop(net->family == 4 ? AF_INET : AF_INET6, net->address, shown, sizeof(shown));
	if (net->prefix == (net->family == 4 ? 32 : 128) && random_percent(70))
		snprintf(out, 80, net->family == 4 ? "%s" : "[%s]", shown);
	else
		snprintf(out, 80, net->family == 4 ? "%s/%u" : "[%s]/%u", shown, net->prefix);
}

static const unsigned int port_pool[] = {1, 22, 25, 80, 443, 8000, 8050, 8100, 65534, 65535};

static void add_endpoint(struct text *text, struct naive_policy *policy, unsigned int key)
{
	struct naive_net *net = &policy->nets[policy->net_count++];
	/* What would open everything, were it not reserved. */
	bool any = !policy->tool[key] && random_percent(40);
	unsigned int ports = any ? 0 : random_below(4), i;
	char network[80];

	if (policy->net_count > NAIVE_NETS_MAX)
		abort();
	memset(net, 0, sizeof(*net));
	net->key = key;
	net->names = policy->tool[key];
	net->proto = random_percent(70) ? WARDER_PROTO_TCP : WARDER_PROTO_UDP;
	random_network(net, any, network);
	text_add(text, "\"%s:%s:", net->proto == WARDER_PROTO_TCP ? "tcp" : "udp", network);
	if (!ports) {
		text_add(text, "*");
		net->ports[net->port_count].low = 1;
		net->ports[net->port_count++].high = 65535;
	}
	for (i = 0; i < ports; i++) {
		unsigned int a = RANDOM_OF(port_pool), b = RANDOM_OF(port_pool);

		net->ports[i].low = a < b ? a : b;
		net->ports[i].high = random_percent(50) ? net->ports[i].low : a < b ? b : a;
		text_add(text, "%s%u", i ? "," : "", net->ports[i].low);
		if (net->ports[i].high > net->ports[i].low || random_percent(20))
			text_add(text, "-%u", net->ports[i].high);
		net->port_count++;
	}
	text_add(text, "\"");
}

static void add_network(struct text *text, struct naive_policy *policy, unsigned int key)
{
	unsigned int count = 1 + random_below(4), i;

	text_add(text, "    network: {connect: [");
	for (i = 0; i < count; i++) {
		text_add(text, i ? ", " : "");
		add_endpoint(text, policy, key);
	}
	text_add(text, "]}\n");
}

/* A rule to be tried, of a tool (or of none) when there is one. NULL: none at all. */
static inline const struct naive_net *random_net(const struct naive_policy *policy, bool of_tool)
{
	const struct naive_net *net = NULL;
	unsigned int tries;

	for (tries = 8; policy->net_count && tries; tries--) {
		net = &policy->nets[random_below((unsigned int)policy->net_count)];
		if (net->names == of_tool)
			break;
	}
	return net;
}

static void map_v4(const unsigned char bytes[4], unsigned char out[16])
{
	memset(out, 0, 16);
	out[10] = out[11] = 0xff;
	memcpy(out + 12, bytes, 4);
}

/* An address that the rule probably names. */
static inline void random_address(const struct naive_net *net, unsigned char out[16])
{
	unsigned int bit;

	if (!net || !net->family || random_percent(10)) {
		if (random_percent(50))
			memcpy(out, RANDOM_OF(v6_pool), 16);
		else
			map_v4(RANDOM_OF(v4_pool), out);
		return;
	}
	memcpy(out, net->address, 16);
	if (net->family == 4)
		map_v4(net->address, out);
	/* A host of the network: the first, the last, any; or one of the network beside it. */
	bit = net->family == 4 ? 96 + net->prefix : net->prefix;
	if (bit && random_percent(10))
		bit--;
	if (random_percent(60)) {
		bool last = random_percent(30);

		for (; bit < 128; bit++)
			if (last || random_percent(50))
				out[bit / 8] ^= (unsigned char)(0x80u >> bit % 8);
	}
}

/* A port that the rule names, or one beside it. */
static inline unsigned int random_port(const struct naive_net *net)
{
	unsigned int port = RANDOM_OF(port_pool), which;

	if (net && random_percent(80)) {
		which = random_below((unsigned int)net->port_count);
		port = random_percent(50) ? net->ports[which].low : net->ports[which].high;
	}
	if (random_percent(30))
		port += random_below(3) - 1;
	return port > 65535 ? 65535 : port;
}

/* --- policies --- */

static const struct call {
	const char *name;
	int number;
} calls[] = {{"ptrace", 101}, {"io_uring_setup", 425}, {"bpf", 321}, {"mount", 165}, {"kill", 62}};

static void add_tool(struct text *text, struct naive_policy *policy, unsigned int key)
{
	bool any = false;

	text_add(text, "  k%u:\n", key);
	policy->tool[key] = true;
	policy->shared[key] = random_percent(20);
	if (policy->shared[key] || random_percent(20))
		text_add(text, "    shared: %s\n", policy->shared[key] ? "true" : "false");
	if (random_percent(40)) {
		add_files(text, policy, key);
		any = true;
	}
	if (random_percent(40)) {
		text_add(text, "    unix: {connect: ");
		add_paths(text, policy, key, WARDER_CONNECT, true);
		text->used--; /* the newline */
		text_add(text, "}\n");
		any = true;
	}
	if (random_percent(50)) {
		add_network(text, policy, key);
		any = true;
	}
	if (!any || random_percent(75)) {
		text_add(text, "    exec: ");
		add_paths(text, policy, key, WARDER_EXEC | WARDER_MAP_EXEC, true);
	}
}

static void add_calls(struct text *text, struct naive_policy *policy, unsigned int key)
{
	const struct call *call = &RANDOM_OF(calls);

	if (policy->call_count == NAIVE_CALLS_MAX)
		return;
	text_add(text, "    syscalls: {deny: [%s]}\n", call->name);
	policy->calls[policy->call_count].key = key;
	policy->calls[policy->call_count++].number = call->number;
}

static void add_set(struct text *text, struct naive_policy *policy, unsigned int key)
{
	text_add(text, "  k%u:\n    capabilities: none\n", key);
	if (random_percent(85))
		add_files(text, policy, key);
	if (random_percent(75)) {
		text_add(text, "    exec: ");
		add_paths(text, policy, key, WARDER_EXEC | WARDER_MAP_EXEC, false);
	}
	if (random_percent(40)) {
		text_add(text, "    unix: {connect: ");
		add_paths(text, policy, key, WARDER_CONNECT, false);
		text->used--;
		text_add(text, "}\n");
	}
	if (random_percent(80))
		add_network(text, policy, key);
	if (random_percent(20))
		add_calls(text, policy, key);
}

/* Keys are numbered in the order in which they are written. */
static inline void random_policy(struct text *text, struct naive_policy *policy)
{
	unsigned int tools = random_percent(10) ? 0 : 1 + random_below(4),
		     sets = 1 + random_below(2), i;
	bool tools_first = random_percent(50);

	text->used = 0;
	policy->key_count = tools + sets;
	policy->rule_count = policy->net_count = policy->call_count = 0;
	memset(policy->tool, 0, sizeof(policy->tool));
	memset(policy->shared, 0, sizeof(policy->shared));
	text_add(text, "version: 1\npolicy: random\nmodel: agent-in-sandbox\n");
	if (tools && tools_first)
		text_add(text, "tools:\n");
	for (i = 0; tools_first && i < tools; i++)
		add_tool(text, policy, i);
	text_add(text, "sets:\n");
	for (i = 0; i < sets; i++)
		add_set(text, policy, tools_first ? tools + i : i);
	if (tools && !tools_first)
		text_add(text, "tools:\n");
	for (i = 0; !tools_first && i < tools; i++)
		add_tool(text, policy, sets + i);
}

#endif
