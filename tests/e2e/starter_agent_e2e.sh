#!/bin/bash
# The starter `warder init coding-agent` as it is shipped: a day's work goes through, and nothing is left in the
# work tree that makes git or npm start programs for whoever comes next, outside.
. /warder/tests/e2e/preset.sh || exit
$W init coding-agent >"$dir/shipped.yaml" || exit
hold

starter() {
	$W run -p "$dir/shipped.yaml" --var tree=/srv/tree --user alice -- "$@" </dev/null
}

mkdir -p /srv/tree/work /srv/tree/.home
cd /srv/tree/work
git init -q .
git config user.name agent
git config user.email agent@example.org
git commit -q --allow-empty -m first
chown -R alice: /srv/tree
cat >day.sh <<'END'
set -e
echo 1 >a
git add a
git commit -qm second
git checkout -qb topic HEAD~
echo 2 >b
git add b
git commit -qm third
git rebase -q master 2>/dev/null || git rebase -q main
git stash list
git gc -q
git update-ref refs/remotes/origin/topic HEAD
git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/topic
git log --format='log %s' | cat
END
expect "a day's work" 0 starter sh day.sh
says "is done" "log third"
expect "outside, git finds it whole" 0 outside git fsck
outside git worktree add -q ../linked

cat >forbidden.sh <<'END'
attempt() { "$@" >/dev/null 2>&1 && echo "$* worked"; }
mkdir -p plain/objects plain/refs
attempt sh -c 'echo "gitdir: /srv/tree/work/plain" >../linked/.git'
attempt mv ../linked/.git ../linked/git
attempt rm -f ../linked/.git
attempt sh -c 'echo "ref: refs/heads/x" >plain/HEAD'
attempt cp day.sh plain/HEAD
attempt ln -s day.sh plain/HEAD
attempt git init -q --bare other.git
attempt cp day.sh .npmrc
attempt cp day.sh .envrc
attempt mkdir .idea
true
END
cp ../linked/.git "$dir/linked"
expect "what is forbidden" 0 starter sh forbidden.sh
silent "all is refused" worked
for line in "write /srv/tree/linked/.git" "rename /srv/tree/linked/.git" "delete /srv/tree/linked/.git" \
	"create /srv/tree/work/plain/HEAD" "create /srv/tree/work/.npmrc"; do
	says "refused: $line" "$line"
done
expect "the link to the repository is as it was" 0 cmp "$dir/linked" ../linked/.git
expect "no new repository" 1 sh -c 'ls -d plain/HEAD other.git/HEAD .npmrc .envrc .idea 2>/dev/null | grep .'

# What it would have come to.
expect "control: outside, a HEAD makes a repository" 0 outside sh -c 'echo "ref: refs/heads/x" >plain/HEAD &&
	mkdir plain/worktree && printf "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = worktree\n\tfsmonitor = touch /srv/tree/work/ran\n" >plain/config'
outside git -C plain status
[ -e ran ] && ok "control: whose configuration starts programs" || not_ok "control: whose configuration starts programs"
rm -f ran
expect "control: outside, the file names another one" 0 outside sh -c 'echo "gitdir: /srv/tree/work/plain" >../linked/.git'
outside git -C ../linked status
[ -e ran ] && ok "control: which starts programs as well" || not_ok "control: which starts programs as well"
release
done_testing
