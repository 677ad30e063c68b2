#!/bin/bash
# warder maps: every command that it prints is run, and prints the same as stands beside it.
. /warder/tests/e2e/assert.sh || exit
write_policy job sandbox-as-tool
P=$dir/job.yaml
expect "an image, when nothing is loaded" 1 $W maps --image job
says "says so" "not loaded"
$W run -p "$P" --name first -- sleep 600 &
until_true 180 sh -c "$W ps | grep -q first"
$W run -p "$P" --code --name box -- sh -c "cat $dir/secret; exec sleep 600" 2>/dev/null &
until_true 60 sh -c "$W events --subject box | grep -q $dir/secret"
$W grant box calculator --for 1h --reason test >/dev/null

expect "maps" 0 $W maps
silent "says nothing of room for nothing" "room for 0"
says "how many entries a map can have" "at most 65536 entries"
says "slot 0 has no image" "(not bound): (no image)"
printf '%s\n' "$out" | sed -n 's/^ *\$ //p' >"$dir/lines"
expect "maps as JSON" 0 $W maps --json
printf '%s' "$out" >"$dir/maps.json"

cat >"$dir/compare.py" <<'EOP'
import json, re, subprocess, sys

maps = json.load(open("maps.json"))
lines = open("lines").read().splitlines()
commands = [m["command"] for m in maps] + [e["command"] for m in maps for e in m["entries"] if "command" in e]


def test(name, good, why=""):
    print(("ok " if good else "not ok ") + name + ("" if good else f"\n  | {why}"))


def run(command):
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.strip(), f"{command}: {done.returncode} {done.stdout} {done.stderr}"
    return done.stdout


def numbers(text):
    return [int(n, 0) for n in re.findall(r"(?<![\w.])(?:0x[0-9a-f]+|\d+)(?![\w.])", text)]


def pairs(text):  # of a map of maps: slot -> id, bytes from the lowest
    number = lambda hexes: int.from_bytes(bytes.fromhex(hexes), "little")
    return {(number(k), number(v)) for k, v in re.findall(r"key: ([0-9a-f ]+?)  value: ([0-9a-f ]+)", text)}


def same(m):
    name, entries, said = m["map"], m["entries"], run(m["command"])
    texts = [e["text"] for e in entries]
    assert entries, "no entry"
    if name == "tasks":
        shown = {(int(b), int(p)) for b, p in re.findall(r"^binding (\d+) process (\d+) thread \d+$", said, re.M)}
        return shown == {(int(b), int(p)) for p, b in re.findall(r"process (\d+) -> \S+ \(binding (\d+)\)", "\n".join(texts))} \
            and len(shown) == 2
    if name in ("subjects", "images", "rings"):
        good = pairs(said) == {(e["slot"], e["id"]) for e in entries}
        assert all(f"slot {e['slot']} (id {e['id']})" in e["text"] for e in entries), texts
        if name == "rings":
            assert not any("command" in e for e in entries)
            return good and len(entries) == 3
        for e in entries:
            answer, text = json.loads(run(e["command"])), e["text"].split(": ", 1)[1]
            value = answer["value"]["head"] if name == "images" else answer[0]["value"]
            if name == "images":
                wanted = ["job"] + [value[field] for field in (
                    "generation", "state_count", "class_count", "row_count", "range_count", "port_count", "key_count",
                    "page_count")]
                good = good and [text.split(":")[0]] + numbers(text)[:-1] == wanted
            elif e["slot"] == 0:
                good = good and value["name"] == "(not bound)" and "(no image)" in text and value["flags"] == 1
            else:
                wanted = "%s: policy %s, set %s, generation %d in image slot %d" % tuple(
                    value[k] for k in ("name", "policy", "set", "generation", "image_slot"))
                good = good and text.startswith(wanted) and numbers(text)[-2:] == [value["base"], value["granted"]]
        return good and len(entries) == {"subjects": 3, "images": 1}[name]
    values = json.loads(said)
    if name == "gate":
        return numbers(texts[0])[0] == sum(v["value"] for v in values) >= 3
    if name == "cgroups":
        return {(v["key"], v["value"]["binding"]) for v in values} == {
            (int(c), int(b)) for c, b in re.findall(r"cgroup (\d+) .*\(binding (\d+)\)", "\n".join(texts))}
    if name == "totals":
        return [v["value"] for v in values] == [numbers(t)[0] for t in texts]
    if name == "state":
        v = values[0]["value"]
        return [v["abi"], v["next_serial"], v["next_generation"], v["root_cgroup"]] == numbers(texts[0])
    if name == "stats":
        fields = ("denied", "events", "dropped", "suppressed", "quiet", "unstable", "unfinished", "unknown")
        for e in entries:
            one = json.loads(run(e["command"]))
            assert one["key"] == e["slot"] and numbers(e["text"].split(": ", 1)[1]) == [one["value"][f] for f in fields], e
            assert one["value"] == values[e["slot"]]["value"], e
        return len(entries) == 3 and any(values[e["slot"]]["value"]["denied"] for e in entries)
    raise AssertionError("no comparison for this map")


