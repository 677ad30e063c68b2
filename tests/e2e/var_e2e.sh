#!/bin/bash
# Two instances of one policy side by side: each has its own directory and not the other's.
. /warder/tests/e2e/assert.sh || exit
mkdir "$dir/one" "$dir/two" "$dir/apart"
cat >"$dir/p.yaml" <<EOT
version: 1
policy: tree
model: agent-in-sandbox
vars:
  work: { within: ["$dir/{one,two}"] }
sets:
  agent:
    include: [base]
    exec: [/bin/**, /usr/bin/**]
    files: { write: ["\${work}/**"] }
    env: { set: { PATH: /usr/bin:/bin, WORK: "\${work}" } }
EOT
P=$dir/p.yaml

expect "a variable without a value" 1 $W run -p "$P" -- true
says "is named" 'the variable "work" has no value'
expect "a value out of bounds" 1 $W run -p "$P" --var work="$dir/apart" -- true
says "is refused" "out of bounds"
expect "a value that climbs" 1 $W run -p "$P" --var work="$dir/one/../apart" -- true
expect "no value at all" 2 $W run -p "$P" --var work -- true
expect "another variable" 1 $W run -p "$P" --var wrok="$dir/one" --var work="$dir/one" -- true
says "is asked about" 'did you mean "work"'

$W run -p "$P" --var work="$dir/one" -- sleep 600 &
until_true 90 sh -c "$W ps | grep -q tree-agent"
first=$($W ps | awk '/tree-agent/ { print $1; exit }')
expect "an instance beside it writes its own directory" 0 \
	$W run -p "$P" --var work="$dir/two" -- sh -c 'echo mine >"$WORK/a"'
[ "$(cat "$dir/two/a")" = mine ] && ok "and there it is" || not_ok "and there it is"
expect "and not the one of the other" 2 \
	$W run -p "$P" --var work="$dir/two" -- sh -c "echo mine >$dir/one/a"
says "by the policy" "denied"
[ ! -e "$dir/one/a" ] && ok "and nothing is there" || not_ok "and nothing is there"
expect "the first one has equals" 0 $W run -p "$P" --var work="$dir/one" -- sh -c 'echo x >"$WORK/b"'
out=$($W ps 2>&1)
says "ps tells the instance" "tree@"
expect "a tool that no instance has" 1 $W grant "$first" nothing --for 5s --reason test
says "the kept policy was read with its value" 'policy "tree"'
kill %1
wait
done_testing
