#!/bin/bash
# within and diff: exit status, witnesses, rules, JSON.
. /warder/tests/e2e/assert.sh
write_policy job sandbox-as-tool
A=$dir/job.yaml
B=$dir/new.yaml
sed 's|read:  \[|read: [|; s|/work/out/\*\*\]|/work/**]|; s|exec: \[/usr/bin/bc\]|exec: [/usr/bin/dc]|' $A >$B

expect "a set is within itself" 0 $W within $A:agent $A:agent
says "and it is said" "$A:agent is within $A:agent"
expect "a policy is within itself" 0 $W within $A $A
expect "an agent is not within its sandbox" 3 $W within $A:agent $A:sandbox
says "by a path" "read+list $dir/in"
says "with the rule that allows" "allowed: $A:12: files.read \"$dir/in/**\""
says "and that there is none" "refused: no rule"
says "by a reserved program" "refused: reserved for tool calculator ($A:6: exec \"/usr/bin/bc\")"
expect "every witness is what explain says" 0 sh -c "$W within --all $A:agent $A:sandbox | grep '^  [a-z]' | while read -r act; do
	$W explain --no-links $A:agent \"\$act\" >/dev/null || exit 9
	$W explain --no-links $A:sandbox \"\$act\" >/dev/null && exit 8
done; exit 0"
expect "a tool closes one" 3 $W within $A:agent $A:sandbox+calculator
silent "and is no difference then" "/usr/bin/bc"

expect "no difference" 0 $W diff $A $A
says "is said" "allow the same"
expect "two policies differ" 3 $W diff $A $B
says "in a set" "set sandbox:"
says "by what only the second allows" "+ write+create+delete+rename+link+chattr $dir/work/a"
says "in a tool" "tool calculator:"
says "by what it had" "- exec /usr/bin/bc"
says "and what it has" "+ exec /usr/bin/dc"
expect "as JSON" 3 $W diff --json $A $B
expect "that is JSON" 0 sh -c "$W diff --json $A $B | python3 -c 'import json,sys; d = json.load(sys.stdin); assert not d[\"same\"]; assert any(x[\"only\"] == \"b\" and x[\"path\"] == \"/usr/bin/dc\" and x[\"allowed\"][\"line\"] == 6 for p in d[\"parts\"] for x in p[\"differences\"])'"
expect "within as JSON" 0 sh -c "$W within --json $A:sandbox $B:sandbox | python3 -c 'import json,sys; d = json.load(sys.stdin); assert \"within\" in d'"

sed 's|^  sandbox:|  other:|; s|sandbox-as-tool|agent-in-sandbox|' $A >$dir/renamed.yaml
expect "a set that the other lacks" 3 $W within $A $dir/renamed.yaml
says "is named" "set sandbox: only $A has it"
expect "from both sides" 3 $W diff $A $dir/renamed.yaml
says "lost" "- set sandbox"
says "and new" "+ set other"

expect "no such set" 1 $W within $A:agnt $A
says "but one like it" 'did you mean "agent"?'
expect "no such tool" 1 $W within $A:agent+calculater $A
says "but one like it" 'did you mean "calculator"?'
# A deny of a set that bites only what is lent: neither the set nor the tool differs by itself.
cat >$dir/guarded.yaml <<EOF
version: 1
policy: guarded
model: agent-in-sandbox
tools: { all: { files: { read: [/srv/**] } } }
sets:
  agent: { files: { read: [/data/**], deny: { read: [/srv/**/.env] } } }
EOF
sed 's|, deny:.*| } }|' $dir/guarded.yaml >$dir/bare.yaml
expect "a deny of what is lent is gone" 3 $W diff $dir/guarded.yaml $dir/bare.yaml
says "which shows with the tools" "set agent with every tool:"
says "by a path" "+ read+list /srv/.env"
expect "and the policy is not within the first" 3 $W within $dir/bare.yaml $dir/guarded.yaml
expect "control: but the first within it" 0 $W within $dir/guarded.yaml $dir/bare.yaml

expect "a policy that is none" 1 $W diff $A /etc/hostname
expect "no file" 1 $W diff $A $dir/none.yaml
expect "one operand" 2 $W diff $A
expect "three" 2 $W within $A $A $A
expect "an unknown option" 2 $W within --some $A $A
done_testing
