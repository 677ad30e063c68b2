// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * log.c - the audit log: one JSON object a line.
 */
#include "audit/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>

#include "audit/event.h"
#include "base/cleanup.h"
#include "base/duration.h"
#include "base/file.h"

/* The login uid, which survives sudo; -1 when there is none. */
static long login_uid(void)
{
	_cleanup_free_ char *text = NULL;
	unsigned long uid;

	if (warder_file_read("/proc/self/loginuid", &text, NULL) < 0)
		return -1;
	uid = strtoul(text, NULL, 10);
	return uid == 0xffffffffu ? -1 : (long)uid;
}

static int append_line(const char *line, size_t size)
{
	_cleanup_close_ int fd =
		open(WARDER_LOG_PATH, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return -errno;
	while (flock(fd, LOCK_EX) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return warder_file_write_fd(fd, line, size);
}

int warder_log_append(json_t *record)
{
	_cleanup_free_ char *text = NULL, *line = NULL;
	int length;

	if (!record)
		return -ENOMEM;
	text = json_dumps(record, JSON_COMPACT | JSON_ENSURE_ASCII);
	json_decref(record);
	if (!text)
		return -ENOMEM;
	length = asprintf(&line, "%s\n", text);
	return length < 0 ? -ENOMEM : append_line(line, length);
}

static void set_string(json_t *object, const char *key, const char *value)
{
	if (value)
		warder_json_set_bytes(object, key, value, strlen(value));
}

static void set_stats(json_t *object, const struct warder_stats *stats)
{
	json_object_set_new(object, "refusals", json_integer(stats->denied));
	json_object_set_new(object, "not_recorded",
			    json_integer(stats->suppressed + stats->dropped));
}

int warder_log_deed(const struct warder_deed *deed)
{
	const struct warder_subject *subject = deed->subject;
	__u64 now = warder_boottime();
	json_t *object = json_object();

	if (!object)
		return -ENOMEM;
	set_string(object, "type", deed->type);
	json_object_set_new(object, "time", json_real(warder_boottime_to_wall(now)));
	json_object_set_new(object, "boottime", json_integer(now));
	json_object_set_new(object, "by_uid", json_integer(getuid()));
	json_object_set_new(object, "by_loginuid", json_integer(login_uid()));
	json_object_set_new(object, "by_pid", json_integer(getpid()));
	set_string(object, "subject", subject->name);
	json_object_set_new(object, "binding", json_integer(subject->binding));
	set_string(object, "policy", subject->policy);
	set_string(object, "set", subject->set);
	json_object_set_new(object, "generation", json_integer(subject->generation));
	set_string(object, "key", deed->key);
	set_string(object, "reason", deed->reason);
	set_string(object, "command", deed->command);
	if (deed->until == WARDER_FOREVER)
		set_string(object, "until", "revoked");
	else if (deed->until)
		json_object_set_new(object, "until",
				    json_real(warder_boottime_to_wall(deed->until)));
	if (deed->stats)
		set_stats(object, deed->stats);
	return warder_log_append(object);
}
