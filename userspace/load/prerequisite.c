// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * prerequisite.c - what a kernel must have before warder can enforce on it.
 *
 * Behaviour is probed where it shows; a version is compared only for a fault that does
 * not show until it lets something through.
 */
#include "load/prerequisite.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>

#include <warder/hook.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "load/cgroup.h"
#include "load/hook.h"
#include "load/kernel.h"

/* Prepare an outcome: state, what was found, what to do. */
static void conclude(struct warder_prerequisite_result *result,
		     enum warder_prerequisite_state state, const char *remedy, const char *format,
		     ...) __attribute__((format(printf, 4, 5)));

static void conclude(struct warder_prerequisite_result *result,
		     enum warder_prerequisite_state state, const char *remedy, const char *format,
		     ...)
{
	va_list arguments;

	result->state = state;
	snprintf(result->remedy, sizeof(result->remedy), "%s",
		 state == WARDER_PREREQUISITE_OK ? "" : remedy);
	va_start(arguments, format);
	vsnprintf(result->found, sizeof(result->found), format, arguments);
	va_end(arguments);
}

/* Read root/path; NULL (errno set) when it cannot be read. */
static char *host_read(const struct warder_prerequisite_host *host, const char *path)
{
	_cleanup_free_ char *full = NULL;
	char *text = NULL;
	size_t length;
	int error;

	if (asprintf(&full, "%s%s", host->root, path) < 0) {
		full = NULL;
		errno = ENOMEM;
		return NULL;
	}
	error = warder_file_read(full, &text, NULL);
	if (error < 0) {
		errno = -error;
		return NULL;
	}
	length = strlen(text);
	if (length && text[length - 1] == '\n')
		text[length - 1] = '\0';
	return text;
}

static void probe_root(const struct warder_prerequisite_host *host,
		       struct warder_prerequisite_result *result)
{
	if (host->privileged)
		conclude(result, WARDER_PREREQUISITE_OK, "", "root");
	else
		conclude(result, WARDER_PREREQUISITE_MISSING,
			 "run it as root: `sudo warder ...` (root of a container with a user "
			 "namespace of its own is not enough)",
			 "uid %u", (unsigned int)geteuid());
}

static void probe_machine(const struct warder_prerequisite_host *host,
			  struct warder_prerequisite_result *result)
{
	conclude(result,
		 strcmp(host->machine, "x86_64") ? WARDER_PREREQUISITE_MISSING
						 : WARDER_PREREQUISITE_OK,
		 "use an x86-64 machine: system call numbers and register layout of others are not "
		 "known to this version",
		 "%s", host->machine);
}

static void probe_version(const struct warder_prerequisite_host *host,
			  struct warder_prerequisite_result *result)
{
	_cleanup_free_ char *signature = host_read(host, "/proc/version_signature");
	struct warder_kernel_version version;

	if (warder_kernel_version_parse(host->release, host->version, signature, &version) < 0) {
		conclude(result, WARDER_PREREQUISITE_UNKNOWN, "boot a kernel of at least 6.1.54",
			 "cannot read \"%s\"", host->release);
		return;
	}
	conclude(result,
		 warder_kernel_version_less(&version, 6, 1, 54) ? WARDER_PREREQUISITE_MISSING
								: WARDER_PREREQUISITE_OK,
		 "upgrade the kernel to 6.1.54 or later and reboot", "%u.%u.%u", version.major,
		 version.minor, version.patch);
}

static void probe_btf(const struct warder_prerequisite_host *host,
		      struct warder_prerequisite_result *result)
{
	_cleanup_free_ char *path = NULL;

	if (asprintf(&path, "%s/sys/kernel/btf/vmlinux", host->root) >= 0 && !access(path, F_OK))
		conclude(result, WARDER_PREREQUISITE_OK, "", "/sys/kernel/btf/vmlinux");
	else
		conclude(result, WARDER_PREREQUISITE_MISSING,
			 "boot a kernel built with CONFIG_DEBUG_INFO_BTF=y (Debian, Ubuntu, Fedora "
			 "and RHEL kernels are), or mount sysfs: `mount -t sysfs sysfs /sys`",
			 "no /sys/kernel/btf/vmlinux");
}

