#!/bin/bash
# explain: of a policy file, and of a running subject, whose answer is what the kernel does.
. /warder/tests/e2e/assert.sh
write_policy job sandbox-as-tool
P=$dir/job.yaml

# --- a policy file ---
expect "what a tool has, its holder may" 0 $W explain $P exec /usr/bin/bc
says "with the rule and its line" "rule   $P:6: exec \"/usr/bin/bc\""
expect "and nobody else" 3 $W explain $P --set sandbox "exec /usr/bin/bc"
says "whose it is" "reserved for tool calculator ($P:6: exec \"/usr/bin/bc\")"
says "and what opens it" "opened by a grant of calculator"
expect "as after a grant" 0 $W explain --set sandbox --with calculator $P exec /usr/bin/bc
expect "the same, named in the operand" 0 $W explain $P:sandbox+calculator exec /usr/bin/bc
expect "a deny" 3 $W explain $P read $dir/work/.env
says "its line" "$P:14: files.deny.read \"**/.env\""
says "what no grant opens" "a deny beats every allow"
expect "a link is followed" 0 $W explain $P exec /bin/sh
says "to what the kernel judges" "path   /usr/bin/dash"
expect "unless it shall not be" 3 $W explain --no-links $P exec /bin/sh
expect "as JSON" 3 $W explain --json $P connect tcp:1.1.1.1:443
says "with the verdict" '"verdict": "refused"'
expect "no access" 2 $W explain $P
expect "no object" 2 $W explain $P exec
expect "no such verb" 2 $W explain $P exce /bin/sh
says "but one like it" 'did you mean "exec"?'
says "with its place" "access:1:1: error"
expect "no such set" 1 $W explain --set sandbx $P exec /bin/sh
says "but one like it" 'did you mean "sandbox"?'
expect "no such tool" 1 $W explain --with calc $P exec /bin/sh
expect "no such policy" 1 $W explain $dir/none.yaml exec /bin/sh
expect "nothing is loaded" 1 $W explain --live box exec /bin/sh

# --- a running subject ---
cat >$dir/work/try.sh <<EOF
while :; do
	if bc </dev/null >/dev/null 2>&1; then echo yes; else echo no; fi >$dir/work/out/now
	sleep 0.2
done
EOF
$W run -p $P --code --name box -- sh $dir/work/try.sh 2>/dev/null &
runner=$!
now() {
	rm -f $dir/work/out/now
	until_true 15 grep -qx "$1" $dir/work/out/now
}
holds "the kernel refuses the tool" until_true 150 grep -qx no $dir/work/out/now
expect "so does explain --live" 3 $W explain --live box exec /usr/bin/bc
says "for this subject" "box (policy job, set sandbox, generation"
says "with the rule" "reserved for tool calculator ($P:6: exec \"/usr/bin/bc\")"
says "and what opens it" "opened by a grant of calculator"
expect "what it may" 0 $W explain --live box "read+list $dir/work/out"
expect "what it may not" 3 $W explain --live box "write $dir/work/try.sh"
expect "the surface" 3 $W explain --live box capability sys_admin
says "which no rule opens" "no grant opens it: no tool has it"
expect "an unknown subject" 1 $W explain --live nobody exec /usr/bin/bc
expect "no set beside a subject" 2 $W explain --live box --set agent exec /usr/bin/bc

expect "grant" 0 $W grant box calculator --for 1h --reason "ticket 1"
holds "the kernel allows the tool" now yes
expect "so does explain --live" 0 $W explain --live box exec /usr/bin/bc
says "by the granted key" "calculator (granted, "
expect "as JSON" 0 $W explain --live box --json exec /usr/bin/bc
says "with what was needed" '"granted": ['
expect "that is JSON" 0 sh -c "$W explain --live box --json exec /usr/bin/bc | python3 -c 'import json,sys; d = json.load(sys.stdin); assert d[\"verdict\"] == \"allowed\" and d[\"chain\"][0][\"subject\"] == \"box\"'"
expect "revoke" 0 $W revoke box calculator --reason "ticket 1 closed"
holds "the kernel refuses it again" now no
expect "so does explain --live" 3 $W explain --live box exec /usr/bin/bc

# The deadline is compared with the clock, as in the kernel: nobody has to fold it away.
expect "grant for a while" 0 $W grant box calculator --for 8s --reason "ticket 2"
expect "which holds" 0 $W explain --live box exec /usr/bin/bc
holds "and ends by itself" until_true 20 sh -c "! $W explain --live box exec /usr/bin/bc"
expect "with a refusal" 3 $W explain --live box exec /usr/bin/bc

# --- a text that is not what was loaded ---
kept=$(ls /run/warder/policies/*.yaml)
cp $kept $dir/kept
sed -i 's|/usr/bin/\*\*|/usr/bin/b*|' $kept
expect "where both agree" 3 $W explain --live box exec /usr/bin/bc
expect "a contradiction is an error" 1 $W explain --live box exec /usr/bin/id
says "said loudly" "CONTRADICTION"
says "with what holds" "what is loaded is enforced"
says "and the verdict of what is loaded" "allowed: exec /usr/bin/id"
rm $kept
expect "without the text" 0 $W explain --live box exec /usr/bin/id
says "the verdict stands" "rule   not known"
cp $dir/kept $kept
kill $runner
wait
holds "nothing stays" until_true 20 not_loaded
done_testing
