#!/bin/bash
# What a subject stands in the way of names the command that ends it, and that command works.
. /warder/tests/e2e/assert.sh || exit
write_policy job sandbox-as-tool
P=$dir/job.yaml
$W run -p "$P" --name first -- sleep 600 &
until_true 180 sh -c "$W ps | grep -q '^first '"
$W run -p "$P" --name second -- sleep 600 &
until_true 60 sh -c "$W ps | grep -q '^second '"
sed 's/calculator/calc/' "$P" >"$dir/other.yaml"
expect "another policy of that name" 1 $W run -p "$dir/other.yaml" -- true
says "says which file" other.yaml:
says "says in what it differs" "with the same rules but other names or lines"
silent "and no numbers" generation
remedy=$(printf '%s' "$out" | sed -n 's/.*`warder \(kill [^`]*\)`.*/\1/p')
holds "names the command" test "$remedy" = "kill first second"
sed 's|/in/\*\*|/else/**|' "$P" >"$dir/rules.yaml"
expect "a policy with other rules" 1 $W run -p "$dir/rules.yaml" -- true
says "says so" "with other rules"
says "names the command as well" '`warder kill first second`'
expect "a name that is taken" 1 $W run -p "$P" --name first -- true
says "names it, too" '`warder kill first`'
rm /sys/fs/bpf/warder/links/global/path_chmod /run/warder/bpf/warder/links/global/path_chmod
expect "a link is gone" 1 $W run -p "$P" -- true
says "and what to do" '`warder kill SUBJECT`'
expect "that command" 0 $W $remedy
says "ends the one" "first is ended"
says "and the other" "second is ended"
wait
holds "nothing stays" until_true 20 not_loaded
done_testing
