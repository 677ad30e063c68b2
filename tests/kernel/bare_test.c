// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * bare_test.c - the hooks of the kernel surface that `capable` hides: each holds by itself.
 */
#include "nets.h"
#include "surface.h"

#include <sys/mount.h>

#include "load/pin.h"

static const char policy[] = "sets: { code: { files: { write: ['{DIR}', '{DIR}/**'] } } }\n";

/* `capable` answers before most hooks of the kernel surface: without it they answer. */
TEST(surface_without_capable)
{
	static const struct {
		const char *name;
		kt_act *act;
		int hook;
	} tries[] = {
		{"mount", act_mount, WARDER_HOOK_SB_MOUNT},
		{"move a mount", act_move, WARDER_HOOK_SB_MOUNT},
		{"move_mount", act_move_mount, WARDER_HOOK_MOVE_MOUNT},
		{"fsmount and move_mount", act_new_mount, WARDER_HOOK_MOVE_MOUNT},
		{"pivot_root", act_pivot_root, WARDER_HOOK_SB_PIVOTROOT},
		{"chroot", act_chroot, WARDER_HOOK_PATH_CHROOT},
		/* From here on something is mounted at "a". */
		{"unmount", act_umount, WARDER_HOOK_SB_UMOUNT},
		{"unmount lazily", act_lazy_umount, WARDER_HOOK_SB_UMOUNT},
	};
	struct kt_subject s = {};
	char name[128], path[256];
	size_t i;

	if (kt_subject_open(&s, "code", policy)) {
		kt_mkdir("%s/a/old", s.dir);
		kt_mkdir("%s/b", s.dir);
		snprintf(path, sizeof(path), "%s/a", s.dir);
		kt_check("capable is taken away",
			 !unlink(WARDER_PIN_DIR "/links/global/capable") &&
				 !unlink(WARDER_SECOND_PIN_DIR "/links/global/capable"));
		nets_wait("hook_capable");
		for (i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
			kt_events_clear(&s);
			if (tries[i].act == act_umount)
				kt_check("something is mounted",
					 !mount("none", path, "tmpfs", 0, NULL));
			kt_result(tries[i].name, kt_inside(&s, tries[i].act, NULL), -EPERM);
			snprintf(name, sizeof(name), "%s: reported", tries[i].name);
			kt_event(&s, name,
				 &(struct kt_match){.hook = tries[i].hook,
						    .reason = WARDER_REASON_SURFACE});
			snprintf(name, sizeof(name), "%s: control", tries[i].name);
			kt_result(name, kt_outside(&s, tries[i].act, NULL), 0);
		}
		umount2(path, MNT_DETACH);
	}
	kt_subject_close(&s);
	kt_reload(NULL);
}
