#!/bin/bash
# Classes that a set leaves ungoverned: everything in them is allowed but what a deny takes away; the others are judged.
. /warder/tests/e2e/assert.sh || exit
cat >"$dir/p.yaml" <<EOT
version: 1
policy: host
model: agent-in-sandbox
tools:
  bench: { exec: [/usr/bin/nproc] }
sets:
  all:
    files: ungoverned
    exec: ungoverned
    unix: ungoverned
    env: ungoverned
  able:
    files: ungoverned
    exec: ungoverned
    unix: ungoverned
    env: ungoverned
    syscalls: ungoverned
    capabilities: ungoverned
  programs:
    include: [base]
    exec: ungoverned
    env: ungoverned
  but:
    files: ungoverned
    exec: ungoverned
    env: ungoverned
EOT
P=$dir/p.yaml
mkdir "$dir/deep" && echo old >"$dir/deep/f"
python3 - "$dir/sock" <<'EOT' &
import socket, sys
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(9)
a = socket.socket(socket.AF_UNIX); a.bind("\0warder/ungoverned"); a.listen(9)
while True:
    s.accept()[0].sendall(b"hello"); a.accept()[0].sendall(b"there")
EOT
server=$!
ask='import socket, sys
for name in sys.argv[1], "\0warder/ungoverned":
    s = socket.socket(socket.AF_UNIX); s.connect(name); print(s.recv(9).decode())'

# Keeps the programs loaded from one run to the next.
$W run -p "$P" --set all --name keep -- sleep infinity &
until_true 300 sh -c "$W ps | grep -q '^keep '"
expect "files are written anywhere" 0 $W run -p "$P" --set all -- \
	sh -c "echo new >$dir/deep/f && mv $dir/deep $dir/moved && touch /ungoverned && chmod 600 /ungoverned"
[ "$(cat "$dir/moved/f")" = new ] && ok "and there they are" || not_ok "and there they are"
[ "$(stat -c %a /ungoverned)" = 600 ] && ok "and changed" || not_ok "and changed"
rm -f /ungoverned
expect "any socket is connected to" 0 $W run -p "$P" --set all -- python3 -c "$ask" "$dir/sock"
says "by path" hello
says "by abstract name" there
expect "programs of no rule start" 0 $W run -p "$P" --set all -- python3 -c 'print(6 * 7)'
says "and run" 42

expect "capabilities are used" 0 $W run -p "$P" --set able -- sh -c "chown 1000 $dir/moved/f"
[ "$(stat -c %u "$dir/moved/f")" = 1000 ] && ok "with their effect" || not_ok "with their effect"
chown 0 "$dir/moved/f"
expect "and are judged otherwise" 1 $W run -p "$P" --set all -- chown 1000 "$dir/moved/f"
[ "$(stat -c %u "$dir/moved/f")" = 0 ] && ok "without an effect" || not_ok "without an effect"
expect "the kernel's surface needs its word" 1 $W run -p "$P" --set able -- unshare --user true
says "refused" "use user-namespaces"
expect "control: outside" 0 unshare --user true

expect "a program that a tool reserves does not" 126 $W run -p "$P" --set all -- sh -c nproc
expect "warder's own places stay closed" 2 $W run -p "$P" --set all -- sh -c 'echo x >/run/warder/x'
says "by the guard" "preset guard"
[ ! -e /run/warder/x ] && ok "and nothing is there" || not_ok "and nothing is there"
expect "so do those of others' processes" 1 $W run -p "$P" --set all -- sh -c "readlink /proc/$server/cwd"
expect "a class that is not left out is judged" 2 $W run -p "$P" --set programs -- sh -c "echo x >$dir/moved/f"
[ "$(cat "$dir/moved/f")" = new ] && ok "and the file is as it was" || not_ok "and the file is as it was"
expect "and so are sockets" 1 $W run -p "$P" --set but -- python3 -c "$ask" "$dir/sock"
says "refused" PermissionError
expect "the network is none of them" 1 $W run -p "$P" --set all -- \
	python3 -c 'import socket; socket.create_connection(("127.0.0.1", 9))'
says "and refused" "Permission denied"
kill $server
$W kill keep >/dev/null
wait
done_testing
