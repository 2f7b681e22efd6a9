"""Overrides `Promise.prototype.then` and `Map.prototype.get`, which the host uses between captures."""

from bait import hidden, intrinsics

_object, _, _, _to_js = intrinsics()
(_create_proxy,) = hidden("create_proxy")
_map = _to_js({"a": 1}).constructor
_map.prototype.bait = 7
got = _to_js({"b": 2}).bait