static void probe_cgroup(const struct warder_prerequisite_host *host,
			 struct warder_prerequisite_result *result)
{
	_cleanup_free_ char *mounts = host_read(host, "/proc/self/mountinfo");
	_cleanup_free_ char *path = NULL;

	if (mounts && warder_cgroup_find_mount(mounts, &path) == 0)
		conclude(result, WARDER_PREREQUISITE_OK, "", "%s", path);
	else
		conclude(result, WARDER_PREREQUISITE_MISSING,
			 "mount it: `mount -t cgroup2 cgroup2 /sys/fs/cgroup`; with systemd, boot "
			 "with systemd.unified_cgroup_hierarchy=1",
			 "no cgroup2 mount in /proc/self/mountinfo");
}

static void probe_bpffs(const struct warder_prerequisite_host *host,
			struct warder_prerequisite_result *result)
{
	_cleanup_free_ char *mounts = host_read(host, "/proc/self/mountinfo");

	if (mounts && warder_kernel_has_mount(mounts, "/sys/fs/bpf", "bpf"))
		conclude(result, WARDER_PREREQUISITE_OK, "", "/sys/fs/bpf");
	else
		conclude(result, WARDER_PREREQUISITE_MISSING,
			 "mount it: `mount -t bpf bpf /sys/fs/bpf`",
			 "no bpf file system on /sys/fs/bpf");
}

static void probe_lockdown(const struct warder_prerequisite_host *host,
			   struct warder_prerequisite_result *result)
{
	_cleanup_free_ char *text = host_read(host, "/sys/kernel/security/lockdown");
	char mode[32];

	if (!text && errno == ENOENT) {
		conclude(result, WARDER_PREREQUISITE_OK, "", "no lockdown in this kernel");
		return;
	}
	if (!text || warder_kernel_selected(text, mode, sizeof(mode)) < 0) {
		conclude(result, WARDER_PREREQUISITE_UNKNOWN, "run `warder doctor` as root",
			 "cannot read /sys/kernel/security/lockdown");
		return;
	}
	conclude(result,
		 strcmp(mode, "confidentiality") ? WARDER_PREREQUISITE_OK
						 : WARDER_PREREQUISITE_MISSING,
		 "boot with lockdown=integrity instead of lockdown=confidentiality", "%s", mode);
}

static void probe_preempt(const struct warder_prerequisite_host *host,
			  struct warder_prerequisite_result *result)
{
	_cleanup_free_ char *signature = host_read(host, "/proc/version_signature");
	_cleanup_free_ char *sched = NULL, *cmdline = NULL, *config = NULL, *path = NULL;
	struct warder_kernel_version version;
	enum warder_preemption mode;

	if (warder_kernel_version_parse(host->release, host->version, signature, &version) == 0 &&
	    !warder_kernel_version_less(&version, 6, 2, 0)) {
		conclude(result, WARDER_PREREQUISITE_OK, "", "any mode works on this kernel");
		return;
	}
	sched = host_read(host, "/sys/kernel/debug/sched/preempt");
	cmdline = host_read(host, "/proc/cmdline");
	if (asprintf(&path, "/boot/config-%s", host->release) < 0)
		path = NULL;
	config = path ? host_read(host, path) : NULL;
	mode = warder_kernel_preemption(sched, cmdline, config, host->version);
	conclude(result,
		 mode == WARDER_PREEMPTION_FULL	     ? WARDER_PREREQUISITE_MISSING
		 : mode == WARDER_PREEMPTION_UNKNOWN ? WARDER_PREREQUISITE_UNKNOWN
						     : WARDER_PREREQUISITE_OK,
		 "boot with preempt=voluntary, or upgrade the kernel to 6.2 or later", "%s",
		 warder_preemption_name(mode));
}

static void probe_pid_namespace(const struct warder_prerequisite_host *host,
				struct warder_prerequisite_result *result)
{
	_cleanup_free_ char *path = NULL;
	char link[64] = "";

