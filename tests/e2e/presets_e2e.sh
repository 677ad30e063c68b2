#!/bin/bash
# The presets base, tls-roots, python and python-multiprocessing: real programs work, nothing else does.
. /warder/tests/e2e/preset.sh || exit
hold

# --- base ---
preset_policy base base '"/usr/bin/**"'
preset_policy bare '' '"/usr/bin/**"'
cat >"$dir/work/facts.sh" <<'EOF'
TZ=Europe/Berlin date -d '2026-07-01 12:00 UTC' '+zone %Z %H'
echo "letters $(printf '\303\244' | LC_ALL=C.UTF-8 wc -m)"
echo "user $(id -un) home $(getent passwd root | cut -d: -f6)"
echo "random $(head -c 4 /dev/urandom | wc -c)"
echo "own $(cat /proc/self/comm) of $(nproc)"
echo "limit $(cat "/sys/fs/cgroup$(cut -c4- /proc/self/cgroup)/memory.max")"
echo "host $(getent hosts 127.0.0.1 | cut -d' ' -f1)"
echo nothing >/dev/null
ls / /usr/bin >/dev/null && echo listed
curl --version | cut -d' ' -f1 | head -n 1
tput -T xterm colors
echo written >here && cat here
EOF
# A machine with systemd has the controller; the guest has it when it is asked for.
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
echo +memory >/sys/fs/cgroup/warder/cgroup.subtree_control
cd "$dir/work"
expect "base: shell, coreutils, curl" 0 under base sh facts.sh
for fact in "zone CEST 14" "letters 1" "user alice home /root" "random 4" "own cat of 2" "limit max" \
	"host 127.0.0.1" listed curl 8 written; do
	says "base: $fact" "$fact"
done
refused "base: no refusal"
expect "without base nothing starts" 126 under bare true
says "the loader is refused" "ld-linux-x86-64.so.2"
expect "control: outside" 0 outside true
expect "base: ps" 0 under_root base ps -e -o comm=
says "base: ps sees itself" ps
silent "base: ps sees no other" sleep

preset_policy names base /usr/bin/curl 'network: { connect: ["tcp:127.0.0.1:8443"] }'
python3 -m http.server -b 127.0.0.1 8443 >"$dir/server" 2>&1 &
server=$!
until_true 30 curl -s http://127.0.0.1:8443/
expect "base: the name of a host" 0 under names curl -sS http://localhost:8443/
refused "base: no refusal for the name of a host"
kill $server

expect "base: files of others" 1 under base cat "$dir/other/secret"
refused "base: the refusal" "read $dir/other/secret"
expect "control: files of others outside" 0 outside cat "$dir/other/secret"
expect "base: shadow, as root" 1 under_root base cat /etc/shadow
silent "base: no hash is read" 'root:'
refused "base: the refusal of shadow" "read /etc/shadow"
expect "control: shadow outside" 0 cat /etc/shadow
expect "base: making a file in /tmp" 2 under base sh -c "echo x >/tmp/made.$$"
[ ! -e "/tmp/made.$$" ] && ok "base: no file is there" || not_ok "base: no file is there"
expect "control: making a file in /tmp outside" 0 outside sh -c "echo x >/tmp/made.$$ && rm /tmp/made.$$"
expect "base: removing a device, as root" 1 under_root base rm /dev/full
[ -c /dev/full ] && ok "base: the device is there" || not_ok "base: the device is there"
expect "base: environment of another process, as root" 2 under_root base grep -c . /proc/1/environ
expect "control: environment outside" 0 grep -c . /proc/1/environ
expect "base: a library" 2 under_root base sh -c 'echo x >>/usr/lib/os-release'
out=$(tail -n 1 /usr/lib/os-release)
[ "$out" != x ] && ok "base: the library is as it was" || not_ok "base: the library is as it was"

# --- tls-roots ---
mkdir "$dir/tls"
{
	cd "$dir/tls"
	printf 'subjectAltName=IP:127.0.0.1\n' >san
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test-ca -keyout ca.key -out ca.pem
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=server -keyout server.key -out server.csr
	openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile san -out server.pem
	cd "$dir/work"
} >/dev/null 2>&1
openssl s_server -accept 127.0.0.1:8443 -cert "$dir/tls/server.pem" -key "$dir/tls/server.key" -www -quiet >/dev/null 2>&1 &
server=$!
until_true 30 sh -c 'echo | openssl s_client -connect 127.0.0.1:8443'
connect='network: { connect: ["tcp:127.0.0.1:8443"] }'
preset_policy tls base,tls-roots /usr/bin/curl "$connect"
preset_policy notls base /usr/bin/curl "$connect"
url=https://127.0.0.1:8443/

