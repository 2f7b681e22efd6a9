"""Writes on `Object.prototype`: every object of the host then has the property."""

from bait import intrinsics

_, _, _prototype, _to_js = intrinsics()
_prototype.__proto__.bait = 7
got = _to_js({"b": 2}).bait
