"""show - the demonstration itself: runs the regimes, tells what happened, and compares it with what is expected."""
import json
import os
import sys
import time

import acts
import regimes
from evidence import ELSEWHERE

began = time.monotonic()


def progress(text):
    print(f"  {time.monotonic() - began:5.1f} s  {text}", flush=True)


def measure(regime):
    results = {}
    t = time.monotonic()
    for piece, happened in regime.measure():
        results.update(happened)
        progress(f"{regime.name} {piece} {time.monotonic()-t:.1f} {happened} {regime.evidence.said}")
        t = time.monotonic()
    return results


def main():
    os.makedirs(ELSEWHERE, exist_ok=True)
    progress("no warder")
    none = regimes.InAgent("no warder")
    measure(none)
    none.agent.end()
    progress("load")
    ais = regimes.InAgent("agent-in-sandbox", "agent-in-sandbox")
    sat = regimes.AsTool("sandbox-as-tool", "sandbox-as-tool")
    measure(ais)
    measure(sat)
    g = regimes.Granted(sat)
    progress(g.grant())
    measure(g)
    while time.monotonic() < g.until + 0.2: time.sleep(0.2)
    progress(g.holds())
    progress(g.run("4-mail.py"))
    for line in regimes.warder("events", "--json").splitlines():
        e = json.loads(line)
        if e["type"] == "event":
            print(e["subject"], e["verdict"], e["act"], "|", e.get("object"), "|", e["rule"], "|", e.get("keys"), e["hook"])
        else: print(line)
    g.session.end()
    ais.agent.end()
    sat.agent.end()
    progress("end")


main()
