#!/bin/bash
# warder doctor, and verbs on a machine where nothing is loaded.
. /warder/tests/e2e/assert.sh
expect "this kernel can enforce" 0 $W doctor
says "and says so" "can enforce"
says "names what is there" "ok           permission to load BPF LSM programs: a trivial one loads"
expect "doctor as JSON" 0 sh -c "$W doctor --json | python3 -m json.tool"
expect "doctor without root" 1 setpriv --reuid 1000 --clear-groups $W doctor
says "names root" root
umount /sys/fs/bpf
expect "doctor without a bpf file system" 1 $W doctor
says "gives the remedy" "mount"
mount -t bpf bpf /sys/fs/bpf

# Whether the filter's refusals are told is the administrator's: doctor says so, and enforcement is whole.
silent "nothing is weaker" weaker
logged=$(cat /proc/sys/kernel/seccomp/actions_logged)
echo kill_process kill_thread trap >/proc/sys/kernel/seccomp/actions_logged
expect "doctor without reports of the filter" 0 $W doctor
says "names it" "weaker       what a filter of system calls refuses is not reported: \"errno\""
says "with the remedy" "fix: sysctl kernel.seccomp.actions_logged"
expect "as JSON" 0 sh -c "$W doctor --json | python3 -c 'import json, sys; print([w[\"name\"] for w in json.load(sys.stdin)[\"weaker\"]])'"
says "too" filter-reports-logged
echo "$logged" >/proc/sys/kernel/seccomp/actions_logged
expect "doctor with them" 0 $W doctor
silent "nothing is weaker then" weaker

write_policy job sandbox-as-tool
umount /sys/fs/cgroup
expect "doctor without cgroup v2" 1 $W doctor
says "names it" "cgroup v2"
says "with the remedy" "mount -t cgroup2"
expect "run without cgroup v2" 1 $W run -p $dir/job.yaml -- touch $dir/work/ran
says "names it" "cgroup v2"
[ ! -e $dir/work/ran ] && ok "and starts nothing" || not_ok "and starts nothing"
mount -t cgroup2 cgroup2 /sys/fs/cgroup

: >$dir/empty
mount --bind $dir/empty /sys/kernel/btf/vmlinux
expect "doctor without BTF" 1 $W doctor
says "names it" "BTF"
umount /sys/kernel/btf/vmlinux
expect "ps when nothing is loaded" 0 $W ps
expect "maps when nothing is loaded" 0 $W maps
expect "grant when nothing is loaded" 1 $W grant box calculator --for 5s --reason test
expect "help" 0 $W --help
expect "version" 0 $W --version
expect "no verb" 2 $W
done_testing
