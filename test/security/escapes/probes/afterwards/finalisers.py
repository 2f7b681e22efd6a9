"""Objects with `__del__`, weak references and handlers of `atexit` that act when the kernel has ended."""

import atexit
import gc
import json
import sys
import weakref

from bait import OUTSIDE, is_proxy, loot, read

_tell, _gc_objects, _dumps = print, gc.get_objects, json.dumps


def _late(where):
    found = loot(lambda: read(OUTSIDE + "/secret.txt"), lambda: [type(o).__name__ for o in _gc_objects() if is_proxy(o)])
    if found:
        _tell("@escape " + _dumps({"probe": "finalisers", "got": f"{where}: {found}", "error": None}), flush=True)


class _Falling:
    def __del__(self):
        _late("__del__")


atexit.register(_late, "atexit")
sys.modules["_falling"] = _Falling()
_cycle = _Falling()
_cycle.self = _cycle
_watched = _Falling()
weakref.finalize(_watched, _late, "finalize")
gc.callbacks.append(lambda phase, _: _late("gc " + phase))