expect "tls-roots: a server whom nobody trusts" 60 under tls curl -sS $url
refused "tls-roots: the roots are read" # and the verdict is curl's own
cat "$dir/tls/ca.pem" >>/etc/ssl/certs/ca-certificates.crt
expect "tls-roots: a server whom a root vouches for" 0 under tls curl -sS $url
says "tls-roots: its answer" s_server
refused "tls-roots: no refusal"
expect "control: outside" 0 outside curl -sS $url
expect "without tls-roots nobody is trusted" 77 under notls curl -sS $url
says "the roots are refused" "read /etc/ssl/certs/ca-certificates.crt"

preset_policy tlscat base,tls-roots '"/usr/bin/{cat,ls,cp}"'
cp "$dir/tls/server.key" /etc/ssl/private/server.key
cat "$dir/tls/server.pem" "$dir/tls/server.key" >/etc/ssl/certs/both.pem
expect "tls-roots: a private key, as root" 1 under_root tlscat cat /etc/ssl/private/server.key /etc/ssl/certs/both.pem
silent "tls-roots: no key is read" "PRIVATE KEY"
refused "tls-roots: both are refused" "read /etc/ssl/private/server.key" "read /etc/ssl/certs/both.pem"
expect "control: the key outside" 0 cat /etc/ssl/private/server.key /etc/ssl/certs/both.pem
expect "tls-roots: planting a root, as root" 1 under_root tlscat cp "$dir/tls/ca.pem" /usr/local/share/ca-certificates/evil.crt
[ ! -e /usr/local/share/ca-certificates/evil.crt ] && ok "tls-roots: nothing is planted" || not_ok "tls-roots: nothing is planted"

# --- python ---
preset_policy py base,python /usr/bin/sort
preset_policy pytls base,python,tls-roots /usr/bin/sort "$connect"
preset_policy nopy base /usr/bin/sort
cat >"$dir/work/library.py" <<'EOF'
import asyncio, concurrent.futures, csv, ctypes.util, curses, datetime, decimal, getpass, hashlib, json, locale, lzma
import os, platform, readline, socket, sqlite3, ssl, statistics, subprocess, tempfile, threading, unittest, uuid
import urllib.request, xml.etree.ElementTree, zlib, zoneinfo

with tempfile.NamedTemporaryFile("w+") as f, tempfile.TemporaryDirectory() as d:
    print("temporary", os.path.dirname(f.name) == os.path.dirname(d) == os.environ["TMPDIR"])
