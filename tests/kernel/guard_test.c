// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * guard_test.c - bpf, bpf_map, bpf_prog: the enforcer's own parts are out of reach of a root
 * subject that may write every file there is. (proc_test.c has the pins and cgroup files.)
 */
#include "sockets.h"

#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <sys/mount.h>
#include <sys/syscall.h>

static const char policy[] = "sets: { code: { files: { write: ['/**'] } } }\n";

#define COMMANDS   48
#define PIN	   WARDER_PIN_DIR "/maps/subjects"
#define LINK_PIN   WARDER_PIN_DIR "/links/global/file_open"
#define TWIN_PIN   WARDER_PIN_DIR "/links/twin/socket_connect"
#define GLOBAL_NET WARDER_PIN_DIR "/links/global"

static int call_bpf(int command, union bpf_attr *attributes)
{
	return syscall(SYS_bpf, command, attributes, sizeof(*attributes)) < 0 ? -errno : 0;
}

/* Each command with nothing in it, and with garbage; the results in kt_shared(). */
static int act_all_commands(const void *unused)
{
	int(*results)[COMMANDS] = kt_shared();
	union bpf_attr attributes;
	int command;

	for (command = 0; command < COMMANDS; command++) {
		memset(&attributes, 0, sizeof(attributes));
		results[0][command] = call_bpf(command, &attributes);
		memset(&attributes, 0x5a, sizeof(attributes));
		results[1][command] = call_bpf(command, &attributes);
	}
	return 0;
}

TEST(every_command)
{
	_cleanup_subject_ struct kt_subject s = {};
	int(*results)[COMMANDS] = kt_shared(), command, passed = 0, others = 0;

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_result("run inside", kt_inside(&s, act_all_commands, NULL), 0);
	for (command = 0; command < COMMANDS; command++) {
		if (results[0][command] == -EPERM && results[1][command] == -EPERM)
			continue;
		passed++;
		printf("\tcommand %d: %d, %d\n", command, results[0][command], results[1][command]);
	}
	kt_check_why("all are refused", !passed, "%d are not", passed);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_BPF,
				    .reason = WARDER_REASON_SURFACE,
				    .error = -EPERM});
	kt_result("run outside", kt_outside(&s, act_all_commands, NULL), 0);
	for (command = 0; command < COMMANDS; command++)
		others += results[0][command] != -EPERM;
	kt_check_why("control gets further", others > 20, "in %d commands only", others);
}

static int act_get_pin(const void *path)
{
	int fd = bpf_obj_get(path);

	return fd < 0 ? fd : 0;
}

static int map_fd = -1, link_fd = -1;

static int act_read_map(const void *unused)
{
	struct warder_state state;
	__u32 zero = 0;

	return bpf_map_lookup_elem(map_fd, &zero, &state);
}

static int act_write_map(const void *unused)
{
	struct warder_state state = {};
	__u32 zero = 0;

	return bpf_map_update_elem(map_fd, &zero, &state, BPF_ANY);
}

static int act_detach_link(const void *unused)
{
	return bpf_link_detach(link_fd);
}

static int act_map_by_number(const void *unused)
{
	__u32 id = 0;
	int fd = bpf_map_get_next_id(0, &id);

	if (fd < 0)
		return fd;
	fd = bpf_map_get_fd_by_id(id);
	return fd < 0 ? fd : 0;
}

static int act_link_by_number(const void *unused)
{
	__u32 id = 0;
	int fd = bpf_link_get_next_id(0, &id);

	if (fd < 0)
		return fd;
	fd = bpf_link_get_fd_by_id(id);
	return fd < 0 ? fd : 0;
}

