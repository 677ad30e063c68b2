#!/bin/bash
# warder kill: ends a subject whoever serves it, and nothing else; ps tells who cleans up.
. /warder/tests/e2e/assert.sh || exit
write_policy job sandbox-as-tool
P=$dir/job.yaml
other=/sys/fs/cgroup/other
mkdir -p "$other"
# Deaf to signals, with a child that is and that is refused the secret again and again.
cat >"$dir/work/deaf.sh" <<EOF
trap '' TERM INT HUP
(while :; do cat $dir/secret; sleep 0.5; done) 2>/dev/null &
echo \$! >$dir/work/out/child
echo \$\$ >$dir/work/out/parent
wait
sleep 300
EOF

# start NAME: a deaf subject; its run is $run, its processes $parent and $child
start() {
	rm -f "$dir"/work/out/*
	$W run -p "$P" --code --name "$1" -- sh "$dir/work/deaf.sh" 2>/dev/null &
	run=$!
	until_true 180 test -s "$dir/work/out/parent" || return
	child=$(cat "$dir/work/out/child")
	parent=$(cat "$dir/work/out/parent")
}

dead() {
	local pid
	for pid; do
		! grep -q '^State:.[^ZX]' "/proc/$pid/status" 2>/dev/null || return
	done
}

# orphan NAME: its run is killed, and from then on nobody reads what it is refused
orphan() {
	start "$1" || return
	kill -9 $run
	wait $run 2>/dev/null
	rm -f /run/warder/events.jsonl
	sleep 2
}

listed() {
	$W ps | grep -q "^$1 "
}

gone() {
	! listed "$1"
}

# The control: another subject, which must live on all the while.
$W run -p "$P" --name first -- sleep 600 &
until_true 180 listed first
first=$(pgrep -x sleep | head -n 1)

# --- what is refused
holds "a subject starts" start box
expect "no subject is named" 2 $W kill
expect "an unknown name" 1 $W kill bix
says "the nearest is offered" 'did you mean "box"?'
expect "the beginning of a name" 1 $W kill bo
says "is not enough" 'did you mean "box"?'
expect "an unknown name like no other" 1 $W kill somebody-else
says "tells where names are" '`warder ps` lists them'
expect "without root" 1 setpriv --reuid 1000 --clear-groups $W kill box
says "says so" root
holds "nothing of that ended it" test -d "/proc/$parent" -a -d "/proc/$child"

# --- with a runner, and a process that somebody moved away
echo "$child" >$other/cgroup.procs
expect "ps" 0 $W ps
says "shows its state" running
expect "kill" 0 $W kill box --reason "it hangs"
says "says what it did" "box is ended"
holds "all its processes are dead" dead "$parent" "$child"
got=0
wait $run || got=$?
out=$got
holds "its run ends as of a kill" test "$got" = 137
holds "it is gone" gone box
expect "events" 0 $W events --subject box
says "name who did it and why" "by uid 0: it hangs"
says "and the unbind" unbind
expect "a second time" 1 $W kill box

# --- without a runner
holds "another runs on without its run" orphan orphan
expect "ps after its run was killed" 0 $W ps
says "shows the state" "no runner"
says "and how to end it" '`warder kill orphan` ends it'
expect "ps as JSON" 0 sh -c "$W ps --json | python3 -c 'import json, sys; print([s[\"state\"] for s in json.load(sys.stdin)])'"
says "has the states" "['running', 'no runner']"
expect "kill" 0 $W kill orphan
holds "all its processes are dead" dead "$parent" "$child"
holds "it is gone" gone orphan
expect "events" 0 $W events --subject orphan
says "nothing that it was refused is lost" "read $dir/secret"

# --- with nobody at all
holds "so does a third" orphan late
kill -9 "$parent" "$child"
holds "it is killed" until_true 20 sh -c "$W ps | grep -q '^late .* ended '"
expect "ps" 0 $W ps
says "and who cleans up" 'late: ended; cleaned up by the next `warder run`, or now by `warder kill late`'
binding=$($W ps --json | python3 -c 'import json, sys; print(json.load(sys.stdin)[-1]["binding"])')
expect "kill by its binding" 0 $W kill "$binding"
holds "it is gone" gone late
holds "and a fourth" orphan fourth
kill -9 "$parent" "$child"
until_true 20 sh -c "$W ps | grep -q '^fourth .* ended '"
expect "the next run" 0 $W run -p "$P" -- true
holds "cleans it up" gone fourth
expect "events" 0 $W events --subject fourth
says "nothing that it was refused is lost" "read $dir/secret"

# --- a runner that is stopped
holds "a fifth starts" start fifth
kill -STOP $run
expect "kill with a stopped runner" 1 $W kill fifth
says "says what is wrong" "does not clean up"
says "and the remedy" "kill -CONT $run"
holds "its processes are dead all the same" dead "$parent" "$child"
kill -CONT $run
wait $run 2>/dev/null
holds "it is gone" gone fifth

# --- control
holds "the other subject runs on" test -d "/proc/$first"
holds "and is bound" listed first
rm -f /run/warder/events.jsonl && mkdir /run/warder/events.jsonl
expect "kill of the last one, with no place for a record" 0 $W kill first
says "says so" "not recorded"
rmdir /run/warder/events.jsonl
holds "its process is dead" dead "$first"
wait
holds "it takes the programs along" until_true 20 not_loaded
expect "nothing is loaded" 1 $W kill first
says "says so" "not loaded"
rmdir "$other"
done_testing
