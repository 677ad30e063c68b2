"""show - runs the regimes, tells what happened and which event stands for each refusal, and compares all with `expected`.

usage: show.py [EXPECTED]
"""
import difflib
import os
import re
import subprocess
import sys
import time

import acts
import regimes
import table
from evidence import read
from table import paint

WIDTH = 110
began = time.monotonic()


def progress(text):
    print(paint(f"  {time.monotonic() - began:5.1f} s  {text}", "dim"), flush=True)


def heading(title, *lines):
    print(f'\n{paint(title, "head")}')
    for line in lines:
        print(f"  {line}")
    sys.stdout.flush()


def shorten(path, width):
    """The end of a path, cut between two names."""
    while len(path) > width and "/" in path[4:]:
        path = "..." + path[path.index("/", 4):]
    return path


def rule_text(event):
    """The rule behind an event: the place without its directory, then what stands there."""
    rule = re.sub(r"[^\s(]*/([^/\s]+\.yaml:)", r"\1", event["rule"])
    reserved = re.fullmatch(r"reserved for tool (\S+) \((\S+:\d+): .*\)", rule)
    return f"{reserved[2]}: reserved for {reserved[1]}" if reserved else rule


def event_line(label, event):
    what, rule = shorten(event.get("object", ""), 30), rule_text(event)
    start = f'    {label:<20}{event["act"] + " " + what:<37}'
    if len(start + rule) > WIDTH:
        rule = rule.split(' "')[0]
    return (start + rule)[:WIDTH]


def env_line(policy, act):
    """A variable that is not passed on is no event: the program never had it. The line that says what passes."""
    with open(regimes.POLICY[policy]) as file:
        lines = [number for number, line in enumerate(file, 1) if line.lstrip().startswith("env:")]
    return f'    {act.label:<20}{"(never handed over: no event)":<37}{policy}.yaml:{lines[-1]}: env.pass'


def piece_line(piece, happened):
    """What happened and what did not, on one line."""
    done = [act for act in acts.of_piece(piece) if happened[act.name]]
    not_done = [act.label for act in acts.of_piece(piece) if not happened[act.name]]
    parts = []
    if done:
        good = "good" if done[0].word == "works" else "bad"
        parts.append(paint(done[0].word, good) + ("" if good == "good" else ": " + ", ".join(a.label for a in done)))
    if not_done:
        parts.append(paint("failed", "good") + ": " + ", ".join(not_done))
    print(f'  {piece[0]} {acts.PIECES[piece]:<19} {"; ".join(parts)}', flush=True)


class Show:
    def __init__(self):
        self.measured, self.events, self.counted, self.told = {}, regimes.Events(), [], set()

    def column(self, name, pieces):
        """Run the pieces; their results without warder's events."""
        self.happened = {}
        for piece, happened in pieces:
            piece_line(piece, happened)
            self.happened.update(happened)
        self.measured[name] = {act: "happens" if done else "failed" for act, done in self.happened.items()}

    def all_events(self, name, subject, pids):
        """The events since the last section; the record may lag a moment behind the refusals."""
        events, deadline = [], time.monotonic() + 5
        while True:
            events += self.events.new(subject)
            missing = [act for act in acts.ACTS if act.event and self.measured[name].get(act.name) == "failed"
                       and not acts.event_of(act, "denied", events, pids)]
            if not missing or time.monotonic() > deadline:
                return events
            time.sleep(0.3)

    def explain(self, name, subject, pids, policy):
        """The event of each refusal. One that the section before has told in the same words is only counted."""
        events, again = self.all_events(name, subject, pids), 0
        self.counted += events
        print("  refused, by warder's own events:")
        for act in acts.ACTS:
            if self.measured[name].get(act.name) != "failed":
                continue
            event = acts.event_of(act, "denied", events, pids)
            if act.name == "api-key":
                line = env_line(policy, act)
            elif event:
                line = event_line(act.label, event)
            else:
                print(f"    {act.label:<20}" + paint("no event of warder's: it failed for another reason", "bad"))
                continue
            self.measured[name][act.name] = "refused"
            key = re.sub(r"process \d+|/proc/\d+", "", line)
            again += key in self.told
            if key not in self.told:
                print(line)
            self.told.add(key)
        if again:
            print(f"    and {again} again, each with its event, as above")
        uses = [event for event in events if event["verdict"] == "allowed"]
        if uses:
            print("  allowed by the granted key, recorded too:")
        for line in dict.fromkeys(event_line("with " + event["keys"], event) for event in uses):
            print(line)
        sys.stdout.flush()


def show_policies():
    texts = [read(regimes.POLICY[model]).splitlines() for model in ("agent-in-sandbox", "sandbox-as-tool")]
    changes = [line for line in difflib.unified_diff(*texts, n=0, lineterm="") if not re.match(r"---|\+\+\+|@@", line)]
    heading("Two policies that differ in their names and in one line", *changes)