test("text and JSON name the same commands", sorted(lines) == sorted(commands), lines)
for m in maps:
    try:
        good, why = same(m), m
    except Exception as error:
        good, why = False, repr(error)
    test(f"{m['map']}: the command prints the same", good, why)
EOP
while IFS= read -r line; do
	case $line in
	"ok "*) ok "${line#ok }" ;;
	"not ok "*) not_ok "${line#not ok }" ;;
	*) printf '%s\n' "$line" ;;
	esac
done < <(cd "$dir" && python3 compare.py 2>&1 || echo "not ok the comparison ran")
[ "$passed" -ge 15 ] && ok "all nine maps were compared" || not_ok "all nine maps were compared"

# The image as text: what the kernel holds is what the compiler made.
$W check --print $P 2>/dev/null | tail -n +2 >checked
expect "the image is read back" 0 $W maps --image job
printf '%s\n' "$out" >loaded
holds "it is no short text" test "$(wc -l <loaded)" -gt 100
out=$(diff checked loaded) && ok "byte by byte what check prints" || not_ok "byte by byte what check prints"
holds "with the names of keys" grep -q '^key . calculator$' loaded

# n pages of 32 KiB; Linux 6.1 counts 8 bytes more for each.
expect "maps as JSON" 0 $W maps --json
read -r id text <<<"$(printf '%s' "$out" | python3 -c '
import json, sys
entry = [m for m in json.load(sys.stdin) if m["map"] == "images"][0]["entries"][0]
print(entry["id"], entry["text"])')"
stated=$(sed -n 's/.* \([0-9]*\) KiB$/\1/p' <<<"$text")
counted=$(bpftool -j map show id "$id" | python3 -c 'import json, sys; print(json.load(sys.stdin)["bytes_memlock"])')
out="stated $stated KiB, counted $counted bytes: $text"
holds "the memory is what is stated" test $((stated * 1024)) -ge $((counted - 8 * 64)) -a $((stated * 1024)) -le $((counted + 4096))
out=$($W check $P 2>/dev/null)
says "and what check states" "$stated KiB"
holds "the image is frozen" sh -c "bpftool map show id $id | grep -q frozen"
# shellcheck disable=SC2046 # a word a byte
expect "nobody writes into it" 255 bpftool map update id "$id" key 0 0 0 0 value $(seq -s ' ' 1 32768 | sed 's/[0-9][0-9]*/0/g')
says "whoever it is" "not permitted"

expect "a policy that is not loaded" 1 $W maps --image nothing
says "is said to be none" 'no subject is judged by a policy "nothing"'
expect "as JSON there is none" 2 $W maps --json --image job
rm /run/warder/policies/*.yaml
expect "without the kept text" 0 $W maps --image job
says "keys are numbers" "key 0 #0"

pkill -x sleep
wait
holds "nothing stays" until_true 20 not_loaded
done_testing
