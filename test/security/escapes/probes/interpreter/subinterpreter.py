"""Another interpreter in the same memory has an import system of its own, and no fence."""

from bait import builtin, loot

_CODE = "import _pyodide_core; assert _pyodide_core.to_js"


def _run(module):
    number = module.create()
    error = module.exec(number, _CODE)
    return "ran" if error is None else None


got = loot(
    lambda: _run(__import__("_interpreters")) and "imported",
    lambda: __import__("concurrent.interpreters").interpreters.create().exec(_CODE) is None and "concurrent.interpreters",
    lambda: _run(builtin("_interpreters")) and "made anew",
    lambda: builtin("_testcapi").run_in_subinterp(_CODE) == 0 and "_testcapi",
)