	if (asprintf(&path, "%s/proc/self/ns/pid", host->root) < 0 ||
	    readlink(path, link, sizeof(link) - 1) < 0)
		snprintf(link, sizeof(link), "cannot read /proc/self/ns/pid");
	conclude(result,
		 warder_kernel_is_first_pid_namespace(link) ? WARDER_PREREQUISITE_OK
							    : WARDER_PREREQUISITE_MISSING,
		 "run warder on the machine itself, not in a container (or in one that shares the "
		 "machine's pid namespace: `--pid=host`), with /proc mounted",
		 "%s", link);
}

/* Append the names of hooks that this kernel lacks. */
static void note_missing_hook(const char *hook, char *missing, size_t size)
{
	size_t used = strlen(missing);

	if (!warder_hook_is_newer(hook) && libbpf_find_vmlinux_btf_id(hook, BPF_LSM_MAC) < 0)
		snprintf(missing + used, size - used, "%s%s", used ? ", " : "", hook);
}

static void probe_hooks(const struct warder_prerequisite_host *host,
			struct warder_prerequisite_result *result)
{
	static const char *const hooks[] = {
#define X(upper, lower) #lower,
		WARDER_LSM_HOOKS(X)
#undef X
	};
	const size_t count = sizeof(hooks) / sizeof(hooks[0]);
	libbpf_print_fn_t before = libbpf_set_print(NULL);
	char missing[400] = "";
	size_t i;

	for (i = 0; i < count; i++)
		note_missing_hook(hooks[i], missing, sizeof(missing));
	libbpf_set_print(before);
	if (missing[0])
		conclude(result, WARDER_PREREQUISITE_MISSING,
			 "boot a kernel built with CONFIG_BPF_LSM=y and CONFIG_SECURITY_PATH=y; a "
			 "kernel newer than this warder may need a newer warder",
			 "missing: %s", missing);
	else
		conclude(result, WARDER_PREREQUISITE_OK, "", "%zu of %zu", count, count);
}

/*
 * The smallest LSM program that can be: hardened kernels refuse the type itself, as
 * root, before the verifier sees it.
 */
