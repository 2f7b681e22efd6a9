"""`to_js([1]).constructor.prototype` is the array prototype of the host: what is written on it shows on every other array."""

from bait import intrinsics

_, _, _prototype, _to_js = intrinsics()
_prototype.bait = 41
got = _to_js([2, 3]).bait