db = sqlite3.connect("data.db")
db.execute("create table if not exists t (a)")
db.executemany("insert into t values (?)", [(n,) for n in range(10)])
db.commit()
print("sqlite", db.execute("select sum(a) from t").fetchone()[0])
print("sorted", subprocess.run(["sort"], input=b"b\na\n", capture_output=True).stdout)
print("hash", hashlib.sha256(b"").hexdigest()[:8], json.dumps({"a": [1]}))
print("zone", datetime.datetime(2026, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")).tzname())
print("asyncio", asyncio.run(asyncio.sleep(0, 7)))
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    print("threads", list(pool.map(abs, [-1, 2])))
print("libc", ctypes.CDLL(ctypes.util.find_library("c")).abs(-3), platform.system(), getpass.getuser())
EOF
rm -f "$dir/work/data.db"
expect "python: the library" 0 under py python3 library.py
for fact in "temporary True" "sqlite 45" "sorted b'a\\nb\\n'" 'hash e3b0c442 {"a": [1]}' "zone CEST" "asyncio 7" \
	"threads [1, 2]" "libc 3 Linux alice"; do
	says "python: $fact" "$fact"
done
refused "python: no refusal"
expect "without python it does not start" 126 under nopy python3 library.py
expect "control: outside" 0 outside python3 library.py

outside python3 -m venv --without-pip venv
expect "python: a virtual environment" 0 under py venv/bin/python -c 'import sys; print(sys.prefix)'
says "python: knows its place" "$dir/work/venv"
refused "python: no refusal in it"
expect "python: making a virtual environment" 0 under py python3 -m venv --without-pip venv2
refused "python: no refusal in making it"

cat >"$dir/work/verify.py" <<'EOF'
import ssl, urllib.request
context = ssl.create_default_context()
print("roots", len(context.get_ca_certs()) > 100)
print("answer", urllib.request.urlopen("https://127.0.0.1:8443/", context=context).status)
EOF
expect "python and tls-roots: verify a server" 0 under pytls python3 verify.py
says "python and tls-roots: the roots" "roots True"
says "python and tls-roots: the answer" "answer 200"
refused "python and tls-roots: no refusal"
kill $server

cat >"$dir/work/forbidden.py" <<EOF
import subprocess, socket
def attempt(what, act):
    try: act(); print(what, "worked")
    except PermissionError: print(what, "refused")
attempt("read", lambda: open("$dir/other/secret").read())
attempt("write", lambda: open("$dir/other/planted", "w"))
attempt("tmp", lambda: open("/tmp/planted.$$", "w"))
attempt("run", lambda: subprocess.run(["touch", "$dir/work/touched"]))
attempt("shell", lambda: subprocess.run("touch $dir/work/touched", shell=True))
attempt("send", lambda: socket.create_connection(("127.0.0.1", 8444)))
EOF
python3 -m http.server -b 127.0.0.1 8444 >"$dir/server" 2>&1 &
server=$!
until_true 30 curl -s http://127.0.0.1:8444/
expect "python: what is forbidden" 0 under py python3 forbidden.py
silent "python: all is refused" worked
refused "python: the refusals" "read $dir/other/secret" "create $dir/other/planted" "create /tmp/planted.$$" \
	"exec /usr/bin/touch" "exec /usr/bin/dash" "connect tcp:127.0.0.1:8444"
[ ! -e "$dir/other/planted" ] && [ ! -e "/tmp/planted.$$" ] && [ ! -e "$dir/work/touched" ] &&
	ok "python: nothing has happened" || not_ok "python: nothing has happened"
expect "control: outside" 0 outside python3 forbidden.py
silent "control: all works" refused
kill $server

# --- python-multiprocessing ---
preset_policy many base,python,python-multiprocessing /usr/bin/sort
preset_policy shared base,python,python-multiprocessing /usr/bin/sort
sed -i 's|files: .*|files: { write: ['"$dir"'/work/**, "/dev/shm/psm_*"] }|' "$dir/shared.yaml"
cat >"$dir/work/many.py" <<'EOF'
import concurrent.futures, multiprocessing

def put(queue):
    queue.put("from a child")

if __name__ == "__main__":
    print("pool", multiprocessing.Pool(2).map(abs, [-1, 2]))
    print("executor", list(concurrent.futures.ProcessPoolExecutor(2).map(abs, [-3, 4])))
    queue = multiprocessing.Queue()
    child = multiprocessing.Process(target=put, args=(queue,))
    child.start()
    print(queue.get())
    child.join()
EOF
ls /dev/shm >"$dir/shm"
expect "python-multiprocessing: pool, executor, queue" 0 under many python3 many.py
for fact in "pool [1, 2]" "executor [3, 4]" "from a child"; do
	says "python-multiprocessing: $fact" "$fact"
done
refused "python-multiprocessing: no refusal"
ls /dev/shm | cmp -s - "$dir/shm" && ok "python-multiprocessing: nothing is left" || not_ok "python-multiprocessing: nothing is left"
expect "without it no lock is made" 1 under py python3 many.py
says "python alone: the refusal" "create /dev/shm/sem."
expect "control: outside" 0 outside python3 many.py

echo theirs >/dev/shm/sem.service
chmod 666 /dev/shm/sem.service
share='from multiprocessing import shared_memory as s; m = s.SharedMemory(create=True, size=9); print("size", m.size >= 9); m.close(); m.unlink()'
expect "python-multiprocessing: a semaphore of others" 1 under many python3 -c 'open("/dev/shm/sem.service", "w")'
expect "python-multiprocessing: the semaphore is as it was" 0 cat /dev/shm/sem.service
says "python-multiprocessing: its contents" theirs
expect "python-multiprocessing: shared memory" 1 under many python3 -c "$share"
says "python-multiprocessing: the refusal" "create /dev/shm/psm_"
expect "python-multiprocessing: shared memory where the policy names it" 0 under shared python3 -c "$share"
refused "python-multiprocessing: no refusal then"
expect "control: a semaphore of others outside" 0 outside python3 -c 'open("/dev/shm/sem.service", "w")'

release
done_testing
