#!/bin/bash
# System calls that pass no hook: a profile and deny rules hold them by a filter, which reports by name.
. /warder/tests/e2e/assert.sh || exit
cat >call.py <<'P'
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(name, number, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in arguments])
    print(name, "ok" if result >= 0 else ctypes.get_errno())
    return result
call("getpriority", 140, 0, 0)
call("keyctl", 250, 0, -3, 1)
call("clone3", 435, 0, 0)
call("newest", 500)
call("no-randomize", 135, 0x40000)
call("personality?", 135, 0xffffffff)
call("socket", 41, 1, 1, 0)
call("TIOCSTI", 16, 0, 0x5412, 0)
P
cat >p.yaml <<P
version: 1
policy: calls
model: agent-in-sandbox
sets:
  agent: &agent
    include: [base, python, node]
    exec: [/usr/bin/**]
    files: { write: ["$dir/**"] }
    env: { pass: [PATH] }
    syscalls: { profile: default }
  strict:
    include: [base, python]
    exec: [/usr/bin/**]
    files: { write: ["$dir/**"] }
    env: { pass: [PATH] }
    syscalls: { profile: strict }
  some:
    include: [base, python]
    exec: [/usr/bin/**]
    files: { write: ["$dir/**"] }
    env: { pass: [PATH] }
    syscalls: { deny: [getpriority, keyctl] }
  word:
    include: [base, python]
    exec: [/usr/bin/**]
    files: { write: ["$dir/**"] }
    env: { pass: [PATH] }
    syscalls: { profile: default }
    kernel: [keys]
  allowed:
    include: [base, python]
    exec: [/usr/bin/**]
    files: { write: ["$dir/**"] }
    env: { pass: [PATH] }
    syscalls: { profile: default, allow: [keyctl, personality] }
    kernel: [keys]
P
sed -i 's/ &agent//' p.yaml
# Keeps the programs loaded from one run to the next.
$W run -p p.yaml --set some --name keep -- sleep infinity &
until_true 300 sh -c "$W ps | grep -q '^keep '"
expect "control: outside" 0 python3 call.py
says "keyctl works there" "keyctl ok"
says "personality too" "no-randomize ok"
expect "profile default" 0 $W run -p p.yaml -- python3 call.py
says "an ordinary call" "getpriority ok"
says "keyctl" "keyctl 1"
says "clone3 is answered as if it were not there" "clone3 38"
says "a call newer than the profile, too" "newest 38"
says "an odd personality" "no-randomize 1"
says "but the question is allowed" "personality? ok"
says "a socket" "socket ok"
says "terminal input" "TIOCSTI 1"
says "keyctl is named, with the line" 'keyctl (p.yaml:10: syscalls.profile "default")'
says "personality is named" "personality"
silent "clone3 is not" "clone3 ("
expect "events" 0 $W events --json
says "of the filter" '"hook":"seccomp"'
expect "profile strict" 0 $W run -p p.yaml --set strict -- python3 call.py
says "has no sockets" "socket 1"
says "a question about oneself is allowed" "getpriority ok"
says "socket is named" 'socket (p.yaml:16: syscalls.profile "strict")'
expect "deny rules alone" 0 $W run -p p.yaml --set some -- python3 call.py
says "a call that passes no hook is refused" "getpriority 1"
says "by its line" 'getpriority (p.yaml:22: syscalls.deny "getpriority")'
says "nothing else is" "socket ok"
says "nor clone3 as if it were not there" "clone3 22"
expect "allow beyond the profile" 0 $W run -p p.yaml --set allowed -- python3 call.py
says "keyctl is allowed" "keyctl ok"
says "and any personality" "no-randomize ok"
expect "a word of the surface beside the profile" 0 $W run -p p.yaml --set word -- python3 call.py
says "opens its calls" "keyctl ok"
says "and no other" "no-randomize 1"
expect "the calls of this kernel" 0 $W syscalls -p p.yaml word
says "with the word that opens one" ': kernel "keys"'
says "with the layer" "filter and hooks"
expect "python under the profile" 0 $W run -p p.yaml -- python3 -c '
import subprocess, threading
thread = threading.Thread(target=lambda: print("thread")); thread.start(); thread.join()
print(subprocess.run(["/usr/bin/true"]).returncode)'
says "has threads" "thread"
silent "and no denial of a call" "syscalls.profile"
expect "node under the profile" 0 $W run -p p.yaml -- node -e 'console.log("node " + 6 * 7)'
says "runs" "node 42"
expect "a pipeline under strict" 0 $W run -p p.yaml --set strict -- sh -c 'printf "b\na\n" | sort >o; cat o'
silent "no denial" "denied"
$W kill keep >/dev/null
wait
done_testing
