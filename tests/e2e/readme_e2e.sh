#!/bin/bash
# README.md says the truth: its policy and its sessions, run as they are printed. What a session prints below a command
# must be what the command prints, numbers that differ from run to run (pids, times) aside.
. /warder/tests/e2e/assert.sh
mkdir -p /srv/agent
cat >/etc/msmtprc <<'EOF'
defaults
auth off
tls off
account default
host 127.0.0.1
port 25
from agent@example.org
EOF
cat >$dir/mail-server <<'EOF'
import sys, threading
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Mailbox
Controller(Mailbox(sys.argv[1]), hostname="127.0.0.1", port=25, server_hostname="mail.example.org").start()
threading.Event().wait()
EOF
ip link set lo up
python3 $dir/mail-server $dir/mail &
server=$!
export PATH=/warder/build:$PATH

# The policy below "Save it as", and the sessions: "# COMMAND" with "> " for further lines, then what it prints.
awk '/^```yaml$/ && !done { on = 1; next } /^```$/ && on { done = 1; exit } on' /warder/README.md \
	>/srv/agent/support-bot.yaml
awk '/^```console$/ { on = 1; next } /^```$/ { on = 0 } on' /warder/README.md >$dir/session
holds "README has a policy" test -s /srv/agent/support-bot.yaml
holds "README has a session" grep -q '^# warder run' $dir/session

# One shell runs all commands; a line "=N" in its output says that command N begins.
awk -v out="$dir/wanted" '
	/^# / { n++; print "echo =" n; print substr($0, 3); next }
	/^> / { print substr($0, 3); next }
	{ print n "\t" $0 >out }
' $dir/session >$dir/script
expect "the sessions run" 0 timeout 200 bash $dir/script
printf '%s\n' "$out" >$dir/got
normal() {
	sed -E 's/[0-9]+(s|m|x)\b/N\1/g; s/[0-9]+ +/N /g; s/ +/ /g' "$@"
}
while IFS=$'\t' read -r n line; do
	out=$(awk -v n="$n" '/^=[0-9]+$/ { on = $0 == "=" n; next } on' $dir/got)
	wanted=$(normal <<<"$line")
	grep -qxF -- "$wanted" <(normal <<<"$out") && ok "command $n prints: $line" || not_ok "command $n prints: $line"
done <$dir/wanted
out=$(cat $dir/mail/new/* 2>/dev/null)
says "the mail that was granted is in the server's store" hello
holds "and is one" test "$(ls $dir/mail/new | wc -l)" = 1
kill $server
holds "nothing stays" until_true 20 not_loaded
done_testing
