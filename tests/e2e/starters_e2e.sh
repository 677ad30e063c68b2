#!/bin/bash
# The policies that a newcomer writes with the presets, tests/policy/ok/{python-analysis,coding-agent}.yaml:
# a day's work with the real programs goes through without a refusal, and what they guard stays guarded.
. /warder/tests/e2e/preset.sh || exit
cp /warder/tests/policy/ok/python-analysis.yaml /warder/tests/policy/ok/coding-agent.yaml "$dir/"
hold

# --- python-analysis ---
mkdir -p /srv/analysis/code /srv/analysis/data /srv/analysis/out /srv/analysis/tmp
cat >/srv/analysis/code/analyse.py <<'EOF'
import collections, concurrent.futures, csv, json, sqlite3, statistics, tempfile

def mean(values):
    return statistics.mean(values)

if __name__ == "__main__":
    cities = collections.defaultdict(list)
    with open("/srv/analysis/data/temperature.csv") as file:
        for row in csv.DictReader(file):
            cities[row["city"]].append(float(row["degrees"]))
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        means = dict(zip(cities, pool.map(mean, cities.values())))
    with tempfile.NamedTemporaryFile(suffix=".db") as file:
        db = sqlite3.connect(file.name)
        db.execute("create table means (city, degrees)")
        db.executemany("insert into means values (?, ?)", means.items())
        db.commit()
        warmest = db.execute("select city from means order by degrees desc").fetchone()[0]
    with open("/srv/analysis/out/result.json", "w") as file:
        json.dump({"means": means, "warmest": warmest}, file)
    print("warmest", warmest)
EOF
printf 'city,degrees\nOslo,1\nOslo,5\nRome,18\nRome,22\n' >/srv/analysis/data/temperature.csv
echo KEY=1 >/srv/analysis/data/.env
chown -R alice: /srv/analysis
cd /srv/analysis/out
expect "analysis: the work" 0 under python-analysis python3 /srv/analysis/code/analyse.py
says "analysis: its output" "warmest Rome"
refused "analysis: no refusal"
expect "analysis: its result, seen outside" 0 cat /srv/analysis/out/result.json
says "analysis: is right" '"means": {"Oslo": 3.0, "Rome": 20.0}'
expect "control: outside" 0 outside python3 /srv/analysis/code/analyse.py

cat >/srv/analysis/code/forbidden.py <<EOF
import os, socket, subprocess
def attempt(what, act):
    try: act(); print(what, "worked")
    except PermissionError: print(what, "refused")
attempt("env", lambda: open("/srv/analysis/data/.env").read())
attempt("rename", lambda: os.rename("/srv/analysis/data/temperature.csv", "/srv/analysis/data/gone"))
attempt("code", lambda: open("/srv/analysis/code/analyse.py", "a"))
attempt("elsewhere", lambda: open("$dir/other/secret").read())
attempt("run", lambda: subprocess.run(["touch", "/srv/analysis/out/touched"]))
attempt("send", lambda: socket.create_connection(("127.0.0.1", 8449)))
if os.path.exists("/srv/analysis/data/gone"):
    os.rename("/srv/analysis/data/gone", "/srv/analysis/data/temperature.csv")
EOF
python3 -m http.server -b 127.0.0.1 8449 >"$dir/server" 2>&1 &
server=$!
until_true 30 curl -s http://127.0.0.1:8449/
expect "analysis: what is forbidden" 0 under python-analysis python3 /srv/analysis/code/forbidden.py
silent "analysis: all is refused" worked
refused "analysis: the refusals" "read /srv/analysis/data/.env" "rename /srv/analysis/data/temperature.csv" \
	"write /srv/analysis/code/analyse.py" "read $dir/other/secret" "exec /usr/bin/touch" "connect tcp:127.0.0.1:8449"
[ -e /srv/analysis/data/temperature.csv ] && [ ! -e /srv/analysis/out/touched ] && ok "analysis: nothing has happened" ||
	not_ok "analysis: nothing has happened"
expect "control: outside" 0 outside python3 /srv/analysis/code/forbidden.py
silent "control: all works" refused

