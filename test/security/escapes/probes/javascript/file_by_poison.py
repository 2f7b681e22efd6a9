"""As `environment_by_poison`, with a file outside of the workspace."""

import os

from bait import OUTSIDE, canaries, intrinsics

_, _string, _prototype, _to_js = intrinsics()
_path = _to_js([".."] * 20 + [*OUTSIDE.strip("/").split("/"), "secret.txt"])
_prototype.reverse = _path.valueOf.bind(_path)
_nothing = _to_js([])
_string.prototype.startsWith = _nothing.includes.bind(_nothing)
got = canaries(os.read(os.open(__file__, os.O_RDONLY), 1 << 20))
