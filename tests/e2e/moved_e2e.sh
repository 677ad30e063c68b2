#!/bin/bash
# Somebody outside moves a process of a sandbox to another cgroup: it is confined as long as it lives, dies with its
# run, and keeps enforcement loaded when nobody is left to kill it.
. /warder/tests/e2e/assert.sh || exit
write_policy job sandbox-as-tool
P=$dir/job.yaml
other=/sys/fs/cgroup/other
mkdir -p "$other"
# The child goes on for ever; its parent ends when told.
cat >"$dir/work/loop.sh" <<EOF
while :; do
	if cat $dir/secret >/dev/null 2>&1; then echo yes; else echo no; fi >>$dir/work/out/secret
	sleep 0.2
done
EOF
cat >"$dir/work/try.sh" <<EOF
sh $dir/work/loop.sh &
echo \$! >$dir/work/out/pid
echo \$\$ >$dir/work/out/parent
until [ -e $dir/work/stop ]; do sleep 0.1; done
EOF

# start NAME: a run whose child is in the other cgroup when this returns
start() {
	rm -f "$dir"/work/out/* "$dir/work/stop"
	$W run -p "$P" --code --name "$1" -- sh "$dir/work/try.sh" 2>/dev/null &
	run=$!
	until_true 90 grep -q no "$dir/work/out/secret" || return
	child=$(cat "$dir/work/out/pid")
	parent=$(cat "$dir/work/out/parent")
	echo "$child" >$other/cgroup.procs && sleep 1
}

runs() {
	rm -f "$dir/work/out/secret"
	until_true 10 test -s "$dir/work/out/secret"
}

confined() {
	grep -qx no "$dir/work/out/secret" && ! grep -qx yes "$dir/work/out/secret"
}

# A zombie is dead, whether or not somebody fetched it.
dead() {
	! grep -q '^State:.[^ZX]' "/proc/$1/status" 2>/dev/null
}

# --- it dies with its run
holds "a child is moved away" start box
holds "it runs on elsewhere" runs
holds "and is confined" confined
expect "ps" 0 $W ps
says "shows it outside" ", outside "
expect "ps as JSON" 0 sh -c "$W ps --json | python3 -c 'import json, sys; print(json.load(sys.stdin)[0][\"pids_outside\"])'"
says "by its number" "$child"
expect "maps" 0 $W maps
says "shows whose it is" "process $child -> box"
touch "$dir/work/stop"
wait $run
[ $? = 0 ] && ok "the run ends" || not_ok "the run ends"
holds "it is dead" dead "$child"
holds "it never read what it may not" confined
holds "nothing stays" until_true 20 not_loaded

# --- it stays confined when its run was killed, whoever comes and goes
holds "another child is moved away" start orphan
kill -9 $run
wait $run 2>/dev/null
kill -9 "$parent"
holds "its cgroup is empty" until_true 10 sh -c "! grep -q 'populated 1' /sys/fs/cgroup/warder/*/cgroup.events"
expect "another run begins and ends" 0 $W run -p "$P" -- true
holds "the moved one runs" runs
holds "enforcement stays loaded" bpftool prog list name hook_file_open
expect "ps" 0 $W ps
says "shows the subject" orphan
says "and its process outside" ", outside "
sleep 1
holds "it is confined" confined
expect "a second run begins and ends" 0 $W run -p "$P" -- true
holds "it runs on" runs
sleep 1
holds "and stays confined" confined
kill -9 "$child"
holds "it dies when it is killed" until_true 10 dead "$child"
expect "the dead subject goes with the next run" 0 $W run -p "$P" -- true
holds "and nothing stays" until_true 20 not_loaded
expect "control: outside one reads it" 0 cat "$dir/secret"

# --- all tasks are seen from the first pid namespace alone
expect "in another pid namespace" 1 unshare -pf --mount-proc $W run -p "$P" -- true
says "is refused with the reason" "pid namespace"
rmdir "$other"
done_testing