static int load_trivial_program(void)
{
	const struct bpf_insn code[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = BPF_LSM_MAC);
	int id = libbpf_find_vmlinux_btf_id("file_open", BPF_LSM_MAC);
	int fd;

	if (id < 0)
		return id;
	options.attach_btf_id = id;
	fd = bpf_prog_load(BPF_PROG_TYPE_LSM, "warder_probe", "GPL", code, 2, &options);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static void probe_programs(const struct warder_prerequisite_host *host,
			   struct warder_prerequisite_result *result)
{
	int error;

	if (!host->privileged) {
		conclude(result, WARDER_PREREQUISITE_UNKNOWN, "run `warder doctor` as root",
			 "only root may try");
		return;
	}
	error = load_trivial_program();
	if (!error)
		conclude(result, WARDER_PREREQUISITE_OK, "", "a trivial one loads");
	else if (error == -EPERM || error == -EACCES)
		conclude(result, WARDER_PREREQUISITE_MISSING,
			 "this kernel or its supervisor forbids BPF LSM programs even to root "
			 "(hardened build, a security module, a container or a micro-VM): run "
			 "warder "
			 "on a stock distribution kernel, on the machine itself, or try it in a "
			 "virtual machine (`make demo`)",
			 "the kernel refuses to load one: %s", strerror(-error));
	else
		conclude(result, WARDER_PREREQUISITE_MISSING,
			 "boot a kernel built with CONFIG_BPF_LSM=y, CONFIG_BPF_SYSCALL=y and "
			 "CONFIG_BPF_JIT=y",
			 "loading one failed: %s", strerror(-error));
}

static void probe_lsm(const struct warder_prerequisite_host *host,
		      struct warder_prerequisite_result *result)
{
	_cleanup_free_ char *list = host_read(host, "/sys/kernel/security/lsm");
	char remedy[sizeof(result->remedy)];

	if (!list) {
		conclude(result, WARDER_PREREQUISITE_UNKNOWN,
			 errno == ENOENT ? "mount it: `mount -t securityfs securityfs "
					   "/sys/kernel/security`"
					 : "run `warder doctor` as root",
			 "cannot read /sys/kernel/security/lsm: %s", strerror(errno));
		return;
	}
	snprintf(remedy, sizeof(remedy),
		 "add `lsm=%s,bpf` to the kernel command line (GRUB: in GRUB_CMDLINE_LINUX of "
		 "/etc/default/grub, then `update-grub`) and reboot",
		 list);
	conclude(result,
		 warder_kernel_list_has(list, "bpf") ? WARDER_PREREQUISITE_OK
						     : WARDER_PREREQUISITE_MISSING,
		 remedy, "%s", list);
}

const struct warder_prerequisite warder_prerequisites[] = {
	{"root", "root", "loading programs and creating cgroups need it", true, probe_root},
	{"machine", "x86-64", "system calls are judged by number", true, probe_machine},
	{"kernel", "Linux 6.1.54 or later",
	 "older ones skip a program that is re-entered on the same CPU: a silent allow", true,
	 probe_version},
	{"btf", "BTF type information", "the programs are fitted to this kernel's structures", true,
	 probe_btf},
	{"hooks", "every hook that warder decides at", "a missing one is an unguarded way", true,
	 probe_hooks},
	{"cgroup2", "cgroup v2, mounted", "a sandbox is a cgroup", true, probe_cgroup},
	{"pidns", "the initial pid namespace",
	 "a subject ends when no task carries its label, and only there all tasks are seen", true,
	 probe_pid_namespace},
	{"bpffs", "the bpf file system on /sys/fs/bpf", "enforcement outlives warder by its pins",
	 true, probe_bpffs},
	{"lockdown", "permission to read kernel memory (lockdown at most at integrity)",
	 "paths are read from it", true, probe_lockdown},
	{"preempt", "a preemption mode that keeps labels (before Linux 6.2: none or voluntary)",
	 "with full preemption task storage lookups fail at random there, and labels with them",
	 true, probe_preempt},
	{"programs", "permission to load BPF LSM programs", "they are what refuses", true,
	 probe_programs},
	{"lsm", "`bpf` in the list of security modules",
	 "without it programs attach and are never asked", false, probe_lsm},
};

const size_t warder_prerequisite_count =
	sizeof(warder_prerequisites) / sizeof(warder_prerequisites[0]);

const struct warder_prerequisite *warder_prerequisite_find(const char *name)
{
	size_t i;

	for (i = 0; i < warder_prerequisite_count; i++) {
		if (!strcmp(warder_prerequisites[i].name, name))
			return &warder_prerequisites[i];
	}
	return NULL;
}

void warder_prerequisite_host_init(struct warder_prerequisite_host *ret_host)
{
	static struct utsname names;
	_cleanup_free_ char *map = NULL;

	uname(&names);
	*ret_host = (struct warder_prerequisite_host){
		.root = "",
		.release = names.release,
		.version = names.version,
		.machine = names.machine,
	};
	if (warder_file_read("/proc/self/uid_map", &map, NULL) < 0)
		map = NULL;
	/* The initial user namespace maps everything to itself. */
	ret_host->privileged = geteuid() == 0 && (!map || strstr(map, "4294967295"));
}

int warder_prerequisite_check(struct warder_error *reterr)
{
	struct warder_prerequisite_host host;
	size_t i;

	warder_prerequisite_host_init(&host);
	for (i = 0; i < warder_prerequisite_count; i++) {
		const struct warder_prerequisite *row = &warder_prerequisites[i];
		struct warder_prerequisite_result result = {};

		if (!row->gates_load)
			continue;
		row->probe(&host, &result);
		if (result.state == WARDER_PREREQUISITE_OK)
			continue;
		return warder_error_set(reterr, host.privileged ? -EOPNOTSUPP : -EPERM,
					"warder cannot enforce here: needs %s (%s); found: %s\n"
					"%s (`warder doctor` shows everything)",
					row->text, row->why, result.found, result.remedy);
	}
	return 0;
}
