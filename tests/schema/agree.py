"""agree.py - the JSON Schema against the parser, on every good and bad golden policy, preset example and starter.

What the parser takes, the schema takes. What the parser refuses, the schema refuses as well, but for what a schema cannot
say (names that must exist, host bits of an address, two rules that contradict each other): tests/schema/blind lists
those files, and a file that stands there without need is a failure, too.

usage: agree.py WARDER
"""
import json
import pathlib
import subprocess
import sys

import jsonschema
import yaml

passed = failed = 0


def check(name, good, why=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print(f"not ok {name}: {why}")


class Loader(yaml.SafeLoader):
    """YAML as editors read it: the core types of YAML 1.2, and no key twice."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (
    ("bool", r"^(?:true|false)$", "tf"),
    ("int", r"^(?:0|[1-9][0-9]*)$", "0123456789"),
    ("null", r"^(?:~|null)?$", ["~", "n", ""]),
):
    import re

    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(pattern), list(first))


def mapping(loader, node):
    keys = [key.value for key, _ in node.value]
    if len(keys) != len(set(map(str, keys))):
        raise yaml.YAMLError("a key is there twice")
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)


Loader.add_constructor("tag:yaml.org,2002:map", mapping)


def accepts(validator, path):
    """None, or why not."""
    try:
        text = path.read_bytes().decode("utf-8")
        document = yaml.load(text, Loader)
    except (UnicodeDecodeError, yaml.YAMLError, ValueError, RecursionError) as error:
        return f"no YAML: {str(error).splitlines()[0]}"
    for error in validator.iter_errors(document):
        return f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
    return None


def main():
    schema = json.loads(subprocess.run([sys.argv[1], "check", "--schema"], check=True, stdout=subprocess.PIPE).stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    top = pathlib.Path("tests/policy")
    blind = set(pathlib.Path("tests/schema/blind").read_text().split())
    good = sorted(top.glob("ok/*.yaml")) + sorted(pathlib.Path("userspace/starters").glob("*.yaml"))
    bad = sorted(top.glob("bad/*.yaml"))
    check("there are good and bad policies", len(good) >= 20 and len(bad) >= 60, f"{len(good)}, {len(bad)}")
    for path in good:
        why = accepts(validator, path)
        check(f"takes {path}", why is None, why)
    for path in bad:
        why = accepts(validator, path)
        if path.name in blind:
            check(f"blind to {path}", why is None, f"it is not: take it off tests/schema/blind ({why})")
        else:
            check(f"refuses {path}", why is not None, "it takes it")
    for name in sorted(blind - {path.name for path in bad}):
        check(f"tests/schema/blind: {name}", False, "there is no such file")
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
