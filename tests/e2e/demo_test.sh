#!/bin/bash
# demo_test.sh - runs the demonstration as a user does, and asserts what it shows: its table, an event beside each refusal.
set -u
cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

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

skip() {
	echo "ok $1 # skip $2"
	skipped=$((skipped + 1))
}

# says TEXT: a line of the output has it, blanks squeezed
says() {
	grep -qF -- "$1" "$work/squeezed" || {
		echo "no line says: $1"
		return 1
	}
}

usage_error() {
	local status=0
	tools/demo/demo "$@" >"$work/usage" 2>&1 || status=$?
	[ "$status" -eq 2 ] && grep -q '^usage: ' "$work/usage"
}

native_refused() {
	local status=0
	tools/demo/demo --native >"$work/native" 2>&1 || status=$?
	[ "$status" -eq 1 ] && grep -q '^ *fix: ' "$work/native"
}

check "an unknown option is a usage error" usage_error --no-such-option
if build/warder doctor >/dev/null 2>&1; then
	skip "a kernel that cannot enforce gets no native run" "this one can"
else
	check "a kernel that cannot enforce gets no native run, but the remedy" native_refused
fi

# Every single cell counts: one that differs, or that failed for a reason that is not warder's, is told.
tools/vm run -- python3 -c '
import sys
sys.path.insert(0, "/warder/tools/demo")
import table
path = "/warder/tools/demo/expected"
measured = table.expected(path)
assert table.differences(measured, path) == []
for column in measured:
    for name, right in list(measured[column].items()):
        for wrong in {"happens", "refused", "failed", "-"} - {right}:
            measured[column][name] = wrong
            assert len(table.differences(measured, path)) == 1, (column, name, wrong)
        measured[column][name] = right
' >"$work/cells" 2>&1
check "a difference in any cell of the table is told" test $? -eq 0
sed 's/^/# /' "$work/cells"

status=0
tools/demo/demo >"$work/out" 2>&1 || status=$?
sed 's/^/# /' "$work/out"
sed 's/^ *//; s/  */ /g; s/ *$//' "$work/out" >"$work/squeezed"

check "the demonstration succeeds" test "$status" -eq 0
check "it says what this host can do" says "This host: Linux $(uname -r)"
check "it says where it runs" grep -Eq '^Runs on: Linux 6\.' "$work/squeezed"
check "the two policies differ in their names and model only" diff <(sed '/^model:/d; /^policy:/d' tools/demo/policies/agent-in-sandbox.yaml) \
	<(sed '/^model:/d; /^policy:/d' tools/demo/policies/sandbox-as-tool.yaml)
check "it shows that difference" says "+model: sandbox-as-tool"

# act: no warder, agent-in-sandbox, sandbox-as-tool, with the grant, when it has ended
while read -r row; do
	check "the table: $row" grep -qxF -- "$row" "$work/squeezed"
done <<'EOF'
its result works works works works -
SSH key READ refused refused refused -
.env READ refused refused refused -
$API_KEY READ READ refused refused -
/proc/AGENT/environ READ READ refused refused -
HTTP over IPv4 LEFT LEFT refused refused -
HTTP over IPv6 LEFT refused refused refused -
UDP LEFT refused refused refused -
sendmail LEFT LEFT refused LEFT refused
smtplib to a relay LEFT LEFT refused refused refused
curl smtp:// LEFT LEFT refused refused refused
script it wrote LEFT LEFT refused refused refused
other cgroup DONE refused refused refused -
ptrace the agent* DONE DONE refused refused -
chroot DONE refused refused refused -
user namespace DONE refused refused refused -
kill the agent* DONE DONE refused refused -
EOF

# place FILE TEXT: FILE:LINE of the first line with it
place() {
	printf '%s.yaml:%s' "$1" "$(grep -nF -- "$2" "tools/demo/policies/$1.yaml" | head -n 1 | cut -d: -f1)"
}
check "an event names the deny rule's line" says "$(place agent-in-sandbox /srv/agent/.ssh/): files.deny.read"
check "an event names the line that reserves sendmail" says "$(place sandbox-as-tool 'exec:    [/usr/sbin/sendmail]'): reserved for send-email"
check "an event without a rule says so" says "connect tcp:192.0.2.10:80 no rule"
check "uses of the granted key are recorded" says "connect tcp:127.0.0.1:2525 $(place sandbox-as-tool tcp:127.0.0.1:2525)"
check "the grant's reason is recorded" says "by uid 0: ticket 4711"
check "bpftool shows the second net at the sandbox" says "twin_bprm_check_security bpf_lsm_bprm_check_security"
check "it ends with the policies" says "tools/demo/policies/sandbox-as-tool.yaml"
check "no line is wider than 110 columns" test -z "$(awk 'length > 110' "$work/out")"
# 60 s is the promise, on a machine that does nothing else
took=$(sed -n 's/^Took \([0-9]*\) s.*/\1/p' "$work/squeezed")
check "it takes under 90 s once set up (took ${took:-?})" test "${took:-1000}" -lt 90

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
