#!/bin/bash
# Larger programs as people run them in a sandbox: presets and `profile: default`, a work tree, servers of their own on the
# loopback interface. No refusal, or one that is explained here. Needs the image `programs` (tools/vm --image).
. /warder/tests/e2e/preset.sh || exit
hold
profile='syscalls: { profile: default }'
serves() { printf 'network: { connect: ["tcp:127.0.0.1:%s"] }' "$1"; }

# --- python: a virtual environment, pip from a local index, numpy ---
preset_policy python base,python "$dir/work/venv/bin/*" "$profile" "$(serves 8501)"
sed -i "s|^    files: .*|    files: { write: [$dir/work/**], map-exec: [$dir/work/venv/**] }|" "$dir/python.yaml"
cd "$dir/work"
mkdir -p index/simple/sums sums sums-1.0.dist-info
echo 'def total(numbers): return sum(numbers)' >sums/__init__.py
printf 'Metadata-Version: 2.1\nName: sums\nVersion: 1.0\n' >sums-1.0.dist-info/METADATA
printf 'Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n' >sums-1.0.dist-info/WHEEL
printf 'sums/__init__.py,,\nsums-1.0.dist-info/METADATA,,\nsums-1.0.dist-info/WHEEL,,\nsums-1.0.dist-info/RECORD,,\n' \
	>sums-1.0.dist-info/RECORD
python3 -m zipfile -c index/simple/sums/sums-1.0-py3-none-any.whl sums sums-1.0.dist-info
rm -r sums sums-1.0.dist-info
chown -R alice: .
python3 -m http.server -b 127.0.0.1 -d index 8501 >"$dir/server" 2>&1 &
index=$!
until_true 60 curl -sf http://127.0.0.1:8501/simple/
expect "python: a virtual environment" 0 under python python3 -m venv --system-site-packages venv
refused "python: no refusal"
expect "pip: install from an index" 0 under python venv/bin/pip install --no-cache-dir --disable-pip-version-check \
	-i http://127.0.0.1:8501/simple sums
says "pip: it says so" "Successfully installed sums-1.0"
refused "pip: no refusal"
expect "python: what was installed, with numpy" 0 under python venv/bin/python -c 'import numpy, sums
a = numpy.arange(9.).reshape(3, 3) + numpy.eye(3)
print(sums.total([40, 2]), numpy.allclose(a @ numpy.linalg.inv(a), numpy.eye(3)))'
says "numpy: computes" "42 True"
refused "numpy: no refusal"
kill $index
expect "pip: outside of its index" 1 under python venv/bin/pip install --no-cache-dir --disable-pip-version-check \
	--retries 0 -i http://127.0.0.1:8502/simple other
says "pip: is refused" "connect tcp:127.0.0.1:8502"

# --- node: npm ci from a local registry ---
preset_policy node base,node /usr/bin/true "$profile" "$(serves 8503)"
mkdir -p registry/twice/- pack/package app
echo '{ "name": "twice", "version": "1.0.0" }' >pack/package/package.json
echo 'module.exports = (n) => 2 * n;' >pack/package/index.js
tar -C pack -czf registry/twice/-/twice-1.0.0.tgz package
sum=$(openssl dgst -sha512 -binary registry/twice/-/twice-1.0.0.tgz | base64 -w0)
cat >app/package.json <<END
{ "name": "app", "version": "1.0.0", "dependencies": { "twice": "1.0.0" } }
END
cat >app/package-lock.json <<END
{ "name": "app", "version": "1.0.0", "lockfileVersion": 3, "packages": {
  "": { "name": "app", "version": "1.0.0", "dependencies": { "twice": "1.0.0" } },
  "node_modules/twice": { "version": "1.0.0", "integrity": "sha512-$sum",
    "resolved": "http://127.0.0.1:8503/twice/-/twice-1.0.0.tgz" } } }
END
chown -R alice: .
python3 -m http.server -b 127.0.0.1 -d registry 8503 >"$dir/server" 2>&1 &
registry=$!
until_true 60 curl -sf http://127.0.0.1:8503/twice/
expect "npm: ci from a registry" 0 under node sh -c 'cd app && npm ci --no-audit --no-fund --no-update-notifier \
	--registry http://127.0.0.1:8503/ && node -e "console.log(\"twice\", require(\"twice\")(21))"'
says "npm: what it fetched runs" "twice 42"
# Over netlink node asks for the network interfaces; it does without.
refused "npm: the one refusal that its preset names" "create socket netlink socket, raw, route"
kill $registry

