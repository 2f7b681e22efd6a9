"""Saves profiles under names that lead elsewhere, or that are no text."""

import _kernel
from bait import OUTSIDE, loot

from nki._record.wire import host

_kernel.run()
_NAMES = ["../saved", OUTSIDE + "/saved", "sub/saved", "..\\saved", "saved\0.txt", ".saved", "..", ".", "", "c:saved", "a/../../saved", "~"]
_NAMES += ["/dev/stdout", "link-folder/saved", ["../saved"], {"toString": 1}, 7, None, True, "x" * 5000]
# `/` in other guises
_NAMES += ["..\u2215saved", "..\uff0fsaved", "%2e%2e%2fsaved"]


def _save(name):
    path = host.call({"call": "saveProfile", "name": name})[0]["path"]
    # a plain odd name in the folder of the script is what it is for
    return path if "/" in str(name) or "\0" in str(name) or not isinstance(name, str) else None


got = loot(*[lambda n=n: _save(n) for n in _NAMES])