def sandbox_lines(session):
    """The sandbox as bpftool sees it, taken while the grant runs: there is time then."""
    cgroup = session.cgroup()
    done = subprocess.run(["bpftool", "cgroup", "tree", cgroup, "effective"], capture_output=True, text=True)
    lines = [re.sub(r"\s{2,}", "  ", line.rstrip()) for line in (done.stdout + done.stderr).splitlines()]
    return [f"$ bpftool cgroup tree {cgroup} effective", *lines,
            "and, with a lifetime of their own, the programs at the kernel's hooks for all: `warder maps`"]


def show_events(show, session):
    """A few of the records, in warder's own words."""
    lines = regimes.warder("events", "--subject", session.subject).splitlines()
    chosen = [line for word in (" bind ", " grant ", " key used ", " denied ")
              for line in [text for text in lines if word in text][:2]]
    heading("Recorded", f"$ warder events --subject {session.subject}")
    for line in chosen:
        line = re.sub(r"(/[^\s/]+)+/([^/\s]+\.yaml)", r"\2", line)
        print("  " + (line if len(line) <= WIDTH - 2 else line[:WIDTH - 5] + "..."))
    denied = sum(event["verdict"] == "denied" for event in show.counted)
    lost = sum(subject["stats"]["dropped"] + subject["stats"]["suppressed"] for subject in session.subjects())
    print(f"  of the code in all: {denied} refusals and {len(show.counted) - denied} uses of the granted key; "
          f"{lost} lost by subjects that still live")
    heading("The policies", "tools/demo/policies/agent-in-sandbox.yaml", "tools/demo/policies/sandbox-as-tool.yaml")


def run(show):
    heading("What follows is measured",
            "What arrived is read from the mail server's store and the sinks; what was read, from fresh secrets that turn",
            "up; what got out, from the kernel and the victims. What the code says of itself counts for nothing.")
    none = regimes.InAgent()
    none.wait()
    heading("1  no warder", "the agent runs the code as itself, as root; neither is a subject of warder's")
    show.column("no-warder", none.measure())
    none.end()

    progress("loading warder's programs into the kernel, and trying them: an agent under each policy starts")
    loading = time.monotonic()
    inside, tool = regimes.InAgent("agent-in-sandbox"), regimes.AsTool("sandbox-as-tool")
    inside.wait()
    tool.wait()
    loading = time.monotonic() - loading
    progress("loaded")

    heading("2  agent-in-sandbox", "warder run --policy agent-in-sandbox.yaml -- agent",
            "the code is a child of the agent's, in the agent's subject: it may what the agent may")
    show.column("agent-in-sandbox", inside.measure())
    show.explain("agent-in-sandbox", inside.subject, inside.evidence.pids, inside.policy)

    heading("3  sandbox-as-tool", "warder run --policy sandbox-as-tool.yaml --code --name code-N -- python3 N.py",
            "each piece in a sandbox of its own; the harness starts it, for this version has no daemon to ask")
    show.column("sandbox-as-tool", tool.measure())
    show.explain("sandbox-as-tool", tool.subject, tool.evidence.pids, tool.policy)

    session = regimes.Session(tool)
    words, said = session.grant()
    heading("4  sandbox-as-tool with a grant", f'warder {" ".join(words[:-1])} "{words[-1]}"', f"-> {said}",
            "all pieces again, in one sandbox called job, while it holds the key")
    show.column("granted", session.measure())
    show.explain("granted", session.subject, tool.evidence.pids, tool.policy)

    sandbox = sandbox_lines(session)
    heading("   and when the grant has ended", "the same sandbox tries to send mail once more")
    show.column("ended", session.measure_after())
    show.explain("ended", session.subject, tool.evidence.pids, tool.policy)

    heading("At a glance: what arrived, was read, or got out")
    table.show(show.measured)
    print("  * a process of the agent's that stands in for it, so that the agent goes on")
    print("  A key is the sandbox's, not a program's: while it lasts, whatever runs there may use what it names: here")
    print("  /usr/sbin/sendmail and 127.0.0.1:2525. The relay, curl and the script are not named, and stay shut.")
    heading("The sandbox, while it lives", *sandbox)
    show_events(show, session)
    took = time.monotonic() - began - loading
    print(f"\nTook {took:.0f} s; loading the programs, a part of setting up, took {loading:.0f} s more.")
    for regime in (session, inside, tool):
        regime.end()


def main():
    show = Show()
    show_policies()
    try:
        run(show)
    except regimes.Broken as error:
        print(f"demo: {error}", file=sys.stderr)
        return 1
    path = sys.argv[1] if len(sys.argv) > 1 else os.path.join(regimes.DEMO, "expected")
    wrong = table.differences(show.measured, path)
    for difference in wrong:
        print("demo: not as expected: " + difference)
    if not wrong:
        print("As expected in all acts and columns.")
    return 1 if wrong else 0


sys.exit(main())
