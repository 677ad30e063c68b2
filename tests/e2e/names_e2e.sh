#!/bin/bash
# Bytes from outside (arguments, names, paths) are shown, and cannot act on the terminal of who reads.
. /warder/tests/e2e/assert.sh || exit
write_policy job sandbox-as-tool
P=$dir/job.yaml
esc=$'\033[31m'
evil="$dir/in/$esc"$'x\nwarder: all is well\xff'

# clean NAME: no control character but newline is in $out, and it is UTF-8
clean() {
	if printf '%s' "$out" | LC_ALL=C grep -q $'[\001-\011\013-\037\177]' ||
		! printf '%s' "$out" | iconv -f UTF-8 -t UTF-8 >/dev/null 2>&1 ||
		printf '%s\n' "$out" | grep -qx 'warder: all is well.*'; then
		not_ok "$1"
	else
		ok "$1"
	fi
}

for name in $'a\033[31mb\nc' '' -a Box 7 7a 0x1f 'a b' "$(printf 'a%.0s' {1..64})"; do
	expect "a name that is none" 2 $W run -p "$P" --name "$name" -- true
	clean "and is shown"
	says "with what a name is" "small letters"
done
$W run -p "$P" --code --name box-1 -- sleep 600 &
until_true 90 sh -c "$W ps | grep -q box-1"
expect "a command that is not there" 127 $W run -p "$P" -- "$evil"
clean "is shown"
says "with its bytes" '\x1b[31m'
cp /bin/true "$evil"
expect "a command that may not be run" 126 $W run -p "$P" -- "$evil"
clean "is shown with what was denied"
cp "$P" "$evil.yaml"
expect "a refusal under a policy of such a name" 1 $W run -p "$evil.yaml" -- cat "$dir/work/.env"
clean "names the rule's file"
says "and its line" yaml:14
cat >"$dir/verbs" <<EOF
check
check --root
presets
run -p
run -p $P --set
run -p $P --user
run -p $P --summary-json
events --subject
events
grant box-1
grant --for 5s --reason x box-1
revoke --reason x box-1
grant --reason x --for
ps
maps
doctor

EOF
while read -r verb; do
	case $verb in
	*summary*) out=$($W $verb "/nonexistent/$evil" -- true 2>&1) ;;
	run*) out=$($W $verb "$evil" -- true 2>&1) ;;
	*) out=$($W $verb "$evil" 2>&1) ;;
	esac
	clean "warder $verb"
done <"$dir/verbs"
out=$($W grant "$evil" calculator --for 5s --reason x 2>&1)
clean "warder grant SUBJECT"
out=$($W "--$evil" 2>&1; $W run "--$evil" 2>&1; $W check "$evil.yaml" 2>&1)
clean "options"
expect "a reason" 0 $W grant box-1 calculator --for 5s --reason "$evil"
expect "events" 0 $W events
clean "events are shown"
says "the reason is in it" '\x0awarder: all is well'
expect "a record loses nothing" 0 sh -c "$W events --json | grep -q reason_hex"
pkill -x sleep
wait
holds "nothing stays" until_true 20 not_loaded
done_testing
