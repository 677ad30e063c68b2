#!/bin/bash
# vm_test.sh - tests tools/vm from the host: what goes into a virtual machine and what comes out arrives unchanged.
#
# Boots the default kernel four times, two machines at once where they can.
set -u

TOP=$(cd "$(dirname "$0")/../.." && pwd -P)
VM=$TOP/tools/vm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# check NAME COMMAND...: one test, which passes when COMMAND succeeds
check() {
	local name=$1
	shift
	if "$@" >"$work/check" 2>&1; then
		echo "ok $name"
		passed=$((passed + 1))
	else
		echo "not ok $name"
		sed 's/^/# /' "$work/check"
		failed=$((failed + 1))
	fi
}

is() {
	[ "$1" = "$2" ] || {
		printf 'got %q, expected %q\n' "$1" "$2"
		return 1
	}
}

# usage errors never boot anything
usage_error() {
	local status=0
	"$VM" "$@" >"$work/usage" 2>&1 || status=$?
	is "$status" 2 && grep -q '^usage: tools/vm run' "$work/usage"
}
check "an unknown option is a usage error" usage_error run --no-such-option -- true
check "an unknown subcommand is a usage error" usage_error fly
check "a missing command is a usage error" usage_error run --kernel 6.12
check "an unknown kernel is a usage error" usage_error run --kernel 2.4 -- true
check "a time limit of words is a usage error" usage_error run --timeout soon -- true
check "an option without its value is a usage error" usage_error run --env

# helps COMMAND...: help is on standard output, and asking for it is no error
helps() {
	"$@" >"$work/usage" 2>"$work/error" && grep -q '^usage: ' "$work/usage" && is "$(cat "$work/error")" ''
}
for words in --help -h help 'run --help' 'run --kernel 6.1 -h' 'prepare --help' 'list -h'; do
	# shellcheck disable=SC2086 # a list of words
	check "tools/vm $words" helps "$VM" $words
done
for tool in tools/install-deps tools/demo/demo tests/kernel/run tests/e2e/run tests/fuzz/run; do
	check "$tool --help" helps "$TOP/$tool" --help
done

"$VM" prepare --kernel 6.12 || { echo "not ok prepare"; echo "$passed passed, $((failed + 1)) failed, 0 skipped"; exit 1; }

# the first two machines run at the same time
# shellcheck disable=SC2016 # nothing may expand these
arguments=('a b' '' $'two\nlines' '"double"' "it's" '$HOME `id` *' 'back\slash' '--' '--timeout' $'tab\t' 'ümlaut')
printf '%s\0' "${arguments[@]}" >"$work/arguments"
# shellcheck disable=SC2016 # the guest's shell expands this
"$VM" run --keep --env 'VALUE=b c=$d' --env EMPTY= -- bash -c '
	printf "%s\0" "$@" >/scratch/arguments
	printf "%s|%s" "$VALUE" "${EMPTY-unset}" >/scratch/environment
	mkdir /scratch/deep && su alice -c "echo written >/scratch/alice"
	cat
	' name "${arguments[@]}" >"$work/first.out" 2>"$work/first.err" <<<"input of the host" &
first=$!
"$VM" run -- bash -c '
	touch /warder/created 2>/dev/null && echo writable || echo read-only
	[ -f /warder/tools/vm ] && echo tree
	hostname; pwd; id -u; ulimit -l
	echo error >&2
	ls /sys/class/net
	head -c 100000 /dev/zero | tr "\0" x
	sleep 1000 &
	exit 7' >"$work/second.out" 2>"$work/second.err"
second_status=$?
first_status=0
wait "$first" || first_status=$?
scratch=$(sed -n 's/^vm: .scratch is kept in //p' "$work/first.err")

check "status 0 is carried" is "$first_status" 0
check "arguments arrive byte by byte" cmp "$work/arguments" "$scratch/arguments"
# shellcheck disable=SC2016 # nor this
check "the environment arrives" is "$(cat "$scratch/environment")" 'b c=$d|'
check "/scratch takes directories" test -d "$scratch/deep"
check "/scratch takes files of the guest's ordinary user" is "$(cat "$scratch/alice")" written
check "the host's standard input stays outside" is "$(cat "$work/first.out")" ''
[ -z "$scratch" ] || rm -rf "$scratch"

check "status 7 is carried, with a process left running" is "$second_status" 7
check "the tree is at /warder, read-only" is "$(sed -n 1,2p "$work/second.out" | paste -sd,)" read-only,tree
check "the tree is untouched on the host" test ! -e "$TOP/created"
check "host name, directory, user and locked memory" is "$(sed -n 3,6p "$work/second.out" | paste -sd,)" warder-guest,/warder,0,unlimited
check "standard error arrives" is "$(sed -n 7p "$work/second.out")" error
check "there is only a loopback interface" is "$(sed -n 8p "$work/second.out")" lo
check "100 kB arrive complete" is "$(sed -n 9p "$work/second.out" | tr -d '\n' | sha256sum)" "$(head -c 100000 /dev/zero | tr '\0' x | sha256sum)"
check "nothing else is on standard output" is "$(wc -l <"$work/second.out")" 8
check "a run that went well says nothing" is "$(cat "$work/second.err")" ''

# a machine that reports nothing, and meanwhile one that never ends
"$VM" run -- bash -c 'echo b >/proc/sysrq-trigger; sleep 100' >"$work/third.out" 2>"$work/third.err" &
third=$!
began=$SECONDS
"$VM" run --timeout 25 -- bash -c 'echo begun; sleep 1000' >"$work/fourth.out" 2>"$work/fourth.err"
fourth_status=$?
took=$((SECONDS - began))
third_status=0
wait "$third" || third_status=$?
check "a guest without a status is 125" is "$third_status" 125
check "a guest without a status is explained" grep -q 'without an exit status' "$work/third.err"
check "the time limit is 124" is "$fourth_status" 124
check "the time limit is kept (25 s, took $took)" test "$took" -le 35
check "output before the time limit arrives" is "$(cat "$work/fourth.out")" begun

# the pid of a machine is in the name of its directory
"$VM" run -- sleep 1000 >/dev/null 2>&1 &
fifth=$!
boot=
for _ in {1..100}; do
	boot=$(pgrep -P "$fifth" -f vm.d/boot | head -n 1)
	[ -z "$boot" ] || [ ! -e "$TOP/build/vm/run.$boot/console" ] || break
	sleep 0.1
done
kill -TERM "$fifth"
fifth_status=0
wait "$fifth" || fifth_status=$?
check "a terminated run says so" is "$fifth_status" 143
check "a terminated run leaves nothing behind" test -n "$boot" -a ! -e "$TOP/build/vm/run.$boot" -a ! -e "$TOP/build/vm/scratch.$boot"
no_machine() {
	! pgrep -f "build/vm/run.$boot/"
}
check "a terminated run leaves no machine behind" no_machine

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
