#!/bin/bash
# A sandbox that is nested in an agent: it needs what both may, ends with the agent, and the events, the summary and
# `explain --live` name who refused. Limits and `on-violation: kill` of a set.
. /warder/tests/e2e/assert.sh || exit
mkdir $dir/both $dir/mine $dir/own
for d in both mine own; do echo text >$dir/$d/file; done
cat >agent.yaml <<EOF
version: 1
policy: upper
model: agent-in-sandbox
sets:
  agent:
    include: [base]
    exec: [/usr/bin/*]
    files: { read: ["$dir/both/**", "$dir/mine/**"] }
EOF
cat >box.yaml <<EOF
version: 1
policy: lower
model: agent-in-sandbox
sets:
  box:
    include: [base]
    exec: [/usr/bin/*]
    files: { read: ["$dir/both/**", "$dir/own/**"] }
  apart:
    include: [base]
    exec: [/usr/bin/*]
    separate: true
    files: { read: ["$dir/own/**"] }
  deadly:
    include: [base]
    exec: [/usr/bin/*]
    on-violation: kill
  small:
    include: [base]
    exec: [/usr/bin/*]
    limits: { pids: 1, memory: 64M, cpu: 50% }
EOF
expect "no such parent" 1 $W run -p box.yaml -s box --parent upper -- true
says "is said" upper
$W run -p agent.yaml --name upper -- sleep 1000 </dev/null >/dev/null 2>&1 &
upper=$!
holds "the agent runs" until_true 180 pgrep -f '^sleep 1000'
expect "what both may" 0 $W run -p box.yaml -s box --parent upper -- cat $dir/both/file
expect "what the agent may" 1 $W run -p box.yaml -s box --parent upper -- cat $dir/mine/file
says "is refused by the box" 'in set "box"'
expect "what the box may" 1 $W run -p box.yaml -s box --name low --parent upper -- cat $dir/own/file
says "is refused by the agent" 'in set "agent"'
expect "the events" 0 $W events --subject low
says "name who refused" "by subject upper"
expect "without a parent" 0 $W run -p box.yaml -s box -- cat $dir/own/file
expect "a separate set" 0 $W run -p box.yaml -s apart --parent upper -- cat $dir/own/file
expect "killed for a violation" 137 $W run -p box.yaml -s deadly -- cat $dir/own/file
silent "refused first" text
says "and told" "processes killed for it (on-violation: kill): 1"
expect "another set lives" 1 $W run -p box.yaml -s box -- cat $dir/mine/file
silent "and nobody is killed" "processes killed"
expect "one process too many" 2 $W run -p box.yaml -s small -- sh -c 'cat /dev/null; cat /dev/null'
expect "as many as it may" 0 $W run -p box.yaml -s small -- cat /dev/null
expect "control" 0 $W run -p box.yaml -s box -- sh -c 'cat /dev/null; cat /dev/null'
$W run -p box.yaml -s box --name inner --parent upper -- sleep 2000 </dev/null >inner.log 2>&1 &
inner=$!
holds "a box that stays" until_true 60 pgrep -f '^sleep 2000'
expect "the chain" 3 $W explain --live inner "read $dir/own/file"
says "begins with the box" "inner (policy lower, set box"
says "and goes on" "upper (policy upper, set agent"
expect "the agent is ended" 0 $W kill upper
wait $upper $inner
! pgrep -f '^sleep 2000' >/dev/null && ok "the box ended with it" || not_ok "the box ended with it"
holds "nothing stays" until_true 20 not_loaded
done_testing
