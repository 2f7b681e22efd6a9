"""Improves slow_matmul.py by advice alone: a loop that no model takes part in, to show what an agent can build on.

    python3 improve.py [--write]

It asks `serve --json-lines` for advice, carries it out, and keeps an edit if the kernel is then faster and computes the same values, bit
by bit. Advice that one argument carries out brings its own edit. For other advice the kernel has constants. Nothing is written without
--write.
"""

import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
CLI = os.environ.get("NKI_SCOPE_CLI") or os.path.join(HERE, "..", "..", "dist", "cli.js")
FILE = os.path.join(HERE, "slow_matmul.py")
CALL = {"file": FILE, "kernel": "slow_matmul", "args": {"lhs_t": "bf16[4096,1024]", "rhs": "bf16[4096,2048]"}}

# What carries an advice out, by its rule: the constant, and its values in the order in which they are tried.
CONSTANTS = {"keep-loaded": ("KEEP_LOADED", ["True"]), "merge-dmas": ("TILES_PER_LOAD", ["4", "2"])}

# The least gain of a step that counts: what the model can tell apart.
LEAST_GAIN = 0.01


class Engine:
    """The tools, from one process that stays warm."""

    def __init__(self):
        """Starts it."""
        command = [os.environ.get("NKI_SCOPE_NODE", "node"), CLI, "serve", "--json-lines"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._asked = 0

    def ask(self, tool, **given):
        """A tool's answer. RuntimeError with what the tool says is wrong."""
        self._asked += 1
        self._process.stdin.write(json.dumps({"id": self._asked, "tool": tool, "input": given}) + "\n")
        self._process.stdin.flush()
        reply = json.loads(self._process.stdout.readline())
        if "error" in reply:
            raise RuntimeError(reply["error"]["message"])
        return reply["answer"]

    def close(self):
        """Ends it."""
        self._process.stdin.close()
        self._process.wait()


def edits_of(advice, text):
    """Texts that carry the advice out, the most promising first."""
    if advice["edit"]:
        edited = text
        for edit in sorted(advice["edit"], key=lambda edit: -edit["from"]):
            edited = edited[: edit["from"]] + edit["text"] + edited[edit["to"] :]
        yield edited
    name, values = CONSTANTS.get(advice["rule"], ("", []))
    for value in values:
        yield re.sub(rf"^{name} = .*$", f"{name} = {value}", text, flags=re.M)


def better(engine, run, text, tried):
    """The first edit that makes the kernel faster and leaves its values as they are: rule, gain that was told, text, run. None: no edit."""
    for advice in engine.ask("advise", run=run["run"])["advice"]:
        for edited in edits_of(advice, text):
            if edited in tried:
                continue
            tried.add(edited)
            after = engine.ask("profile", **CALL, text=edited)["runs"][0]
            if after["total_time_ns"] > (1 - LEAST_GAIN) * run["total_time_ns"]:
                continue
            if engine.ask("check_values", **CALL, text=edited)["same"]:
                return advice["rule"], advice["gain_percent"], edited, after
    return None


def main():
    """Prints a line for each step."""
    with open(FILE, encoding="utf-8") as file:
        text = file.read()
    engine = Engine()
    first = run = engine.ask("profile", **CALL)["runs"][0]
    print(f"{run['total_time_ns'] / 1000:8.1f} µs  as it is")
    tried = {text}
    while (step := better(engine, run, text, tried)) is not None:
        rule, told, text, after = step
        gain = 100 * (1 - after["total_time_ns"] / run["total_time_ns"])
        print(f"{after['total_time_ns'] / 1000:8.1f} µs  {rule}: {gain:.1f} % faster (the advice said {told:.1f} %)")
        run = after
    print(f"{first['total_time_ns'] / run['total_time_ns']:8.2f} times as fast, and the same values")
    engine.close()
    if "--write" in sys.argv[1:]:
        with open(FILE, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
