#!/bin/bash
# boot_test.sh - kernels that warder must refuse: each is booted, and loading has to fail, say why, and leave nothing.
set -u
cd "$(dirname "$0")/../.." || exit
passed=0 failed=0

ok() {
	echo "ok $1"
	passed=$((passed + 1))
}

not_ok() {
	echo "not ok $1: $2"
	printf '# %s\n' "${output//$'\n'/$'\n# '}"
	failed=$((failed + 1))
}

# expect NAME PATTERN: does the output of the boot say so?
expect() {
	if grep -aqiE -- "$2" <<<"$output"; then
		ok "$name: $1"
	else
		not_ok "$name: $1" "no line matches '$2'"
	fi
}

# boot NAME ARGUMENT...: load in a virtual machine; the closing lines are this script's own
boot() {
	name=$1
	shift
	# shellcheck disable=SC2016
	output=$(tools/vm run "$@" -- bash -c '
		cp tests/kernel/boot_policy.yaml /tmp/policy.yaml
		build/warder run --policy /tmp/policy.yaml -- /bin/touch /tmp/ran
		echo "run-status $?"
		[ -e /tmp/ran ] && echo "it ran" || echo "it did not run"
		[ -e /sys/fs/bpf/warder ] && echo "pins are left" || echo "no pins are left"
		[ -e /sys/fs/cgroup/warder ] && echo "a cgroup is left" || echo "no cgroup is left"
		build/warder doctor
		echo "doctor-status $?"
	' 2>&1)
}

refused() {
	expect "run fails" '^run-status 1$'
	expect "the command does not run" '^it did not run$'
	expect "nothing stays pinned" '^no pins are left$'
	expect "no cgroup is left" '^no cgroup is left$'
	expect "doctor fails" '^doctor-status 1$'
}

boot "6.1 with full preemption" --kernel 6.1 --append preempt=full
refused
expect "it says why" 'preempt'
expect "it says what to do" 'preempt=voluntary'

for kernel in 6.1 latest; do
	boot "$kernel without bpf in the list" --kernel "$kernel" --lsm landlock,lockdown,yama
	refused
	expect "the canary says so" 'attached but not enforced'
	expect "it says what to do" 'lsm='
done

# Debian's kernels have the x32 table, switched off: switched on, it is no way in either
name="6.12 with x32"
output=$(tools/vm run --kernel 6.12 --append syscall.x32=y -- build/tests/kernel/syscall_test 2>&1)
expect "x32 is refused" '^ok foreign_abi: x32$'
expect "x32 is reported" '^ok foreign_abi: x32 reported$'
expect "all others hold" '^[1-9][0-9]* passed, 0 failed, 0 skipped$'

# the same script on a kernel as it should be: the command runs
boot "6.12 as it is" --kernel 6.12
expect "run works" '^run-status 0$'
expect "the command runs" '^it ran$'
expect "doctor is content" '^doctor-status 0$'
expect "the last unbind leaves no pins" '^no pins are left$'
expect "nor a cgroup" '^no cgroup is left$'

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
