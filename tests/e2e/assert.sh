# Sourced by the end-to-end tests, which run as root in the guest.
#
#	expect NAME STATUS CMD...	CMD ends with STATUS; its output is in $out (both streams)
#	holds NAME CMD...		CMD succeeds
#	says NAME TEXT			$out contains TEXT
#	silent NAME TEXT		$out does not contain TEXT
#	refused NAME [LINE...]		the run of the last `expect` ended with these refusals
#					("ACT OBJECT", in any order) and no other
#	done_testing			the closing line
#
# Each test script has its own $dir; no subject of its own is there before and after it.
passed=0 failed=0 out=
W=/warder/build/warder
dir=$(mktemp -d)
chmod 755 "$dir"
cd "$dir"

ok() {
	echo "ok $1"
	passed=$((passed + 1))
}

not_ok() {
	echo "not ok $1"
	printf '%s\n' "$out" | head -n 30 | sed 's/^/  | /'
	failed=$((failed + 1))
}

expect() {
	local name=$1 want=$2 got=0
	shift 2
	out=$("$@" 2>&1) || got=$?
	[ "$got" = "$want" ] && ok "$name" || {
		out="exit status $got, not $want
$out"
		not_ok "$name"
	}
}

holds() {
	local name=$1
	shift
	"$@" >/dev/null 2>&1 && ok "$name" || not_ok "$name"
}

says() {
	case $out in
	*"$2"*) ok "$1" ;;
	*) out="wanted: $2
$out"
	   not_ok "$1" ;;
	esac
}

silent() {
	case $out in
	*"$2"*) out="not wanted: $2
$out"
		not_ok "$1" ;;
	*) ok "$1" ;;
	esac
}

refused() {
	local name=$1 found want
	shift
	found=$(printf '%s\n' "$out" | sed -n '/^warder: denied:$/,$ { s/^  [0-9]*x \([^(]*\) (.*)$/\1/p; /^  and /p }' |
		sed 's/, in [0-9]* calls$//; s/, then read it$//' | sort -u)
	want=$(printf '%s\n' "$@" | sort -u)
	[ "$found" = "$want" ] && ok "$name" || {
		out="wanted: $want
$out"
		not_ok "$name"
	}
}

# until_true SECONDS CMD...: wait for it
until_true() {
	local end=$(($(date +%s) + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(date +%s)" -lt "$end" ] || return 1
		sleep 0.2
	done
}

loaded() {
	[ -d /sys/fs/bpf/warder/links ] || bpftool link list | grep -q 'lsm\|hook_'
}

# Beside tests that do not look at what is loaded a subject keeps the programs there (tests/e2e/run).
not_loaded() {
	if [ -n "${WARDER_KEPT:-}" ]; then
		[ "$($W ps | awk 'NR > 1 {print $1}')" = kept ]
		return
	fi
	! [ -e /sys/fs/bpf/warder/links ] && ! [ -d /sys/fs/cgroup/warder ] &&
		! bpftool prog list | grep -q 'name hook_file_open'
}

done_testing() {
	echo "$passed passed, $failed failed, 0 skipped"
	[ "$failed" = 0 ]
}

# The policy that most tests use, named $1, with model $2.
write_policy() {
	cat >"$dir/$1.yaml" <<EOF
version: 1
policy: $1
model: $2
tools:
  calculator:
    exec: [/usr/bin/bc]
sets:
  agent:
    include: [base, python]
    tools: [calculator]
    files:
      read: [$dir/in/**, $dir/work/**]
      write: [$dir/work/**]
      deny: { read: ["**/.env"] }
    exec: [/usr/bin/**]
    env: { pass: [PATH, API_*], set: { HOME: $dir/work } }
  sandbox:
    include: [base, python]
    files: { read: [$dir/work/**], write: [$dir/work/out/**] }
    exec: [/usr/bin/**]
    network: none
    env: { pass: [PATH] }
EOF
	mkdir -p "$dir/in" "$dir/work/out"
	chmod 777 "$dir/work" "$dir/work/out"
	echo input >"$dir/in/data"
	echo secret >"$dir/secret"
	echo KEY=1 >"$dir/work/.env"
}
