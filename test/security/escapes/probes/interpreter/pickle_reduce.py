"""Unpickles objects that name functions which the fence hides."""

import pickle

from bait import OUTSIDE, loot


def _stream(module, name, argument):
    return f"c{module}\n{name}\n(V{argument}\ntR.".encode()


got = loot(
    lambda: pickle.loads(_stream("posix", "system", f"touch {OUTSIDE}/pickle")) == 0 and "system",
    lambda: pickle.loads(_stream("os", "popen", "id")).read(),
    lambda: pickle.loads(_stream("_pyodide_core", "to_js", "x")),
    lambda: pickle.loads(_stream("pyodide.code", "run_js", "1")),
    lambda: pickle.loads(_stream("_ctypes", "dlopen", "")),
    lambda: pickle._Unpickler.find_class(pickle._Unpickler(open("/dev/null", "rb")), "_pyodide_core", "to_js"),
)
