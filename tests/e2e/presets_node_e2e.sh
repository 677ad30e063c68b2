#!/bin/bash
# The preset node: scripts, threads, children, a client; npm without network. Nothing else.
. /warder/tests/e2e/preset.sh || exit
hold
connect='network: { connect: ["tcp:127.0.0.1:8445"] }'
preset_policy node base,node /usr/bin/sort "$connect"
preset_policy none base /usr/bin/sort
cd "$dir/work"

python3 -m http.server -b 127.0.0.1 8445 >"$dir/server" 2>&1 &
server=$!
python3 -m http.server -b 127.0.0.1 8446 >"$dir/server" 2>&1 &
other=$!
until_true 30 curl -s http://127.0.0.1:8445/
until_true 30 curl -s http://127.0.0.1:8446/

cat >"$dir/work/library.js" <<'EOF'
const { Worker, isMainThread, parentPort } = require('worker_threads');
const child = require('child_process'), crypto = require('crypto'), fs = require('fs'), http = require('http'),
	os = require('os'), path = require('path'), zlib = require('zlib');
if (!isMainThread) {
	parentPort.postMessage(6 * 7);
} else {
	const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'x-'));
	fs.writeFileSync(path.join(temporary, 'a'), 'text');
	fs.renameSync(path.join(temporary, 'a'), path.join(temporary, 'b'));
	console.log('file', fs.readFileSync(path.join(temporary, 'b'), 'utf8'), fs.readdirSync(temporary));
	fs.rmSync(temporary, { recursive: true });
	console.log('shell', child.execSync('echo b; echo a').toString().split('\n').length);
	console.log('sorted', child.spawnSync('sort', { input: 'b\na\n' }).stdout.toString().split('\n').join());
	console.log('hash', crypto.createHash('sha256').digest('hex').slice(0, 8), zlib.gzipSync('x').length > 0);
	console.log('locale', Intl.DateTimeFormat('de', { timeZone: 'Asia/Tokyo', month: 'long' }).format(0));
	console.log('machine', os.cpus().length > 0, os.totalmem() > 0, os.userInfo().username);
	fs.watch('.').close();
	new Worker(__filename).on('message', (m) => {
		console.log('worker', m);
		import('fs/promises').then((p) => p.readFile(__filename)).then(() => console.log('module'));
		http.get('http://127.0.0.1:8445/', (r) => { console.log('answer', r.statusCode); r.resume(); });
	});
}
EOF
expect "node: the library" 0 under node node library.js
for fact in "file text [ 'b' ]" "shell 3" "sorted a,b," "hash e3b0c442 true" "locale Januar" "machine true true alice" \
	"worker 42" module "answer 200"; do
	says "node: $fact" "$fact"
done
refused "node: no refusal"
expect "without node it does not start" 126 under none node library.js
expect "control: outside" 0 outside node library.js

cat >"$dir/work/forbidden.js" <<EOF
const child = require('child_process'), fs = require('fs'), http = require('http');
const attempt = (what, act) => { try { act(); console.log(what, 'worked'); } catch (e) { console.log(what, 'refused', e.code); } };
attempt('read', () => fs.readFileSync('$dir/other/secret'));
attempt('write', () => fs.writeFileSync('$dir/other/planted', 'x'));
attempt('tmp', () => fs.writeFileSync('/tmp/planted.$$', 'x'));
attempt('run', () => { const r = child.spawnSync('touch', ['touched']); if (r.error) throw r.error; });
attempt('shell', () => child.execSync('touch touched', { stdio: 'ignore' }));
http.get('http://127.0.0.1:8446/', (r) => { console.log('connect worked'); r.resume(); })
	.on('error', (e) => console.log('connect refused', e.code));
EOF
expect "node: what is forbidden" 0 under node node forbidden.js
silent "node: all is refused" worked
refused "node: the refusals" "read $dir/other/secret" "create $dir/other/planted" "create /tmp/planted.$$" \
	"exec /usr/bin/touch" "connect tcp:127.0.0.1:8446"
[ ! -e "$dir/other/planted" ] && [ ! -e "/tmp/planted.$$" ] && [ ! -e "$dir/work/touched" ] &&
	ok "node: nothing has happened" || not_ok "node: nothing has happened"
expect "control: outside" 0 outside node forbidden.js
silent "control: all works" refused
kill $server $other
serve="require('http').createServer().listen(8447, '127.0.0.1', () => process.exit())"
expect "node: a server" 1 under node node -e "$serve"
says "node: is refused" "bind "
expect "control: a server outside" 0 outside node -e "$serve"

# A link of the administrator's in a directory that a group may write spoils no policy.
chmod g+w /usr/local/bin
ln -s /usr/bin/node /usr/local/bin/node
expect "node: a link in /usr/local" 0 $W check "$dir/node.yaml"
expect "node: is followed" 0 under node /usr/local/bin/node -e 0
rm /usr/local/bin/node

# --- npm ---
# npm asks for the network interfaces, and does without.
netlink="create socket netlink socket, raw, route"
mkdir -p "$dir/work/package"
echo '{ "name": "tool", "version": "1.2.3", "bin": "tool.js", "scripts": { "postinstall": "touch touched" } }' >"$dir/work/package/package.json"
printf '#!/usr/bin/env node\nconsole.log("the tool ran");\n' >"$dir/work/package/tool.js"
tar -czf "$dir/work/tool.tgz" package
echo '{ "name": "app" }' >"$dir/work/package.json"
rm "$dir/work/touched"
chown -R alice: "$dir/work"
npm="npm --offline --no-audit --no-fund --no-update-notifier"
expect "npm: a package whose script is not granted" 126 under node $npm install ./tool.tgz
[ ! -e "$dir/work/touched" ] && [ ! -e "$dir/work/node_modules/tool/touched" ] && ok "npm: the script did nothing" ||
	not_ok "npm: the script did nothing"
refused "npm: the refusal" "exec /usr/bin/touch" "$netlink"
expect "npm: the package without its script" 0 under node $npm install --ignore-scripts ./tool.tgz
refused "npm: one harmless refusal" "$netlink"
expect "npm: a program of a package" 126 under node node_modules/.bin/tool
refused "npm: is for the policy to name" "exec $dir/work/node_modules/tool/tool.js"
sed -i "s|exec: .*|exec: [$dir/work/node_modules/**]|" "$dir/node.yaml"
sed -i 's/policy: node/policy: named/' "$dir/node.yaml"
expect "npm: a program that the policy names" 0 under node node_modules/.bin/tool
says "npm: it runs" "the tool ran"
release
done_testing