# --- coding-agent ---
mkdir -p /srv/agent/work /srv/agent/home /srv/agent/tmp /srv/agent/package
cd /srv/agent/package
echo '{ "name": "tool", "version": "1.2.3", "bin": "tool.js", "scripts": { "postinstall": "touch installed" } }' >package.json
printf '#!/usr/bin/env node\nconsole.log("the tool ran");\n' >tool.js
cd ..
tar -czf work/tool.tgz package
cd work
git init -q .
git config user.name agent
git config user.email agent@example.org
printf 'node_modules\n.env\n*.o\nhello\n' >.gitignore
echo PASSWORD=1 >.env
printf '#!/bin/sh\ntouch %s/touched\n' /srv/agent/work >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
printf '#include <stdio.h>\nint main(void) { puts("built"); return 0; }\n' >hello.c
printf 'hello: hello.o\n\t$(CC) -o $@ $^\n\tcp hello copy.o\n' >Makefile
echo 'require("fs").writeFileSync("made.txt", "by node"); console.log("node", 6 * 7)' >index.js
chown -R alice: /srv/agent
cat >day.sh <<'EOF'
set -e
npm="npm --offline --no-audit --no-fund --no-update-notifier"
$npm init -y >/dev/null
$npm install ./tool.tgz
test -e node_modules/tool/installed
$npm ls
sed -i 's|"test": .*|"test": "node index.js \&\& tool"|' package.json
$npm run test
make -j2
./hello
git add -A
git commit -qm "the work"
git log --format='log %s' --stat | cat
EOF
expect "agent: npm, node, gcc, git" 0 under coding-agent sh day.sh
for fact in tool@1.2.3 "node 42" "the tool ran" built "log the work" "made.txt"; do
	says "agent: $fact" "$fact"
done
refused "agent: one harmless refusal" "create socket netlink socket, raw, route" # of npm
expect "agent: what it committed, seen outside" 0 outside git show --stat --format=%an HEAD
says "agent: by whom" agent
silent "agent: the password is not in it" ".env "
[ ! -e touched ] && ok "agent: the hook did not run" || not_ok "agent: the hook did not run"

cat >forbidden.sh <<EOF
attempt() { "\$@" >/dev/null 2>&1 && echo "\$* worked"; }
attempt cat .env
attempt node -e 'require("fs").readFileSync(".env")'
attempt git add -f .env
attempt mv .env env.txt
attempt cp .env env.txt
attempt cp Makefile .git/hooks/post-commit
attempt cp Makefile .git/hooks/pre-commit
attempt git config core.fsmonitor ./evil
attempt mv .git git
attempt git init sub
attempt cp day.sh sub/.git
attempt cp day.sh .git/commondir
attempt cp day.sh .git/config.worktree
attempt cp Makefile .npmrc
attempt cp Makefile $dir/other/planted
attempt cat $dir/other/secret
attempt curl http://127.0.0.1:8449/
attempt node -e 'require("http").get("http://127.0.0.1:8449/", () => process.exit(0)).on("error", () => process.exit(1))'
attempt git ls-remote http://127.0.0.1:8449/
true
EOF
outside cp -a . "$dir/work/before"
expect "agent: what is forbidden" 0 under coding-agent sh forbidden.sh
silent "agent: all is refused" worked
for line in "read /srv/agent/work/.env" "create /srv/agent/work/.git/hooks/post-commit" \
	"write /srv/agent/work/.git/hooks/pre-commit" "rename /srv/agent/work/.git" \
	"create /srv/agent/work/sub/.git" "create /srv/agent/work/.git/commondir" \
	"create /srv/agent/work/.git/config.worktree" "create /srv/agent/work/.npmrc" \
	"create $dir/other/planted" "read $dir/other/secret" "connect tcp:127.0.0.1:8449"; do
	says "agent: refused: $line" "$line"
done
expect "agent: hooks, configuration and .env are as they were" 0 sh -c "diff -r $dir/work/before/.git/hooks .git/hooks &&
	cmp $dir/work/before/.git/config .git/config && test ! -e .git/commondir -a ! -e .git/config.worktree && cmp $dir/work/before/.env .env && test ! -e env.txt -a ! -e .npmrc -a ! -e sub/.git"
expect "agent: the work tree is whole" 0 outside git fsck
mkdir "$dir/evil"
git init -q --bare "$dir/evil" && git --git-dir="$dir/evil" config core.bare false
git --git-dir="$dir/evil" config core.fsmonitor "touch $dir/ran"
cp -a "$dir/work/before" "$dir/copy" && chown -R root: "$dir/copy"
echo "$dir/evil" >"$dir/copy/.git/commondir"
git -C "$dir/copy" status >/dev/null 2>&1
[ -e "$dir/ran" ] && ok "control: commondir leads git to another configuration" ||
	not_ok "control: commondir leads git to another configuration"
expect "control: .env outside" 0 outside cat .env
expect "control: the hook outside" 0 outside git commit -q --allow-empty -m x
[ -e touched ] && ok "control: it ran" || not_ok "control: it ran"
expect "control: the configuration outside" 0 outside git config core.fsmonitor ''
expect "control: the server outside" 0 outside curl -s http://127.0.0.1:8449/
kill $server
release
done_testing
