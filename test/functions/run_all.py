"""Runs the cases of every family beside this file, one JSON line each: `{"id": ..., "failure": null or text}`.

Then one line `{"missing": [...]}`: functions of the instruction table without a value case or a misuse case in a dialect that
has them. `--list` prints the cases instead of running them. Runs in the bundled interpreter: `node dist/cli.js run`.
"""

import importlib
import json
import os
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import harness  # noqa: E402 - beside this file

from nki._record.vocabulary.table import ROWS  # noqa: E402


def families():
    """Modules with cases."""
    names = sorted(name[:-3] for name in os.listdir(HERE) if name.endswith(".py"))
    return [name for name in names if name not in ("harness", "run_all")]


def missing():
    """What the cases leave out."""
    have = {(case.function, case.dialect.name, case.kind) for case in harness.cases}
    wanted = [(row.name[4:], dialect, kind) for row in ROWS.values() for dialect in row.signature for kind in ("value", "misuse")]
    return [f"{dialect} {function}: no {kind} case" for function, dialect, kind in wanted if (function, dialect, kind) not in have]


def run(case):
    """None, or why it failed."""
    try:
        case.call()
    except BaseException:
        return traceback.format_exc(limit=-6)
    return None


def main(arguments):
    """`--list`, or words of which the id must contain one."""
    for name in families():
        importlib.import_module(name)
    if "--list" in arguments:
        for case in harness.cases:
            print(json.dumps({"function": f"nki.{case.function}", "dialect": case.dialect.name, "kind": case.kind, "family": case.family}))
        return
    for case in harness.cases:
        if not arguments or any(word in f"{case.id} {case.family}" for word in arguments):
            print(json.dumps({"id": case.id, "family": case.family, "failure": run(case)}), flush=True)
    print(json.dumps({"missing": missing()}))


main(sys.argv[1:])
