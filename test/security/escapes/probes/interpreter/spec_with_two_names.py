"""`_imp.create_builtin` checks the name of a spec that has another name when it is read again."""

from bait import builtin, contents, loot

_NAMES = ["_pyodide_core", "_ctypes", "_socket", "_posixsubprocess", "_testcapi", "_testinternalcapi", "_remote_debugging", "faulthandler"]
got = loot(*[lambda name=name: contents(builtin(name)) for name in _NAMES])
