#!/bin/bash
# Refused capabilities break nothing that works without: the same programs, as an ordinary user and
# as root, inside a sandbox, with the same result.
. /warder/tests/e2e/preset.sh || exit
hold
preset_policy both "base, python, git, gcc-make" '"/usr/bin/**"'

cat >"$dir/work/programs.sh" <<'END'
cd "$1" || exit
export HOME=$1 TMPDIR=$1 LC_ALL=C.UTF-8
set -e
mkdir tree && seq 1 20000 | sort -R >tree/numbers && sort -n -S 100k tree/numbers | tail -n 1
cp -a tree copy && ln -s numbers tree/link && ln tree/numbers tree/twin && chmod 640 tree/numbers
tar -cf tree.tar tree && mkdir out && tar -xf tree.tar -C out && cmp tree/numbers out/tree/twin && echo unpacked
install -m 755 tree/numbers installed && touch -d 2026-01-01 installed && stat -c '%a %s' installed
python3 -c 'import os, shutil, subprocess, tempfile
d = tempfile.mkdtemp(); open(d + "/f", "w").write("x"); os.utime(d + "/f", (1, 1)); os.chmod(d + "/f", 0o600)
shutil.copytree(d, d + "2"); shutil.rmtree(d); print("python", subprocess.run(["true"]).returncode)'
git init -q repository && cd repository && git config user.email a@b && git config user.name a
echo text >file && git add file && git commit -qm first && git clone -q . ../clone
git -C ../clone log --format=%s
cd .. && printf 'int main(void) { return 7; }\n' >seven.c && gcc -o seven seven.c && echo compiled
rm -rf tree copy out clone && echo removed
END
mkdir "$dir/work/alice" "$dir/work/root"
chown alice: "$dir/work/alice"
expect "as a user" 0 under both bash "$dir/work/programs.sh" "$dir/work/alice"
says "to the end" removed
said() { printf '%s\n' "$out" | sed '/^warder: denied:/,$d'; }
as_alice=$(said)
refused "no refusal"
expect "as root" 0 under_root both bash "$dir/work/programs.sh" "$dir/work/root"
as_root=$(said)
# Where a mode refuses root too, the kernel asks for the privilege first; they do without.
refused "refused is the privilege alone" "use capability dac_override"
[ "$as_alice" = "$as_root" ] && ok "both say the same" || not_ok "both say the same"
# What only root can do, and could outside.
expect "root gives no file away" 1 under_root both chown alice "$dir/work/root"
expect "control: outside" 0 chown alice "$dir/work/root"
release
done_testing
