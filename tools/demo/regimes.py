"""regimes - ways to run generated code: without warder, agent-in-sandbox, sandbox-as-tool, and that with a grant."""
import json
import os
import select
import subprocess
import time

import acts
from evidence import HOME, WORK, Evidence, read

DEMO = os.path.dirname(os.path.abspath(__file__))
WARDER = os.environ["WARDER"]
ERRORS = "/srv/outside/errors"
POLICY = {model: f"{DEMO}/policies/{model}.yaml" for model in ("agent-in-sandbox", "sandbox-as-tool")}
TOOL, SECONDS, REASON = "send-email", 20, "ticket 4711: mail this report"
PATIENCE = 120


class Broken(Exception):
    """The demonstration itself cannot go on."""


def warder(*words):
    done = subprocess.run([WARDER, *words], capture_output=True, text=True)
    if done.returncode:
        raise Broken(f"warder {words[0]}: {done.stderr}")
    return done.stdout


def run_under(policy, *words):
    return [WARDER, "run", "--policy", POLICY[policy], *words, "--", "/usr/bin/python3"]


class Child:
    """A process that we talk with in lines."""

    def __init__(self, command, environment, out=subprocess.PIPE):
        with open(ERRORS, "a") as errors:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=errors, bufsize=0,
                                            env={**os.environ, **environment}, cwd=WORK)
        self.rest = b""

    def say(self, line):
        self.process.stdin.write(line.encode() + b"\n")

    def hear(self, seconds=PATIENCE):
        """The next line; None: nothing came in that time."""
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], seconds)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 4096)
            if not data:
                raise Broken(f'{" ".join(self.process.args)} ended early:\n{read(ERRORS)}')
            self.rest += data
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode()

    def ended_code(self):
        """Has it said that the code which it runs has ended?"""
        return (self.hear(0.1) or "").startswith("ended")

    def ended(self):
        time.sleep(0.05)
        return self.process.poll() is not None

    def end(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE)


def watch(evidence, piece, ended):
    """Until the piece has ended; one that stays and waits for orders is looked at first. {act: did it happen}"""
    happened, out, deadline = None, f"{WORK}/out/{piece}.txt", time.monotonic() + PATIENCE
    while not ended():
        if time.monotonic() > deadline:
            raise Broken(f"{piece} does not end:\n{read(out)}{read(ERRORS)}")
        if happened is None and "waiting" in read(out).split():
            happened = evidence.of(piece)
            open(WORK + "/orders", "w").close()
    return happened or evidence.of(piece)


class Regime:
    """An agent, and where its code runs. `subject`: the beginning of the names under which warder knows the code."""

    def __init__(self, mode, policy):
        self.policy = policy
        self.evidence = Evidence()
        self.environment = {"API_KEY": self.evidence.api_key}
        command = run_under(policy, "--set", "agent", "--name", f"agent-{policy}") if policy else ["/usr/bin/python3"]
        self.agent = Child(command + [HOME + "/agent", mode], self.environment)

    def wait(self):
        """Until the agent runs; it waits for its first order."""
        self.pids = map(int, self.agent.hear().split()[1:])

    def measure(self):
        """Yields (piece, {act: did it happen})."""
        self.evidence.plant(*self.pids)
        self.agent.say("go")
        for piece in acts.PIECES:
            path = self.agent.hear().split()[1]
            yield piece, self.run(piece, path)
            self.agent.say("next")

    def end(self):
        self.agent.end()


class InAgent(Regime):
    """The agent's own processes run the code; without a policy nothing confines them."""

    def __init__(self, policy=None):
        super().__init__("own", policy)
        self.subject = f"agent-{policy}"

    def run(self, piece, path):
        return watch(self.evidence, piece, self.agent.ended_code)


class AsTool(Regime):
    """Each piece in a sandbox of its own, started by `warder run --code`."""

    def __init__(self, policy):
        super().__init__("tool", policy)
        self.subject = "code-"

    def run(self, piece, path):
        command = run_under(self.policy, "--code", "--name", f"code-{piece[0]}") + [path]
        with open(f"{WORK}/out/{piece}.txt", "w") as out:
            child = Child(command, self.environment, out)
        return watch(self.evidence, piece, child.ended)


class Session:
    """One sandbox that runs all pieces, as a notebook does; it is lent a tool while it runs."""

    subject = "job"

    def __init__(self, regime):
        self.evidence = regime.evidence
        command = run_under(regime.policy, "--code", "--name", self.subject) + [WORK + "/session"]
        self.child = Child(command, regime.environment)
        self.child.hear()

    def grant(self):
        words = ["grant", self.subject, TOOL, "--for", f"{SECONDS}s", "--reason", REASON]
        said = warder(*words)
        self.until = time.monotonic() + SECONDS
        return words, said.strip()

    def run(self, piece):
        self.evidence.plant_data()
        self.child.say(f"{WORK}/code/{piece}")
        return watch(self.evidence, piece, self.child.ended_code)

    def measure(self):
        # what the grant is about comes first: it has to be done before the grant ends
        for piece in sorted(acts.PIECES, key=lambda piece: piece != acts.MAIL):
            happened = self.run(piece)
            if time.monotonic() > self.until:
                raise Broken(f"this machine is too slow: {piece} ended later than the grant of {SECONDS} s")
            yield piece, happened

    def measure_after(self):
        time.sleep(max(0, self.until - time.monotonic()))
        yield acts.MAIL, self.run(acts.MAIL)

    @staticmethod
    def subjects():
        return json.loads(warder("ps", "--json"))

    def cgroup(self):
        return next(subject["cgroup"] for subject in self.subjects() if subject["subject"] == self.subject)

    def end(self):
        self.child.end()


class Events:
    """warder's own record of what it refused, and of uses of granted keys."""

    def __init__(self):
        self.seen = set()

    def new(self, subject):
        """Those since the last call, of subjects whose names begin like this."""
        # In the order of time, so that one read late stands before some that are known.
        lines = warder("events", "--json").splitlines()
        fresh = [line for line in lines if line not in self.seen]
        self.seen.update(fresh)
        return [event for event in map(json.loads, fresh)
                if event["type"] == "event" and event.get("subject", "").startswith(subject)]
