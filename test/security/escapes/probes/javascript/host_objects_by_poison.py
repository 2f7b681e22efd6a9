"""Overrides `Map.prototype.has` with a callback that keeps `this`: a map of the host's own, which the kernel can then fill."""

import os

from bait import hidden, intrinsics

_, _, _, _to_js = intrinsics()
(_create_proxy,) = hidden("create_proxy")
_map = _to_js({"a": 1}).__proto__
while _map.constructor.name != "Map":
    _map = _map.__proto__
_kept, _seen = _map.has, []


def _keep(this, name):
    _seen.append(f"{this.constructor.name} of the host, asked for {name}")
    return False


_map.has = _create_proxy(_keep).captureThis()
try:
    os.stat("sub/plain.txt")
finally:
    _map.has = _kept
got = _seen[:1]
