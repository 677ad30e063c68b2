// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * event.c - what an event says: its act and its object.
 */
#include "audit/event.h"

#include <arpa/inet.h>
#include <endian.h>
#include <netinet/in.h>
#include <string.h>

#include <warder/access.h>
#include <warder/hook.h>

#include "audit/name.h"
#include "base/utf8.h"

bool warder_event_parse(const void *sample, size_t size, const struct warder_event **ret_event,
			const char **ret_text)
{
	const struct warder_event *event = sample;

	if (size < sizeof(*event) || event->text_length > size - sizeof(*event))
		return false;
	*ret_event = event;
	*ret_text = (const char *)sample + sizeof(*event);
	return true;
}

bool warder_event_refused(const struct warder_event *event)
{
	return event->error != 0;
}

const char *warder_event_act(const struct warder_event *event, char *buffer, size_t size)
{
	__u32 rights = event->missing ? event->missing : event->rights;

	if (event->object == WARDER_OBJECT_SYSCALL) {
		snprintf(buffer, size, "system call");
		return buffer;
	}
	/*
	 * Only an exec opens a file to run it: the program, its interpreter, its loader. What was
	 * tried is an exec, though the hook asks for the weaker right that a loader needs too.
	 */
	if (event->hook == WARDER_HOOK_FILE_OPEN && rights == WARDER_MAP_EXEC)
		rights = WARDER_EXEC;
	if (rights)
		return warder_name_rights(rights, buffer, size);
	snprintf(buffer, size, "%s", warder_name_act(event->hook));
	return buffer;
}

static void format_address(const struct warder_event *event, char *buffer, size_t size)
{
	const char *protocol = warder_name_protocol(event->proto);
	char address[INET6_ADDRSTRLEN] = "?", unknown[16];
	struct in6_addr raw;
	__u64 high = htobe64(event->address_hi), low = htobe64(event->address_lo);

	memcpy(raw.s6_addr, &high, 8);
	memcpy(raw.s6_addr + 8, &low, 8);
	snprintf(unknown, sizeof(unknown), "proto-%u", event->proto);
	if (IN6_IS_ADDR_V4MAPPED(&raw)) {
		inet_ntop(AF_INET, raw.s6_addr + 12, address, sizeof(address));
		snprintf(buffer, size, "%s:%s:%u", protocol ? protocol : unknown, address,
			 event->port);
	} else {
		inet_ntop(AF_INET6, &raw, address, sizeof(address));
		snprintf(buffer, size, "%s:[%s]:%u", protocol ? protocol : unknown, address,
			 event->port);
	}
}

static void format_socket(const struct warder_event *event, char *buffer, size_t size)
{
	const char *family = warder_name_family(event->family);
	const char *protocol = warder_name_protocol(event->proto);

	if (family)
		snprintf(buffer, size, "%s socket, type %u, ", family, event->socket_type & 0xf);
	else
		snprintf(buffer, size, "socket of family %u, type %u, ", event->family,
			 event->socket_type & 0xf);
	size -= strlen(buffer);
	buffer += strlen(buffer);
	if (protocol)
		snprintf(buffer, size, "%s", protocol);
	else
		snprintf(buffer, size, "protocol %u", event->proto);
}

static void format_process(const struct warder_event *event, char *buffer, size_t size)
{
	const char *signal = event->signal ? sigabbrev_np(event->signal) : NULL;

	if (signal)
		snprintf(buffer, size, "process %u (SIG%s)", event->number, signal);
	else if (event->signal)
		snprintf(buffer, size, "process %u (signal %u)", event->number, event->signal);
	else
		snprintf(buffer, size, "process %u", event->number);
}

static void format_number(const struct warder_event *event, char *buffer, size_t size)
{
	const char *name;

	if (event->object == WARDER_OBJECT_SYSCALL) {
		warder_name_syscall(event->number, buffer, size);
		return;
	}
	name = warder_name_capability(event->number);
	if (name)
		snprintf(buffer, size, "%s", name);
	else
		snprintf(buffer, size, "#%u", event->number);
}

const char *warder_event_object(const struct warder_event *event, const char *text, char *buffer,
				size_t size)
{
	static const char cut[] = "...";
	size_t skip = 0;

	buffer[0] = '\0';
	switch (event->object) {
	case WARDER_OBJECT_PATH:
	case WARDER_OBJECT_UNIX:
	case WARDER_OBJECT_NAMED:
		if (event->flags & WARDER_EVENT_TEXT_CUT && size > sizeof(cut)) {
			memcpy(buffer, cut, sizeof(cut));
			skip = sizeof(cut) - 1;
		}
		warder_utf8_escape(buffer + skip, size - skip, text, event->text_length);
		break;
	case WARDER_OBJECT_ADDRESS:
		format_address(event, buffer, size);
		break;
	case WARDER_OBJECT_SOCKET:
		format_socket(event, buffer, size);
		break;
	case WARDER_OBJECT_PROCESS:
		format_process(event, buffer, size);
		break;
	case WARDER_OBJECT_CAP:
	case WARDER_OBJECT_SYSCALL:
		format_number(event, buffer, size);
		break;
	}
	return buffer;
}
