#!/bin/bash
# Every warder process is killed with -9: the sandbox stays confined, a timed grant still ends, and the next warder
# adopts what is there and clears away what is dead.
. /warder/tests/e2e/assert.sh
write_policy job sandbox-as-tool
P=$dir/job.yaml
cat >$dir/work/try.sh <<EOF
while :; do
	if bc </dev/null >/dev/null 2>&1; then echo yes; else echo no; fi >$dir/work/out/now
	if cat $dir/secret >/dev/null 2>&1; then echo yes; else echo no; fi >$dir/work/out/secret
	sleep 0.2
done
EOF
$W run -p $P --code --name box -- sh $dir/work/try.sh 2>/dev/null &
holds "it runs" until_true 180 grep -qx no $dir/work/out/now
expect "grant for ten seconds" 0 $W grant box calculator --for 10s --reason test
holds "the tool works" until_true 8 grep -qx yes $dir/work/out/now
pkill -9 -x warder
wait 2>/dev/null
! pgrep -x warder >/dev/null && ok "no warder process is left" || not_ok "no warder process is left"
rm -f $dir/work/out/*
holds "the sandbox goes on" until_true 10 test -s $dir/work/out/secret
holds "and is still confined" until_true 10 grep -qx no $dir/work/out/secret
holds "the grant ends all the same" until_true 15 grep -qx no $dir/work/out/now
! grep -qx yes $dir/work/out/secret && ok "still confined after that" || not_ok "still confined after that"
expect "the next warder finds it" 0 $W ps
says "by name" box
expect "its events are not lost" 0 $W events --subject box
says "the refusal is there" "$dir/secret"
expect "another run beside it" 1 $W run -p $P --code -- cat $dir/secret
holds "did not touch it" pgrep -f $dir/work/try.sh
pkill -9 -f $dir/work/try.sh
sleep 0.5
expect "the dead subject goes with the next run" 0 $W run -p $P -- true
holds "and nothing stays" until_true 20 not_loaded
done_testing
