"""table - what was measured, at a glance, and compared with what is expected."""
import os
import sys

import acts

COLUMNS = {
    "no-warder": "no warder",
    "agent-in-sandbox": "agent-in-sandbox",
    "sandbox-as-tool": "sandbox-as-tool",
    "granted": "+ send-email 20 s",
    "ended": "grant ended",
}
COLOURS = {"good": "32", "bad": "31;1", "dim": "2", "head": "1"}


def paint(text, colour, width=0):
    padded = text.ljust(width)
    return f"\033[{COLOURS[colour]}m{padded}\033[0m" if os.environ.get("DEMO_COLOUR") else padded


def word(act, outcome):
    return {"happens": act.word, "refused": "refused"}.get(outcome, "-")


def colour(act, outcome):
    if outcome == "-":
        return "dim"
    return "good" if (outcome == "refused") != (act.word == "works") else "bad"


def show(measured):
    titles = list(COLUMNS.values())
    print(f'  {"":<25}' + "".join(paint(title, "head", len(title) + 3) for title in titles[:-1]) + paint(titles[-1], "head"))
    for act in acts.ACTS:
        first = act is acts.of_piece(act.piece)[0]
        if first:
            print(f"  {act.piece[0]} {acts.PIECES[act.piece]}")
        cells = ""
        for column, title in COLUMNS.items():
            outcome = measured[column].get(act.name, "-")
            cells += paint(word(act, outcome), colour(act, outcome), len(title) + 3)
        print(f"      {act.label:<21}{cells}".rstrip())


def expected(path):
    """{column: {act: outcome}}"""
    table = {column: {} for column in COLUMNS}
    with open(path) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, *outcomes = line.split()
                for column, outcome in zip(COLUMNS, outcomes, strict=True):
                    table[column][name] = outcome
    return table


def differences(measured, path):
    """What was measured and is not what the file expects, in words."""
    found, want = [], expected(path)
    for column in COLUMNS:
        for name in sorted({act.name for act in acts.ACTS} | set(want[column])):
            got, expect = measured[column].get(name, "-"), want[column].get(name, "nothing")
            if got != expect:
                found.append(f"{COLUMNS[column]}: {name}: expected: {expect}, measured: {got}")
    return found


if __name__ == "__main__":
    sys.exit("table is a part of the demonstration: run tools/demo/demo")
