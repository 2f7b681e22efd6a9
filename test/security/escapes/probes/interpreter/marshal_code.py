"""Code objects that come out of `marshal`, with the names of hidden modules in them."""

import marshal

from bait import loot

_source = "import _pyodide_core as core\nresult = core.to_js"


def _run(text):
    names = {}
    exec(marshal.loads(marshal.dumps(compile(text, "m", "exec"))), names)
    return names["result"]


got = loot(lambda: _run(_source), lambda: _run("import ctypes; result = ctypes.CDLL(None)"))
