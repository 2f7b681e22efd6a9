"""Finds `to_js` among the objects of the garbage collector and makes a JavaScript array."""

from bait import hidden, is_proxy

(_to_js,) = hidden("to_js")
_array = _to_js([1])
got = is_proxy(_array) and repr(_array)
