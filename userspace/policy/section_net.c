// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * section_net.c - `network:` and `unix:`: whom one may connect to, what one may bind, from whom
 * one may accept, and which other families there are.
 */
#include <string.h>

#include "base/cleanup.h"
#include "base/vector.h"
#include "policy/family.h"
#include "policy/rule_path.h"
#include "policy/section.h"
#include "policy/variable.h"

/* What a list of endpoints is for. */
struct list_context {
	enum warder_net_act act;
	bool deny;
};

/* Takes the text over. */
static void add_rule(struct warder_reader *reader, const struct warder_yaml *node,
		     const struct list_context *list, const struct warder_endpoint *endpoint,
		     char **text)
{
	struct warder_policy *policy = reader->policy;
	bool connects = list->act == WARDER_ACT_CONNECT && !list->deny;
	struct warder_net_rule rule = {.place = warder_reader_place(reader, node),
				       .key = reader->key,
				       .deny = list->deny,
				       .names = reader->names && connects,
				       .endpoint = *endpoint,
				       .text = *text};

	if (!VECTOR_ROOM(policy->net_rules, policy->net_count, policy->net_capacity)) {
		reader->out_of_memory = true;
		return;
	}
	policy->net_rules[policy->net_count++] = rule;
	*text = NULL;
}

/* Written as such: in a star it is meant along with all others. */
static bool denies_free_port(const struct warder_endpoint *endpoint)
{
	size_t i;

	for (i = 0; i < endpoint->port_count; i++) {
		if (endpoint->act == WARDER_ACT_BIND && endpoint->proto == WARDER_PROTO_UDP &&
		    !endpoint->ports[i].low && endpoint->ports[i].high != 65535)
			return true;
	}
	return false;
}

static bool is_number(const struct warder_yaml *node)
{
	return node->plain && node->length && strspn(node->text, "0123456789-") == node->length;
}

static void read_endpoint(struct warder_reader *reader, const struct warder_yaml *item,
			  void *context)
{
	const struct list_context *list = context;
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
	if (warder_endpoint_parse_for(list->act, filled.text, filled.length, &endpoint, &error) < 0)
		warder_filled_error(reader, item, &filled, error.offset, error.hint, error.message);
	else if (list->deny && denies_free_port(&endpoint))
		warder_reader_error(reader, item,
				    "a UDP socket gets a port from the kernel when it first sends; "
				    "a socket that may send nowhere is none of use",
				    "port 0 of UDP cannot be denied");
	else
		add_rule(reader, item, list, &endpoint, &filled.text);
}

static void read_endpoints(struct warder_reader *reader, const struct warder_yaml *key,
			   const struct warder_yaml *value, void *context)
{
	const bool *deny = context;
	struct list_context list = {.act = WARDER_ACT_CONNECT, .deny = *deny};

	if (warder_reader_is(key, "bind"))
		list.act = WARDER_ACT_BIND;
	else if (warder_reader_is(key, "accept"))
		list.act = WARDER_ACT_ACCEPT;
	warder_reader_list(reader, value, "endpoints", read_endpoint, &list);
}

/* --- families --- */

static void read_family(struct warder_reader *reader, const struct warder_yaml *item, void *context)
{
	struct warder_policy *policy = reader->policy;
	struct warder_family_rule rule = {.place = warder_reader_place(reader, item),
					  .key = reader->key};
	struct warder_family_error error;

	if (!warder_reader_text(reader, item, "a socket family"))
		return;
	if (warder_family_parse(item->text, item->length, &rule.family, &rule.protocol, &error) <
	    0) {
		warder_reader_error_at(reader, item, error.offset, error.hint, "%s", error.message);
		return;
	}
	rule.text = strdup(item->text);
	if (!rule.text ||
	    !VECTOR_ROOM(policy->family_rules, policy->family_count, policy->family_capacity)) {
		free(rule.text);
		reader->out_of_memory = true;
		return;
	}
	policy->family_rules[policy->family_count++] = rule;
}

static void read_families(struct warder_reader *reader, const struct warder_yaml *key,
			  const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "socket families", read_family, NULL);
}

/* --- network --- */

