// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * event.c - what an event says: its act and its object.
 */
#include "audit/event.h"

#include <arpa/inet.h>
#include <endian.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

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

bool warder_event_corrects(const struct warder_event *event)
{
	return event->flags & WARDER_EVENT_EXISTED && !event->error && !event->keys;
}

/* Digits from `text` on. */
static size_t count_digits(const char *text, const char *end)
{
	size_t count = 0;

	while (text + count < end && text[count] >= '0' && text[count] <= '9')
		count++;
	return count;
}

static __u32 rights_refused(const struct warder_event *event)
{
	return event->missing ? event->missing : event->rights;
}

bool warder_event_is_exec(const struct warder_event *event)
{
	if (event->object != WARDER_OBJECT_PATH)
		return false;
	/*
	 * Only an exec opens a file to run it: the program, its interpreter, its loader. What was
	 * tried is an exec, though the hook asks for the weaker right that a loader needs too.
	 */
	return event->hook == WARDER_HOOK_BPRM_CHECK_SECURITY ||
	       (event->hook == WARDER_HOOK_FILE_OPEN && rights_refused(event) == WARDER_MAP_EXEC);
}

bool warder_event_is_open(const struct warder_event *event)
{
	return event->syscall == SYS_open || event->syscall == SYS_creat ||
	       event->syscall == SYS_openat || event->syscall == SYS_openat2;
}

bool warder_event_is_unnamed(const struct warder_event *event, const char *text)
{
	const char *slash = memrchr(text, '/', event->text_length);
	size_t digits = slash ? count_digits(slash + 2, text + event->text_length) : 0;

	/* No other open asks for this right. */
	return event->hook == WARDER_HOOK_FILE_OPEN && event->object == WARDER_OBJECT_PATH &&
	       event->rights & WARDER_CREATE && digits && slash[1] == '#' &&
	       slash + 2 + digits == text + event->text_length;
}

size_t warder_event_text_shown(const struct warder_event *event, const char *text)
{
	size_t length;

	if (!warder_event_is_unnamed(event, text))
		return event->text_length;
	length = (const char *)memrchr(text, '/', event->text_length) - text;
	return length ? length : 1;
}

enum warder_net_op warder_event_operation(const struct warder_event *event)
{
	switch (event->hook) {
	case WARDER_HOOK_SOCKET_BIND:
	case WARDER_HOOK_SOCKET_LISTEN:
		return WARDER_NET_BIND;
	case WARDER_HOOK_INET_CONN_REQUEST:
		return WARDER_NET_ACCEPT;
	default:
		return WARDER_NET_CONNECT;
	}
}

const char *warder_event_act(const struct warder_event *event, const char *text, char *buffer,
			     size_t size)
{
	__u32 rights = rights_refused(event);

	if (event->object == WARDER_OBJECT_SYSCALL)
		snprintf(buffer, size, "system call");
	else if (event->object == WARDER_OBJECT_SURFACE)
		snprintf(buffer, size, "use");
	else if (warder_event_is_unnamed(event, text))
		snprintf(buffer, size, "create unnamed file in");
	else if (warder_event_is_exec(event))
		snprintf(buffer, size, "exec");
	else if (rights)
		warder_name_rights(rights, buffer, size);
	else
		snprintf(buffer, size, "%s", warder_name_act(event->hook));
	return buffer;
}

static void format_address(const struct warder_event *event, char *buffer, size_t size)
{
	const char *protocol =
		warder_name_protocol(event->family, event->socket_type & 0xf, event->proto);
	char address[INET6_ADDRSTRLEN] = "?", before[24] = "", after[8] = "";
	struct in6_addr raw;
	__u64 high = htobe64(event->address_hi), low = htobe64(event->address_lo);

	memcpy(raw.s6_addr, &high, 8);
	memcpy(raw.s6_addr + 8, &low, 8);
	if (protocol)
		snprintf(before, sizeof(before), "%s:", protocol);
	else if (event->proto)
		snprintf(before, sizeof(before), "proto-%u:", event->proto);
	/* A packet on its way has none that is known here. */
	if (protocol || event->proto || event->port)
		snprintf(after, sizeof(after), ":%u", event->port);
	if (IN6_IS_ADDR_V4MAPPED(&raw)) {
		inet_ntop(AF_INET, raw.s6_addr + 12, address, sizeof(address));
		snprintf(buffer, size, "%s%s%s", before, address, after);
	} else {
		inet_ntop(AF_INET6, &raw, address, sizeof(address));
		snprintf(buffer, size, "%s[%s]%s", before, address, after);
	}
}

static void format_socket(const struct warder_event *event, char *buffer, size_t size)
{
	unsigned int type = event->socket_type & 0xf;
	const char *family = warder_name_family(event->family);
	const char *type_name = warder_name_socket_type(type);
	const char *protocol = warder_name_protocol(event->family, type, event->proto);
	char family_number[32], type_number[16], protocol_number[24];

	snprintf(family_number, sizeof(family_number), "socket of family %u", event->family);
	snprintf(type_number, sizeof(type_number), "type %u", type);
	if (event->proto)
		snprintf(protocol_number, sizeof(protocol_number), ", protocol %u", event->proto);
	else
		protocol_number[0] = '\0';
	snprintf(buffer, size, "%s%s, %s%s%s", family ? family : family_number,
		 family ? " socket" : "", type_name ? type_name : type_number, protocol ? ", " : "",
		 protocol ? protocol : protocol_number);
}

static void format_process(const struct warder_event *event, char *buffer, size_t size)
{
	const char *signal = event->signal ? sigabbrev_np(event->signal) : NULL;

	if (signal)
		snprintf(buffer, size, "process %u (SIG%s)", event->number, signal);
	else if ((int)event->signal >= SIGRTMIN && (int)event->signal <= SIGRTMAX)
		snprintf(buffer, size, "process %u (SIGRTMIN+%u)", event->number,
			 event->signal - SIGRTMIN);
	else if (event->signal)
		snprintf(buffer, size, "process %u (signal %u)", event->number, event->signal);
	else
		snprintf(buffer, size, "process %u", event->number);
}

static void format_number(const struct warder_event *event, char *buffer, size_t size)
{
	const char *name;

	if (event->object == WARDER_OBJECT_SYSCALL) {
		warder_name_syscall(event->number, event->reason == WARDER_REASON_FOREIGN_ABI,
				    buffer, size);
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
		warder_utf8_escape(buffer + skip, size - skip, text,
				   warder_event_text_shown(event, text));
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
	case WARDER_OBJECT_SURFACE:
		snprintf(buffer, size, "%s", warder_name_surface(event->number));
		break;
	case WARDER_OBJECT_CAP:
	case WARDER_OBJECT_SYSCALL:
		format_number(event, buffer, size);
		break;
	}
	return buffer;
}
