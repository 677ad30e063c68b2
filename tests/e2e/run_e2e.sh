#!/bin/bash
# warder run: what a command sees, what comes out, what is said at the end, what is left behind.
. /warder/tests/e2e/assert.sh
write_policy job sandbox-as-tool
write_policy same agent-in-sandbox
P=$dir/job.yaml

# One subject lives all the while, in the background, so that the programs are loaded once and not at each run.
$W run -p $P --name first -- sleep 600 &
until_true 180 sh -c "$W ps | grep -q first"

programs() {
	bpftool prog list name hook_file_open | sed -n 's/^\([0-9]*\): .*/\1/p'
}
before=$(programs)

expect "exit status is kept" 7 $W run -p $P -- sh -c 'exit 7'
expect "a signal is 128 plus its number" 137 $W run -p $P -- sh -c 'kill -9 $$'
expect "a quiet run says nothing" 0 $W run -p $P -- cat $dir/in/data
[ "$out" = input ] && ok "output is the command's own" || not_ok "output is the command's own"
out=$(printf 'a\nb\n' | $W run -p $P -- sort -r)
[ "$out" = "b
a" ] && ok "input is the command's own" || not_ok "input is the command's own"

expect "a refusal fails the command" 1 $W run -p $P -- cat $dir/secret
says "the refusal is listed" "read $dir/secret"
says "with its cause" "no rule"
expect "a deny rule beats an allow" 1 $W run -p $P -- cat $dir/work/.env
says "the deny rule is named by its line" "job.yaml:14"
expect "control: outside everything is readable" 0 cat $dir/secret $dir/work/.env

# What a summary says is what was refused, each once, in few lines, and what would allow it.
expect "writing to /dev/stderr" 0 $W run -p $P -- bash -c 'echo one >/dev/stderr; echo two | tee /dev/stderr >/dev/null'
[ "$out" = "one
two" ] && ok "is nothing to report" || not_ok "is nothing to report"
for i in 1 2 3 4 5; do echo 2 >/proc/sys/vm/drop_caches; done
expect "an open that may create, of a file that is there" 0 $W run -p $P -- \
	python3 -I -c 'import os; os.open("/etc/gai.conf", os.O_RDONLY | os.O_CREAT)'
silent "is no refused creation" create
expect "many made-up names" 1 $W run -p $P -- bash -c 'for i in 1 2 3 4 5; do mktemp /tmp/made.XXXXXXXX; done'
says "are one line" "5x create /tmp/made.???????? (5 names) (no rule; files: {write-only: ['/tmp/made.????????']} in set"
expect "files of other processes" 1 $W run -p $P -- cat /proc/1/stat /proc/2/stat /proc/3/stat
says "too" "3x read /proc/*/stat (3 names) (the other process is not part of this subject"
expect "with --verbose" 1 $W run -v -p $P -- bash -c 'for i in 1 2 3 4 5; do mktemp /tmp/made.XXXXXXXX; done'
silent "they are not" "5 names"
expect "an exec by bash" 126 $W run -p $P --code -- bash -c '/usr/bin/bc </dev/null'
says "is one line, and names the grant" "1x exec /usr/bin/bc, then read it (reserved for tool calculator"
says "that would allow it" '`warder grant NAME calculator --for 5m --reason ...` would allow it'
expect "an exec along PATH" 126 env PATH=/usr/bin:/bin $W run -p $P --code -- bc
says "counts once" "1x exec /usr/bin/bc, in 2 calls"
expect "a port of one's own" 1 $W run -p $P -- python3 -I -c 'import socket; socket.socket().bind(("", 8000))'
says "is named in words" "bind tcp:0.0.0.0:8000 (no rule; network: {bind:"
expect "an unnamed file" 1 $W run -p $P -- python3 -I -c 'import os; os.open("/dev/shm", os.O_TMPFILE | os.O_RDWR)'
says "is told as such" "create unnamed file in /dev/shm (no rule; files: {write: ['/dev/shm/#[0-9]*']} in set"
expect "a flood" 0 $W run -p $P -- python3 -I -c '
for i in range(3000):
    try:
        open("/etc/shadow")
    except OSError:
        pass'
says "is counted" "refusals in all"
says "and the limit named" "at most 512 events a second"
expect "its end is recorded" 0 sh -c "$W events | tail -n 1"
says "with its number" ": 3000 refusals"
expect "events are in the order of time" 0 sh -c "$W events --json | python3 -c 'import json, sys
times = [json.loads(line)[\"boottime\"] for line in sys.stdin]
sys.exit(times != sorted(times) or len(times) < 100)'"

# The rule that a summary suggests, put into the policy, does allow it.
mkdir -p "$dir/odd, [1]"
echo odd >"$dir/odd, [1]/it's"
expect "a file with an odd name" 1 $W run -p $P -- cat "$dir/odd, [1]/it's"
rule=$(printf '%s\n' "$out" | sed -n 's/^  1x read .*(no rule; files: {read: \[\(.*\)\]} in set "agent" would allow it)$/\1/p')
sed "s|^policy: job|policy: suggested|; s|read: \[$dir/in/\*\*|&, RULE|" $P >$dir/suggested.yaml
RULE=$rule perl -pi -e 's/RULE/$ENV{RULE}/' $dir/suggested.yaml
expect "is readable by the rule that was suggested" 0 $W run -p $dir/suggested.yaml -- cat "$dir/odd, [1]/it's"

API_KEY=k1 SECRET=s expect "env: what passes" 0 $W run -p $P -- env
says "a variable that passes" API_KEY=k1
silent "a variable that does not" SECRET
says "a variable that is set" HOME=$dir/work
API_KEY=k1 expect "env of generated code" 0 $W run -p $P --code -- env
silent "the agent's key does not reach generated code" API_KEY

expect "--code runs in the sandbox set" 1 $W run -p $P --code -- cat $dir/in/data
says "and is refused what only the agent may" "$dir/in/data"
expect "--code under agent-in-sandbox runs as the agent" 0 $W run -p $dir/same.yaml --code -- cat $dir/in/data
expect "the agent has its tool" 0 $W run -p $P -- sh -c 'echo 1+1 | bc'
expect "the sandbox has not" 126 $W run -p $P --code -- sh -c 'echo 1+1 | bc'
says "the tool's line is named" "job.yaml:6"

# What could not be started, and who refused it.
cp /bin/true $dir/work/closed
expect "a program that no rule names" 126 $W run -p $P -- $dir/work/closed
says "is refused by the policy" "cannot start \"$dir/work/closed\": the policy refuses it"
says "with the refusal" "1x exec $dir/work/closed (no rule;"
[ "$(grep -c "exec $dir/work/closed" <<<"$out")" = 1 ] && ok "which is printed once" || not_ok "which is printed once"
chmod 644 $dir/work/closed
expect "a file that is not executable" 126 $W run -p $P -- $dir/work/closed
says "is refused by its mode" "the mode of \"$dir/work/closed\" (-rw-r--r--) refuses it, not the policy"
silent "and by no rule" "warder: denied"
mkdir -m 700 $dir/private && cp /bin/true $dir/private/prog
expect "a directory that is closed to a user" 126 $W run -p $P --user alice -- $dir/private/prog
says "is named" "the mode of the directory \"$dir/private\" (drwx------) refuses it, not the policy"
printf '#!/no/such/interpreter\n' >/usr/bin/warder-test-script && chmod 755 /usr/bin/warder-test-script
expect "a script without its interpreter" 127 $W run -p $P -- warder-test-script
says "names it" 'not the interpreter that it names: "/no/such/interpreter"'
rm /usr/bin/warder-test-script

expect "descriptors above 2 are closed" 2 bash -c "exec 7</; $W run -p $P -- ls /proc/self/fd/7/"
expect "nothing outlives the command" 0 $W run -p $P -- sh -c 'sleep 311 & exit 0'
sleep 0.5
! pgrep -f "sleep 311" >/dev/null && ok "left-over processes are gone" || not_ok "left-over processes are gone"
expect "as another user" 0 $W run -p $P --user alice -- id -un
[ "$out" = alice ] && ok "runs as that user" || not_ok "runs as that user"
sed 's/policy: job/policy: session/; s/PATH, API_\*\], set: { HOME.*/HOME, USER, LOGNAME, SHELL, KEPT] }/' $P >$dir/session.yaml
getent passwd alice | awk -F: '{ printf "HOME=%s\nKEPT=1\nLOGNAME=%s\nSHELL=%s\nUSER=%s\n", $6, $1, $7, $1 }' >$dir/session
KEPT=1 SHELL=/bin/other expect "the variables of a user" 0 sh -c "$W run -p $dir/session.yaml --user alice -- env | sort"
[ "$out" = "$(cat $dir/session)" ] && ok "are that user's" || not_ok "are that user's"
KEPT=1 SHELL=/bin/other expect "without --user" 0 sh -c "$W run -p $dir/session.yaml -- env | sort"
says "they are the caller's" "HOME=$HOME"
says "all of them" SHELL=/bin/other
expect "what the policy sets" 0 $W run -p $P --user alice -- env
says "comes before the user's" HOME=$dir/work
silent "and what it does not pass stays away" USER=
expect "--summary-json" 1 $W run -p $P --summary-json $dir/summary -- cat $dir/secret
expect "the summary is JSON" 0 python3 -c "import json;print(json.dumps(json.load(open('$dir/summary'))))"
says "with the object" "$dir/secret"

expect "a missing command" 127 $W run -p $P -- no-such-command
expect "an unknown set" 1 $W run -p $P --set nobody -- true
says "names the sets there are" sandbox
expect "no policy" 2 $W run -- true
expect "a policy that is not there" 1 $W run -p $dir/none.yaml -- true
says "is named" none.yaml
printf 'version: 1\npolicy: x\nmodel: sandbox-as-tool\nsets: { agent: { fils: {} } }\n' >$dir/bad.yaml
expect "a wrong policy" 1 $W run -p $dir/bad.yaml -- true
says "place and hint" "bad.yaml:4"
expect "an unknown user" 1 $W run -p $P --user nobody-at-all -- true
expect "no root" 1 setpriv --reuid 1000 --clear-groups $W run -p $P -- true
says "says so" root
expect "an unknown verb" 2 $W rum
says "offers the nearest" run

# A second policy of the same name and other contents, while the first is loaded.
sed 's/calculator/calc/' $P >$dir/second.yaml
expect "a second policy of the same name" 1 $W run -p $dir/second.yaml -- true
says "is refused by name" job
says "and says why" "other names or lines"
sed '1i # moved by a line' $P >$dir/moved.yaml
expect "the same rules on other lines" 1 $W run -p $dir/moved.yaml -- true
expect "the same policy again" 0 $W run -p $P -- true
cp $P $dir/copy.yaml
expect "the same text from another file" 0 $W run -p $dir/copy.yaml -- true
expect "a name that is taken" 1 $W run -p $P --name first -- true
expect "ps as JSON" 0 sh -c "$W ps --json | python3 -m json.tool"
says "lists the subject" first
expect "maps" 0 $W maps
expect "bpftool shows the second net at warder's cgroup" 0 bpftool cgroup tree /sys/fs/cgroup/warder
says "its connect program" net_connect4
# A command in the background of a terminal that reads it is stopped; who reads its events is not.
cat >$dir/terminal.py <<'EOF'
import os, pty, sys
pid, terminal = pty.fork()
if not pid:
    os.execvp("bash", ["bash", "-c", sys.argv[1]])
text = b""
while True:
    try:
        got = os.read(terminal, 4096)
    except OSError:
        break
    if not got:
        break
    text += got
sys.stdout.write(text.decode())
EOF
expect "in the background of a terminal" 0 python3 $dir/terminal.py "set -m
	$W run -p $P --name reads -- cat & job=\$!
	for i in \$(seq 300); do child=\$(pgrep -x cat -P \$job) && grep -q '^State:.T' /proc/\$child/status && break; sleep 0.2; done
	sed -n 's/^State:./command /p' /proc/\$child/status; sed -n 's/^State:./run /p' /proc/\$job/status
	kill -9 \$child; wait \$job; echo status \$?"
says "the command stops when it reads" "command T"
says "the run does not" "run S"
says "and ends with its command" "status 137"
out="before: $before, after: $(programs)"
[ -n "$before" ] && [ "$(programs)" = "$before" ] && ok "all of that loaded nothing anew" || not_ok "all of that loaded nothing anew"
pkill -x sleep
wait
holds "the last unbind detaches everything" until_true 20 not_loaded
done_testing