static const struct warder_field deny_fields[] = {
	{"connect", read_endpoints, false, 0},
	{"bind", read_endpoints, false, 0},
	{"accept", read_endpoints, false, 0},
	{0},
};

static void read_deny(struct warder_reader *reader, const struct warder_yaml *key,
		      const struct warder_yaml *value, void *context)
{
	bool deny = true;

	if (reader->names) {
		warder_reader_error(
			reader, key,
			"a grant adds rights and never removes one: put it into the sets",
			"deny inside a tool");
		return;
	}
	if (value->type == WARDER_YAML_SEQUENCE) {
		warder_reader_error(reader, value, "write deny: {connect: [ENDPOINT]}",
				    "a deny names what it refuses");
		return;
	}
	if (warder_reader_mapping(reader, value, "network.deny", deny_fields, &deny) &&
	    !value->count)
		warder_reader_error(reader, value, NULL, "empty network.deny");
}

static const struct warder_field network_fields[] = {
	{"connect", read_endpoints, false, 0},
	{"bind", read_endpoints, false, WARDER_CONSTRUCT_NET_BIND},
	{"accept", read_endpoints, false, WARDER_CONSTRUCT_NET_ACCEPT},
	{"families", read_families, false, WARDER_CONSTRUCT_NET_FAMILIES},
	{"deny", read_deny, false, WARDER_CONSTRUCT_NET_DENY},
	{0},
};

void warder_section_network(struct warder_reader *reader, const struct warder_yaml *key,
			    const struct warder_yaml *value, void *context)
{
	bool deny = false;

	if (warder_section_ungoverned(reader, key, value, WARDER_CLASS_NETWORK))
		return;
	if (value->type == WARDER_YAML_SCALAR && !warder_reader_is(value, "none")) {
		warder_reader_error(reader, value, "write none, or {connect: [ENDPOINT]}",
				    "expected none or a mapping for network");
		return;
	}
	if (value->type == WARDER_YAML_SCALAR)
		return;
	if (warder_reader_mapping(reader, value, "network", network_fields, &deny) && !value->count)
		warder_reader_error(reader, value, "write none", "empty network");
}

/* --- unix --- */

static void read_socket(struct warder_reader *reader, const struct warder_yaml *item, void *context)
{
	warder_section_add_path(reader, item, "unix.connect", WARDER_CONNECT, true);
}

static void read_unix_connect(struct warder_reader *reader, const struct warder_yaml *key,
			      const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "sockets", read_socket, NULL);
}

static void read_name(struct warder_reader *reader, const struct warder_yaml *item, void *context)
{
	struct warder_policy *policy = reader->policy;
	struct warder_path_rule rule = {.place = warder_reader_place(reader, item),
					.section = "unix.bind",
					.key = reader->key};

	if (!warder_rule_path_read(reader, item, true, &rule.path))
		return;
	if (!VECTOR_ROOM(policy->unix_binds, policy->unix_bind_count, policy->unix_bind_capacity)) {
		warder_rule_path_release(&rule.path);
		reader->out_of_memory = true;
		return;
	}
	policy->unix_binds[policy->unix_bind_count++] = rule;
}

static void read_unix_bind(struct warder_reader *reader, const struct warder_yaml *key,
			   const struct warder_yaml *value, void *context)
{
	warder_reader_list(reader, value, "sockets", read_name, NULL);
}

static const struct warder_field unix_fields[] = {
	{"connect", read_unix_connect, false, 0},
	{"bind", read_unix_bind, false, WARDER_CONSTRUCT_UNIX_BIND},
	{0},
};

void warder_section_unix(struct warder_reader *reader, const struct warder_yaml *key,
			 const struct warder_yaml *value, void *context)
{
	if (warder_section_ungoverned(reader, key, value, WARDER_CLASS_UNIX)) {
		if (warder_reader_is(value, "ungoverned"))
			warder_section_add_all(reader, value, "unix", WARDER_CONNECT);
		return;
	}
	if (value->type == WARDER_YAML_SEQUENCE) {
		warder_reader_error(reader, value, "write unix: {connect: [PATH]}",
				    "a list of sockets needs what may be done with them");
		return;
	}
	if (warder_reader_mapping(reader, value, "unix", unix_fields, NULL) && !value->count)
		warder_reader_error(reader, value, NULL, "empty unix");
}
