// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * section_net.c - `network:` and `unix:`: whom one may connect or send to.
 */
#include <errno.h>
#include <string.h>

#include "base/vector.h"
#include "policy/section.h"
#include "policy/variable.h"

static void add_rule(struct warder_reader *reader, const struct warder_yaml *node,
		     const struct warder_endpoint *endpoint, const char *text)
{
	struct warder_policy *policy = reader->policy;
	struct warder_net_rule rule = {.place = warder_reader_place(reader, node),
				       .key = reader->key,
				       .names = reader->names,
				       .endpoint = *endpoint,
				       .text = strdup(text)};

	if (!rule.text ||
	    !VECTOR_ROOM(policy->net_rules, policy->net_count, policy->net_capacity)) {
		free(rule.text);
		reader->out_of_memory = true;
		return;
	}
	policy->net_rules[policy->net_count++] = rule;
}

static bool is_number(const struct warder_yaml *node)
{
	return node->plain && node->length && strspn(node->text, "0123456789-") == node->length;
}

static void read_endpoint(struct warder_reader *reader, const struct warder_yaml *item,
			  void *context)
{
	_cleanup_filled_ struct warder_filled filled = {0};
	struct warder_endpoint_error error;
	struct warder_endpoint endpoint;

	if (item->type != WARDER_YAML_SCALAR) {
		warder_reader_error(reader, item,
				    "an endpoint with brackets needs double quotes: "
				    "\"tcp:[::1]:443\"",
				    "expected an endpoint, found %s",
				    warder_yaml_type_name(item->type));
		return;
	}
	if (!warder_variable_fill(reader, item, "an endpoint", WARDER_FILL_ENDPOINT, &filled))
		return;
	if (is_number(item)) {
		warder_reader_error(reader, item,
				    "several ports need double quotes: \"tcp:192.0.2.1:80,443\"",
				    "expected an endpoint, found a number");
		return;
	}
	if (warder_endpoint_parse(filled.text, filled.length, &endpoint, &error) < 0)
		warder_filled_error(reader, item, &filled, error.offset, error.hint, error.message);
	else
		add_rule(reader, item, &endpoint, filled.text);
}

static void read_connect(struct warder_reader *reader, const struct warder_yaml *key,
			 const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "endpoints", read_endpoint, NULL);
}

static const struct warder_field network_fields[] = {
	{"connect", read_connect, true, 0}, {"bind", NULL, false, 0}, {"accept", NULL, false, 0},
	{"families", NULL, false, 0},	    {"deny", NULL, false, 0}, {0},
};

void warder_section_network(struct warder_reader *reader, const struct warder_yaml *key,
			    const struct warder_yaml *value, void *context)
{
	if (warder_section_refuse_ungoverned(reader, key, value))
		return;
	if (value->type == WARDER_YAML_SCALAR && !warder_reader_is(value, "none")) {
		warder_reader_error(reader, value, "write none, or {connect: [ENDPOINT]}",
				    "expected none or a mapping for network");
		return;
	}
	if (value->type != WARDER_YAML_SCALAR)
		warder_reader_mapping(reader, value, "network", network_fields, NULL);
}

static void read_socket(struct warder_reader *reader, const struct warder_yaml *item, void *context)
{
	warder_section_add_path(reader, item, "unix.connect", WARDER_CONNECT, true);
}

static void read_unix_connect(struct warder_reader *reader, const struct warder_yaml *key,
			      const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "sockets", read_socket, NULL);
}

static const struct warder_field unix_fields[] = {
	{"connect", read_unix_connect, true, 0},
	{"bind", NULL, false, 0},
	{"accept", NULL, false, 0},
	{"deny", NULL, false, 0},
	{0},
};

void warder_section_unix(struct warder_reader *reader, const struct warder_yaml *key,
			 const struct warder_yaml *value, void *context)
{
	if (!warder_section_refuse_ungoverned(reader, key, value))
		warder_reader_mapping(reader, value, "unix", unix_fields, NULL);
}
