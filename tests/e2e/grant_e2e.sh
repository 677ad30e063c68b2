#!/bin/bash
# grant and revoke: who may, what is asked for, what the kernel ends by itself.
. /warder/tests/e2e/assert.sh
write_policy job sandbox-as-tool
P=$dir/job.yaml
sed -i "s|write: \[$dir/work/out/\*\*\]|write: [$dir/work/out/**, $dir/work/out/cache/**]|" $P
# Generated code that tries its tool five times a second and writes down what happened; when told, it
# plants a link where a rule of its policy begins.
cat >$dir/work/try.sh <<EOF
while :; do
	[ ! -e $dir/work/plant ] || [ -L $dir/work/out/cache ] || ln -s /etc $dir/work/out/cache
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
holds "without the key the tool is refused" until_true 180 grep -qx no $dir/work/out/now

expect "a reason is required" 2 $W grant box calculator --for 20s
expect "an empty reason is none" 2 $W grant box calculator --for 20s --reason ''
expect "a time is required" 2 $W grant box calculator --reason test
expect "a time that is none" 2 $W grant box calculator --for soon --reason test
expect "an unknown tool" 1 $W grant box calculater --for 20s --reason test
says "offers the nearest, and names those there are" 'did you mean "calculator"? It has: calculator'
expect "a tool like no other" 1 $W grant box mail --for 20s --reason test
says "names those there are" "
it has: calculator"
expect "an unknown subject" 1 $W grant nobody calculator --for 20s --reason test
expect "a subject with a slip" 1 $W grant bix calculator --for 20s --reason test
says "offers the nearest" 'did you mean "box"?'
for verb in ps maps events 'grant box calculator --for 20s --reason test' 'revoke box calculator --reason test'; do
	expect "$verb without root" 1 setpriv --reuid 1000 --clear-groups $W $verb
	says "says what root is for" "see and change what is loaded"
done
holds "nothing of that changed anything" now no

expect "grant" 0 $W grant box calculator --for 1h --reason "ticket 1"
holds "the tool works" now yes
expect "ps shows the key" 0 $W ps
says "with its tool" calculator
expect "revoke needs a reason" 2 $W revoke box calculator
expect "revoke" 0 $W revoke box calculator --reason "ticket 1 closed"
holds "the tool is refused again" now no
expect "revoke of what is not held" 1 $W revoke box calculator --reason again
expect "grant for a while" 0 $W grant box calculator --for 4s --reason "ticket 2"
holds "works for that while" now yes
holds "and ends by itself" until_true 15 grep -qx no $dir/work/out/now

# Who can name no tool can take none back.
touch $dir/work/plant
holds "the code plants a link" until_true 15 test -L $dir/work/out/cache
expect "that the policy would not load with" 1 $W check $P
says "for its sake" "$dir/work/out/cache"
expect "a grant all the same" 0 $W grant box calculator --until-revoked --reason "ticket 3"
holds "works" now yes
expect "a revoke" 0 $W revoke box calculator --reason "ticket 3 closed"
holds "works" now no
expect "an unknown tool still is" 1 $W grant box calculater --for 20s --reason test

expect "events" 0 $W events --json
says "who, why: the grant is recorded" "ticket 2"
says "and the revocation" "ticket 1 closed"
says "and the use of the granted key" granted-key
expect "every record is JSON" 0 sh -c "$W events --json | python3 -c 'import json,sys; [json.loads(l) for l in sys.stdin]'"
kill $runner
wait
holds "nothing stays" until_true 20 not_loaded
done_testing
