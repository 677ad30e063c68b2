// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * spelling_test.c - file systems that find a file by other names than its own: FAT (case, dots
 * at the end, 8.3 aliases, names longer than 255 bytes) and ext4 directories that fold case. The
 * name in the kernel's hands is then the first caller's spelling, so a rule about it proves
 * nothing: refused, whatever the rules say.
 */
#include "acts.h"

#include <sys/mount.h>

static const char policy[] = "sets:\n"
			     "  code:\n"
			     "    files:\n"
			     "      write: ['{DIR}/volume', '{DIR}/volume/**']\n"
			     "      deny: { read: ['**/*.key', '**/private/**'] }\n";

/* 85 characters of three bytes each. */
#define EURO   "\xe2\x82\xac"
#define EURO_5 EURO EURO EURO EURO EURO
#define EURO_85                                                                                    \
	EURO_5 EURO_5 EURO_5 EURO_5 EURO_5 EURO_5 EURO_5 EURO_5 EURO_5 EURO_5 EURO_5 EURO_5 EURO_5 \
		EURO_5 EURO_5 EURO_5 EURO_5

#define VOLUME "volume/"

/* 512-byte sectors, one a cluster: boot sector, one FAT of 6, a root of 32, data. */
static void write_fat(const char *path)
{
	static unsigned char image[2048 * 512];
	static const unsigned char boot[] = {
		0xeb, 0x3c, 0x90, 'M',	'S',  'D', 'O', 'S',  '5', '.', '0', 0x00, 0x02, 1,
		1,    0,    1,	  0x00, 0x02, 0,   8,	0xf8, 6,   0,	32,  0,	   2,	 0,
	};
	int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	memcpy(image, boot, sizeof(boot));
	image[510] = 0x55;
	image[511] = 0xaa;
	memcpy(image + 512, "\xf8\xff\xff", 3);
	if (fd < 0 || write(fd, image, sizeof(image)) != sizeof(image))
		abort();
	close(fd);
}

static bool shell(const char *format, const char *dir)
{
	char command[1024];

	snprintf(command, sizeof(command), format, dir, dir, dir);
	return kt_check_why(format, system(command) == 0, "%s", command);
}

static void unmount(struct kt_subject *s)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/volume", s->dir);
	kt_check("unmounted", !umount(path));
}

/* Forget which spellings were used: the first one from now on is kept. */
static void forget_names(void)
{
	kt_check("names are forgotten", !system("echo 2 >/proc/sys/vm/drop_caches"));
}

/* Refused by that spelling, and there for the control. */
static void check_spelling(struct kt_subject *s, const char *path, int reason)
{
	char name[512];

	forget_names();
	kt_events_clear(s);
	snprintf(name, sizeof(name), "%.40s: inside", path);
	kt_result(name, kt_inside(s, act_read, path), -EACCES);
	snprintf(name, sizeof(name), "%.40s: reported", path);
	kt_event(s, name,
		 &(struct kt_match){
			 .hook = WARDER_HOOK_FILE_OPEN, .reason = reason, .missing = WARDER_READ});
	snprintf(name, sizeof(name), "%.40s: control", path);
	kt_result(name, kt_outside(s, act_read, path), 0);
}

TEST(fat)
{
	static const char *const spellings[] = {
		VOLUME "short.key",    VOLUME "short.KEY",
		VOLUME "SHORT.Key",    VOLUME "short.key.",
		VOLUME "plain",	       VOLUME "private/file",
		VOLUME "PRIVATE/file", VOLUME "averylongname.key",
		VOLUME "averyl~1.key",
	};
	static const char *const longer[] = {VOLUME EURO_85 ".key", VOLUME "plain" EURO_85};
	_cleanup_subject_ struct kt_subject s = {};
	char path[256];
	size_t i;

	if (!kt_subject_open(&s, "code", policy))
		return;
	snprintf(path, sizeof(path), "%s/image", s.dir);
	write_fat(path);
	kt_mkdir("%s/volume", s.dir);
	/* Nobody makes the node of a driver that is not loaded. */
	if (!shell("modprobe loop", s.dir) ||
	    !shell("mount -t vfat -o loop,utf8=1,umask=0 %s/image %s/volume", s.dir))
		return;
	kt_write("%s/volume/short.key", "secret", s.dir);
	kt_write("%s/volume/plain", "text", s.dir);
	kt_write("%s/volume/averylongname.key", "secret", s.dir);
	kt_write("%s/volume/private/file", "secret", s.dir);
	for (i = 0; i < sizeof(longer) / sizeof(longer[0]); i++)
		kt_write("%s/%s", "secret", s.dir, longer[i]);
	for (i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		check_spelling(&s, spellings[i], WARDER_REASON_SPELLING);
	for (i = 0; i < sizeof(longer) / sizeof(longer[0]); i++)
		check_spelling(&s, longer[i], WARDER_REASON_TOO_DEEP);
	kt_result("the root of the volume has the mount point's name",
		  kt_inside(&s, act_list, "volume"), 0);
	kt_result("a new name", kt_inside(&s, act_create, VOLUME "new"), -EACCES);
	kt_result("a new name, control", kt_outside(&s, act_create, VOLUME "new"), 0);
	unmount(&s);
}

TEST(ext4_that_folds_case)
{
	_cleanup_subject_ struct kt_subject s = {};

	if (!kt_subject_open(&s, "code", policy))
		return;
	kt_mkdir("%s/volume", s.dir);
	if (!shell("modprobe loop", s.dir) ||
	    !shell("truncate -s 8M %s/image && mkfs.ext4 -q -O casefold %s/image", s.dir) ||
	    !shell("mount -o loop %s/image %s/volume && chmod 777 %s/volume", s.dir))
		return;
	kt_mkdir("%s/volume/folds", s.dir);
	shell("chattr +F %s/volume/folds", s.dir);
	kt_write("%s/volume/folds/short.key", "secret", s.dir);
	kt_write("%s/volume/folds/plain", "text", s.dir);
	kt_write("%s/volume/exact/short.key", "secret", s.dir);
	kt_write("%s/volume/exact/plain", "text", s.dir);
	check_spelling(&s, VOLUME "folds/short.key", WARDER_REASON_SPELLING);
	check_spelling(&s, VOLUME "folds/SHORT.key", WARDER_REASON_SPELLING);
	check_spelling(&s, VOLUME "folds/short.KEY", WARDER_REASON_SPELLING);
	check_spelling(&s, VOLUME "folds/plain", WARDER_REASON_SPELLING);
	/* The same volume, a directory that does not: judged as ever. */
	check_spelling(&s, VOLUME "exact/short.key", WARDER_REASON_DENY_RULE);
	kt_result("exact: no other spelling", kt_outside(&s, act_read, VOLUME "exact/SHORT.key"),
		  -ENOENT);
	kt_result("exact: allowed", kt_inside(&s, act_read, VOLUME "exact/plain"), 0);
	kt_result("the directory itself", kt_inside(&s, act_list, VOLUME "folds"), 0);
	unmount(&s);
}
