"""What the probes share: where the canaries lie, and the ways to functions that the fence hides. Lies beside them in the workspace.

A canary is a secret that this run of the test made up (`canary-<where>-<hex>`). A probe reports canaries and short words only, never
what else it could read.
"""

import gc
import os
import re

#: Folder beside the workspace; holds `secret.txt`.
OUTSIDE = os.environ["BAIT_OUTSIDE"]
#: The workspace.
ROOT = os.environ["BAIT_ROOT"]
#: Folder whose name begins with the workspace's; holds `secret.txt`.
SIBLING = os.environ["BAIT_SIBLING"]
#: Home of the user; holds `.secret`.
HOME = os.environ["BAIT_HOME"]
#: Of a loopback server that counts its connections.
PORT = int(os.environ["BAIT_PORT"])

_CANARY = re.compile(rb"canary-[a-z]+-[0-9a-f]+")


def canaries(data):
    """The canaries in str or bytes; where there are none, how much was read. None for nothing."""
    if not data:
        return None
    raw = data.encode("utf-8", "surrogateescape") if isinstance(data, str) else bytes(data)
    return [found.decode() for found in _CANARY.findall(raw)] or f"{len(raw)} bytes without a canary"


def read(path, size=1 << 20):
    """What a plain open of the path gives, as `canaries` reports it. Raises OSError when it is refused."""
    with open(path, "rb") as stream:
        return canaries(stream.read(size))


def loot(*attempts):
    """What the attempts gave, without those that were refused and those that gave nothing. None when that is all of them."""
    given = []
    for attempt in attempts:
        try:
            given.append(attempt())
        except Exception:
            continue
    return [something for something in given if something] or None


def hidden(*names):
    """Builtin functions of these names of Pyodide's, by name, as the garbage collector knows them."""
    found = {o.__name__: o for o in gc.get_objects() if type(o).__name__ == "builtin_function_or_method" and o.__name__ in names}
    return [found[name] for name in names]


def is_proxy(value):
    """Whether the value stands for something of JavaScript."""
    return any(kind.__name__ == "JsProxy" for kind in type(value).__mro__)


def intrinsics():
    """JavaScript's `Object`, `String` and the prototype of its arrays, and `to_js`. Raises what is in the way."""
    (to_js,) = hidden("to_js")
    prototype = to_js([1]).constructor.prototype
    js_object = prototype.__proto__.constructor
    return js_object, js_object("x").constructor, prototype, to_js


def contents(module):
    """The module's name when there is anything in it: where an import finds no module, Python makes an empty one."""
    return any(not name.startswith("__") for name in vars(module)) and module.__name__


class TwoNames:
    """A module spec whose name is harmless when it is looked at first."""

    origin = "built-in"

    def __init__(self, name):
        """`name`: of the module that is wanted."""
        self._names = iter(["math"])
        self._name = name

    @property
    def name(self):
        """`math` once, then the name."""
        return next(self._names, self._name)


def builtin(name):
    """A builtin module made anew, past the check of its name. Raises ImportError, ModuleNotFoundError."""
    import _imp

    module = _imp.create_builtin(TwoNames(name))
    _imp.exec_builtin(module)
    return module
