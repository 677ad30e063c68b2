"""regimes - four ways to run generated code: without warder, agent-in-sandbox, sandbox-as-tool, and that with a grant."""
import json
import os
import select
import subprocess
import time

import acts
from evidence import HOME, WORK, Evidence, read

DEMO = os.path.dirname(os.path.abspath(__file__))
WARDER = os.environ["WARDER"]
TOOL, SPAN, REASON = "send-email", "20s", "ticket 4711: mail this one report"
POLICY = {model: f"{DEMO}/policies/{model}.yaml" for model in ("agent-in-sandbox", "sandbox-as-tool")}
PATIENCE = 60


class Child:
    """A process that we talk with in lines."""

    def __init__(self, command, environment=None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
                                        env={**os.environ, **(environment or {})},
                                        stderr=open("/tmp/demo.stderr", "a"), cwd=WORK)
        self.rest = b""

    def say(self, line):
        self.process.stdin.write(line.encode() + b"\n")

    def hear(self, seconds=PATIENCE):
        """The next line; None: nothing came."""
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], seconds)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 4096)
            if not data:
                raise SystemExit(f"demo: {self.process.args} ended early:\n{read('/tmp/demo.stderr')}")
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode()

    def end(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)


def warder(*words):
    return subprocess.run([WARDER, *words], capture_output=True, text=True, check=True).stdout


def run_as(policy, *words):
    return [WARDER, "run", "--policy", POLICY[policy], *words, "--", "/usr/bin/python3"]


class Regime:
    """One agent and where its code runs. subject: whose events are the code's."""

    def __init__(self, name, mode, policy=None):
        self.name, self.policy = name, policy
        self.evidence = Evidence(os.urandom(12).hex())
        self.environment = {"API_KEY": self.evidence.api_key}
        command = run_as(policy, "--set", "agent", "--name", f"agent-{policy}") if policy else ["/usr/bin/python3"]
        self.agent = Child(command + [HOME + "/agent", mode], self.environment)

    def wait_ready(self):
        _, *pids = self.agent.hear().split()
        self.evidence.plant(*map(int, pids))
        self.pids = {"agent": int(pids[0]), **self.evidence.stand_ins}

    def begin(self):
        self.wait_ready()
        self.agent.say("go")

    def next_code(self):
        return self.agent.hear().split()[1]

    def watch(self, child, piece):
        """Until the piece has ended; one that stays and waits is looked at first, and then sent away."""
        happened, deadline = None, time.monotonic() + PATIENCE
        while (line := child.hear(0.1)) is None or not line.startswith("ended"):
            if time.monotonic() > deadline:
                raise SystemExit(f"demo: {piece} does not end:\n" + read(f"{WORK}/out/{piece}.txt"))
            if happened is None and "waiting" in read(f"{WORK}/out/{piece}.txt").split():
                happened = self.evidence.of(piece)
                open(WORK + "/orders", "w").close()
        return happened or self.evidence.of(piece)


class InAgent(Regime):
    """The agent's own processes run the code; without a policy nothing is confined."""

    def __init__(self, name, policy=None):
        super().__init__(name, "own", policy)
        self.subject = f"agent-{policy}"

    def measure(self):
        self.begin()
        for piece in acts.PIECES:
            self.next_code()
            yield piece, self.watch(self.agent, piece)
            self.agent.say("next")


class AsTool(Regime):
    """A sandbox of its own for each piece, started by `warder run --code`."""

    def __init__(self, name, policy):
        super().__init__(name, "tool", policy)
        self.subject = "code-"

    def measure(self):
        self.begin()
        for piece in acts.PIECES:
            path = self.next_code()
            yield piece, self.run(path, piece)
            self.agent.say("next")

    def run(self, path, piece):
        with open(f"{WORK}/out/{piece}.txt", "w") as out:
            command = run_as(self.policy, "--code", "--name", f"code-{piece[0]}") + [path]
            child = subprocess.Popen(command, env={**os.environ, **self.environment}, cwd=WORK,
                                     stdin=subprocess.DEVNULL, stdout=out, stderr=open("/tmp/demo.stderr", "a"))
        happened, deadline = None, time.monotonic() + PATIENCE
        while child.poll() is None:
            if time.monotonic() > deadline:
                raise SystemExit(f"demo: {piece} does not end")
            if happened is None and "waiting" in read(f"{WORK}/out/{piece}.txt").split():
                happened = self.evidence.of(piece)
                open(WORK + "/orders", "w").close()
            time.sleep(0.05)
        return happened or self.evidence.of(piece)


class Granted:
    """One sandbox that runs all pieces, as a notebook does; it is lent a tool while it runs."""

    def __init__(self, regime):
        self.regime, self.name, self.subject, self.pids = regime, "granted", "job", regime.pids
        self.evidence = regime.evidence
        command = run_as(regime.policy, "--code", "--name", "job") + [WORK + "/session"]
        self.session = Child(command, regime.environment)

    def grant(self):
        self.session.hear()
        self.until = time.monotonic() + 20
        return warder("grant", "job", TOOL, "--for", SPAN, "--reason", REASON).strip()

    def run(self, piece):
        self.evidence.plant_data()
        self.session.say(f"{WORK}/code/{piece}")
        return self.regime.watch(self.session, piece)

    def measure(self):
        # what the grant is about comes first; all of it has to be done before the grant ends
        for piece in sorted(acts.PIECES, key=lambda piece: piece[0] != "4"):
            yield piece, self.run(piece)

    def holds(self):
        job = [s for s in json.loads(warder("ps", "--json")) if s["subject"] == "job"][0]
        return any(key["key"] == TOOL for key in job["keys"])