# --- gcc and make: a source package of Debian's ---
preset_policy build base,gcc-make '"/usr/bin/**", "/bin/**", "/usr/share/**", "/usr/lib/**", "'"$dir"'/work/**"' "$profile"
sed -i "s|^    files: .*|    files: { read: [/usr/share/**, /usr/bin/**, /etc/**, /var/lib/dpkg/**, /usr/local/**, /usr/src/**], write: [$dir/work/**], map-exec: [/usr/lib/**] }|" "$dir/build.yaml"
expect "debian: the source package" 0 under build sh -c 'dpkg-source -x /usr/src/hello_*.dsc hello >unpacked 2>&1 || { cat unpacked; exit 1; }'
expect "debian: built" 0 under build sh -c 'cd hello && DEB_BUILD_OPTIONS="nocheck parallel=2" dpkg-buildpackage -b -us -uc -d >../built 2>&1 ||
	{ tail -n 30 ../built; exit 1; }'
debian=$out
holds "debian: the package is there" sh -c 'ls hello_*.deb'
out=$debian
refused "debian: no refusal"
expect "debian: what was built" 0 under build hello/hello
says "debian: it runs" "Hello, world!"

# --- git: a server on the loopback interface ---
preset_policy git base,git /usr/bin/cat "$profile" "$(serves 9418)"
sed -i "s|HOME: [^,]*|GIT_AUTHOR_NAME: a, GIT_AUTHOR_EMAIL: a@x, GIT_COMMITTER_NAME: a, GIT_COMMITTER_EMAIL: a@x|" "$dir/git.yaml"
outside git init -q --bare "$dir/other/server.git"
outside git daemon --listen=127.0.0.1 --enable=receive-pack --export-all --base-path="$dir/other" "$dir/other" >"$dir/daemon" 2>&1 &
until_true 30 outside git ls-remote git://127.0.0.1/server.git
expect "git: clone, commit, push" 0 under git sh -ec 'git clone -q git://127.0.0.1/server.git clone; cd clone; echo x >x; git add x
	git commit -qm pushed; git push -q origin HEAD:main; git fetch -q'
refused "git: no refusal"
expect "git: the server has it" 0 outside git -C "$dir/other/server.git" log --format=%s main
says "git: the commit" pushed
pkill -f 'git[ -]daemon'

# --- curl and sqlite ---
preset_policy curl base,tls-roots /usr/bin/curl "$profile" "$(serves 8504)"
mkdir www && echo page >www/page && chown -R alice: www
python3 -m http.server -b 127.0.0.1 -d www 8504 >"$dir/server" 2>&1 &
www=$!
until_true 60 curl -sf http://127.0.0.1:8504/page
expect "curl: a page into a file" 0 under curl curl -sSf -o page http://127.0.0.1:8504/page
refused "curl: no refusal"
holds "curl: the page" grep -qx page page
expect "curl: another server" 7 under curl curl -sSf http://127.0.0.1:8505/
kill $www
preset_policy sqlite base /usr/bin/sqlite3 "$profile"
expect "sqlite: a journal ahead of writes" 0 under sqlite sqlite3 data.db 'pragma journal_mode = wal; create table t (n); insert into t values (40), (2);
	create index i on t (n); select sum(n) from t; vacuum; pragma integrity_check;'
says "sqlite: the sum" 42
refused "sqlite: no refusal"

# --- a JVM ---
preset_policy java base '"/usr/bin/java{,c}", "/usr/lib/jvm/**"' "$profile" "$(serves 8506)"
sed -i "s|^    files: .*|    files: { read: [/etc/java-*/**, /usr/share/java/**], write: [$dir/work/**], map-exec: [/usr/lib/jvm/**] }|" "$dir/java.yaml"
cat >Main.java <<'END'
import java.nio.file.*;
import java.util.stream.*;
public class Main {
	public static void main(String[] a) throws Exception {
		Files.writeString(Path.of("written"), "by java");
		Thread t = new Thread(() -> System.out.println("thread " + IntStream.range(0, 10).parallel().sum()));
		t.start(); t.join();
		try { Files.readString(Path.of(a[0])); System.out.println("read"); }
		catch (AccessDeniedException e) { System.out.println("refused"); }
	}
}
END
chown alice: Main.java
expect "java: compile" 0 under java javac -J-XX:-UsePerfData Main.java
expect "java: run" 0 under java java -XX:-UsePerfData Main "$dir/other/secret"
says "java: threads" "thread 45"
says "java: what is not granted" "refused"
java_refused=$(printf '%s\n' "$out" | grep -c "read $dir/other/secret")
holds "java: is reported" test "$java_refused" = 1
holds "java: it wrote" grep -qx "by java" written
release
done_testing
