#!/bin/bash
# The presets git and gcc-make: real work trees and programs; nothing else.
. /warder/tests/e2e/preset.sh || exit
hold

# --- git ---
who='env: { pass: [PATH], set: { HOME: '$dir'/home, TMPDIR: '$dir'/work/tmp, GIT_AUTHOR_NAME: a, GIT_AUTHOR_EMAIL: a@x, GIT_COMMITTER_NAME: a, GIT_COMMITTER_EMAIL: a@x } }'
git_policy() {
	preset_policy "$1" "$2" /usr/bin/cat
	sed -i "s|^    env: .*|    $who|" "$dir/$1.yaml"
}
git_policy git base,git
git_policy nogit base
cd "$dir/work"
cat >"$dir/work/tree.sh" <<'EOF'
set -e
git init -q tree
cd tree
echo one >a; git add a; git commit -qm first
git checkout -qb side; echo two >>a; git diff --stat | cat; git commit -qam second
git checkout -q master; echo three >b; git add b; git commit -qm third
git merge -q --no-edit side
git log --format=%s; git status --short; git branch; git blame -s a; git tag v1; git stash list
git mv b c; git rm -q --cached a; git reset -q --hard
git gc -q; git fsck
cd ..
git clone -q tree copy; git clone -q --no-local tree other; git -C copy commit -q --allow-empty -m fourth
git -C copy push -q origin HEAD:pushed; git -C tree log --format=pushed-%s -1 pushed; git -C other pull -q
git -C other archive HEAD | cat >other.tar
EOF
chown alice: tree.sh
expect "git: a day's work" 0 under git sh tree.sh
for fact in "1 file changed, 1 insertion(+)" first second third "Merge branch 'side'" "  side" pushed-fourth; do
	says "git: $fact" "$fact"
done
refused "git: no refusal"
expect "git: what it made, seen outside" 0 outside git -C copy log --format=%s
says "git: is all there" fourth
expect "without git it does not start" 126 under nogit git -C tree log
expect "control: outside" 0 outside git -C tree log

mkdir for-root
expect "git: as root" 0 under_root git sh -c 'cd for-root && git init -q roots && cd roots && echo x >x && git add x && git commit -qm x'
# Linking a file that its mode protects asks root's privilege first, and does without it.
refused "git: one harmless refusal" "use capability dac_override"

printf '#!/bin/sh\ntouch %s/touched\n' "$dir/work" | tee tree/.git/hooks/pre-commit >tree/.git/hooks/post-checkout
chmod +x tree/.git/hooks/*
expect "git: a hook" 1 under git git -C tree commit -q --allow-empty -m x
refused "git: is not started" "exec $dir/work/tree/.git/hooks/pre-commit"
[ ! -e "$dir/work/touched" ] && ok "git: the hook did nothing" || not_ok "git: the hook did nothing"
expect "git: told to have no hooks" 0 under git git -C tree -c core.hooksPath=/dev/null commit -q --allow-empty -m x
refused "git: no refusal then"
expect "control: the hook outside" 0 outside git -C tree -c user.name=a -c user.email=a@x commit -q --allow-empty -m x
[ -e "$dir/work/touched" ] && ok "control: the hook ran" || not_ok "control: the hook ran"

mkdir "$dir/home"
printf '[user]\n\tname = private\n' >"$dir/home/.gitconfig"
echo https://a:password@example.org >"$dir/home/.git-credentials"
chown -R alice: "$dir/home"
expect "git: the user's own configuration" 128 under git git -C tree log
refused "git: is for the policy to name" "read $dir/home/.gitconfig"
expect "git: passwords" 1 under git cat "$dir/home/.git-credentials"
silent "git: none is read" password
rm "$dir/home/.gitconfig"
expect "git: a server" 128 under git git ls-remote http://127.0.0.1:8448/x
refused "git: is for the policy to name" "connect tcp:127.0.0.1:8448"
expect "git: outside of the work tree" 1 under git git -C "$dir/other" init -q .
[ ! -e "$dir/other/.git" ] && ok "git: nothing is made there" || not_ok "git: nothing is made there"
expect "control: passwords outside" 0 outside cat "$dir/home/.git-credentials"
expect "control: outside of the work tree, outside" 0 outside git -C "$dir/other" init -q .

# --- gcc-make ---
preset_policy gcc base,gcc-make /usr/bin/rm
preset_policy runs base,gcc-make "/usr/bin/rm, $dir/work/hello"
preset_policy nogcc base /usr/bin/rm
cat >hello.c <<'EOF'
#include <math.h>
#include <pthread.h>
#include <stdio.h>
extern int twice(int);
int main(int argc, char **argv) { printf("hello %d %.0f\n", twice(21), sqrt(argc)); return 0; }
EOF
echo 'int twice(int n) { return 2 * n; }' >twice.c
cat >Makefile <<'EOF'
CFLAGS := -O2 -g -Wall -pthread
all: hello libtwice.so
hello: hello.o libtwice.a
	$(CC) -o $@ $^ -lm
libtwice.a: twice.o
	ar rcs $@ $^
libtwice.so: twice.c
	$(CC) -shared -fPIC -o $@ $<
	@strip $@ && nm -D $@
clean:
	rm -f *.o; echo cleaned
EOF
chown alice: hello.c twice.c Makefile
expect "gcc-make: make -j2" 0 under gcc make -j2
says "gcc-make: nm has run" "T twice"
refused "gcc-make: no refusal"
expect "gcc-make: the result is not started" 126 under gcc ./hello
refused "gcc-make: is for the policy to name" "exec $dir/work/hello"
expect "gcc-make: the result where the policy names it" 0 under runs ./hello
says "gcc-make: it works" "hello 42 1"
expect "gcc-make: other ways" 0 under gcc sh -ec 'c99 -pipe -S twice.c -o -; as -o t.o twice.s 2>&1 || :; gcc -S twice.c
	as -o t.o twice.s; ld -r -o u.o t.o; objdump -d u.o; readelf -h u.o; gcc -static -o s hello.c twice.c -lm
	gcc -fsanitize=address -o a hello.c twice.c -lm; cpp -dM hello.c; make clean'
says "gcc-make: objdump has run" "<twice>"
says "gcc-make: a recipe's command has run" cleaned
refused "gcc-make: no refusal in other ways"
expect "without gcc-make it does not start" 126 under nogcc gcc -c twice.c
expect "control: outside" 0 outside make -B hello

printf '#include "%s/other/secret"\n' "$dir" >peek.c
printf 'x:\n\ttouch touched2\n\techo x >%s/other/planted\n' "$dir" >forbidden.mk
expect "gcc-make: including what is not granted" 1 under gcc gcc -E peek.c
printf '%s\n' "$out" | grep -qx secret && not_ok "gcc-make: it is not read" || ok "gcc-make: it is not read"
refused "gcc-make: the refusal" "read $dir/other/secret"
expect "gcc-make: a recipe with what is not granted" 2 under gcc make -k -f forbidden.mk
expect "gcc-make: a result elsewhere" 1 under gcc gcc -o "$dir/other/planted" hello.c twice.c -lm
[ ! -e touched2 ] && [ ! -e "$dir/other/planted" ] && ok "gcc-make: nothing has happened" ||
	not_ok "gcc-make: nothing has happened"
expect "control: the recipe outside" 0 outside make -f forbidden.mk
expect "control: including outside" 0 outside gcc -E peek.c
release
done_testing
