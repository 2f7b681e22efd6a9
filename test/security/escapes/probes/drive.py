"""The kernel file of every capture of this suite: runs the probes that its arguments name and prints one JSON line for each.

A line: {"probe": name, "got": what it left in `got`, or null, "error": how it was refused, or null}. `tried` is printed before a probe
that then ends the interpreter.
"""

import json
import os
import sys

_HELPERS = {"bait", "_kernel", "_wire"}


def _tell(**said):
    print("@escape " + json.dumps(said, default=repr), flush=True)


def _run(name):
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py")
    names = {"__name__": name, "__file__": file, "got": None}
    error, modules = None, set(sys.modules)
    _tell(tried=name)
    try:
        with open(file) as stream:
            exec(compile(stream.read(), file, "exec"), names)
    except BaseException as raised:
        error = f"{type(raised).__name__}: {raised}"[:300]
    # what one probe imported is no door for the next
    for module in set(sys.modules) - modules - _HELPERS:
        sys.modules.pop(module, None)
    # short, and made before it is printed: it may hold objects whose repr fails
    got = repr(names["got"])[:2000] if names["got"] else None
    _tell(probe=name, got=got, error=error)


for _name in sys.argv[1:]:
    _run(_name)
