#!/bin/bash
# The proof at the start is not in the audit stream, and nobody else can hide behind it.
. /warder/tests/e2e/assert.sh || exit
write_policy job sandbox-as-tool
P=$dir/job.yaml
rm -f /run/warder/events.jsonl # of the tests before
$W run -p "$P" --name box -- sleep 600 &
until_true 90 sh -c "$W ps | grep -q box"
expect "events after a load" 0 $W events
says "tell of the bind" box
silent "and of no denial" denied
expect "ps" 0 $W ps
silent "shows no canary" canary

# Whoever puts himself where the canary was is nobody's: refused, and seen.
mkdir /sys/fs/cgroup/warder/canary
sh -c "echo \$\$ >/sys/fs/cgroup/warder/canary/cgroup.procs; exec 3<$dir/secret" 2>/dev/null &&
	not_ok "in its place one is refused" || ok "in its place one is refused"
expect "events" 0 $W events
says "show it" "(not bound)"
says "as a denial" "denied     (not bound)"
rmdir /sys/fs/cgroup/warder/canary
expect "a subject of that name" 1 $W run -p "$P" --name canary -- cat "$dir/secret"
expect "its events" 0 $W events --subject canary
says "show its denial" "$dir/secret"
pkill -x sleep
wait
holds "nothing stays" until_true 20 not_loaded

# A load that was killed in the middle does not stop the next one.
for i in 2 4 6 8 10; do
	$W run -p "$P" -- true 2>/dev/null &
	sleep $i
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
done
expect "a load after loads that were killed" 0 $W run -p "$P" -- true
holds "leaves nothing" until_true 20 not_loaded
done_testing
