# Sourced by the tests of presets and of the policies that are made of them.
#
#	preset_policy NAME PRESETS EXEC [LINE...]	$dir/NAME.yaml: a set that includes PRESETS, may
#					start EXEC, and writes below $dir/work; LINEs are added to it
#	under NAME CMD...		CMD in that policy, as alice
#	under_root NAME CMD...		the same as root
#	outside CMD...			CMD as alice, outside of every subject
#
# What is forbidden in these tests is allowed to alice by its mode, so that it is warder who
# refuses; the control outside shows it.
. /warder/tests/e2e/assert.sh || exit

preset_policy() {
	local name=$1 presets=$2 programs=$3
	shift 3
	cat >"$dir/$name.yaml" <<EOF
version: 1
policy: $name
model: agent-in-sandbox
sets:
  agent:
    ${presets:+include: [$presets]}
    exec: [$programs]
    files: { write: [$dir/work/**] }
    env: { pass: [PATH], set: { HOME: $dir/work, TMPDIR: $dir/work/tmp, TZ: Europe/Berlin } }
EOF
	[ $# = 0 ] || printf '    %s\n' "$@" >>"$dir/$name.yaml"
}

under() {
	local name=$1
	shift
	$W run -p "$dir/$name.yaml" --user alice -- "$@" </dev/null
}

under_root() {
	local name=$1
	shift
	$W run -p "$dir/$name.yaml" -- "$@" </dev/null
}

outside() {
	env HOME="$dir/work" TMPDIR="$dir/work/tmp" setpriv --reuid alice --regid alice --init-groups "$@" </dev/null
}

# One subject lives all the while, so that the programs are loaded once and not at each run.
hold() {
	preset_policy hold base /usr/bin/sleep
	$W run -p "$dir/hold.yaml" --name hold -- sleep 3000 &
	until_true 120 sh -c "$W ps | grep -q hold"
}

release() {
	pkill -x sleep
	wait
	holds "the last unbind detaches everything" until_true 20 not_loaded
}

mkdir -p "$dir/work/tmp" "$dir/other"
echo secret >"$dir/other/secret"
chown -R alice: "$dir/work" "$dir/other"