TEST(maps_and_links)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct warder_state before = {}, after = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	map_fd = warder_session_map(kt_session(), WARDER_MAP_state);
	link_fd = bpf_obj_get(TWIN_PIN);
	warder_session_state(kt_session(), &before);
	kt_result("get a pinned map", kt_inside(&s, act_get_pin, PIN), -EPERM);
	kt_result("control", kt_outside(&s, act_get_pin, PIN), 0);
	kt_result("get a pinned link", kt_inside(&s, act_get_pin, LINK_PIN), -EPERM);
	kt_result("control", kt_outside(&s, act_get_pin, LINK_PIN), 0);
	kt_result("map by number", kt_inside(&s, act_map_by_number, NULL), -EPERM);
	kt_result("control", kt_outside(&s, act_map_by_number, NULL), 0);
	kt_result("link by number", kt_inside(&s, act_link_by_number, NULL), -EPERM);
	kt_result("control", kt_outside(&s, act_link_by_number, NULL), 0);
	kt_result("read an inherited map", kt_inside(&s, act_read_map, NULL), -EPERM);
	kt_result("control", kt_outside(&s, act_read_map, NULL), 0);
	kt_result("write an inherited map", kt_inside(&s, act_write_map, NULL), -EPERM);
	kt_result("detach an inherited link", kt_inside(&s, act_detach_link, NULL), -EPERM);
	warder_session_state(kt_session(), &after);
	kt_check("the map is as it was", !memcmp(&before, &after, sizeof(before)));
	kt_result("receive a map", net_pass(&s, true, fcntl(map_fd, F_DUPFD_CLOEXEC, 3)), -ENOMSG);
	kt_result("control", net_pass(&s, false, fcntl(map_fd, F_DUPFD_CLOEXEC, 3)), 0);
	kt_result("receive a link", net_pass(&s, true, fcntl(link_fd, F_DUPFD_CLOEXEC, 3)),
		  -ENOMSG);
	kt_result("still confined",
		  kt_inside(&s, act_connect, TO(AF_INET, SOCK_STREAM, "127.0.0.1", PORT_OPEN)),
		  -EACCES);
	close(link_fd);
}

static int act_unmount_pins(const void *unused)
{
	return umount2("/sys/fs/bpf", MNT_DETACH) < 0 ? -errno : 0;
}

static int act_cover_pins(const void *unused)
{
	return mount("none", "/sys/fs/bpf", "tmpfs", 0, NULL) < 0 ? -errno : 0;
}

static int act_another_bpffs(const void *unused)
{
	return mount("none", "a", "bpf", 0, NULL) < 0 ? -errno : 0;
}

static int act_unlink(const void *path)
{
	return unlink(path) < 0 ? -errno : 0;
}

static int act_rename_net(const void *unused)
{
	return rename(GLOBAL_NET, GLOBAL_NET "-") < 0 ? -errno : 0;
}

static int act_open_pin(const void *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);

	return fd < 0 ? -errno : 0;
}

static int act_link_pin(const void *path)
{
	return link(path, "a/pin") < 0 ? -errno : 0;
}

TEST(pins)
{
	_cleanup_subject_ struct kt_subject s = {};
	struct warder_error error = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_mkdir("%s/a", s.dir);
	kt_result("unmount", kt_inside(&s, act_unmount_pins, NULL), -EPERM);
	kt_result("cover", kt_inside(&s, act_cover_pins, NULL), -EPERM);
	kt_result("mount another", kt_inside(&s, act_another_bpffs, NULL), -EPERM);
	kt_result("unlink a link", kt_inside(&s, act_unlink, LINK_PIN), -EACCES);
	kt_event(&s, "reported",
		 &(struct kt_match){.hook = WARDER_HOOK_PATH_UNLINK,
				    .reason = WARDER_REASON_SURFACE,
				    .missing = WARDER_DELETE,
				    .text = LINK_PIN});
	kt_result("rename the directory", kt_inside(&s, act_rename_net, NULL), -EACCES);
	kt_result("open", kt_inside(&s, act_open_pin, PIN), -EACCES);
	/* Another file system is looked at first. */
	kt_result("link", kt_inside(&s, act_link_pin, PIN), -EXDEV);
	kt_check_why("all are there", !warder_session_verify(kt_session(), &error), "%s",
		     error.text);
	kt_result("control: bpf file systems can be mounted",
		  kt_outside(&s, act_another_bpffs, NULL), 0);
	kt_check("unmounted", !umount2(strcat(strcpy((char[200]){}, s.dir), "/a"), MNT_DETACH));
}
