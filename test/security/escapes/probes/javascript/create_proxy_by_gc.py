"""Finds `create_proxy` among the objects of the garbage collector and makes a proxy that JavaScript could call."""

from bait import hidden, is_proxy

(_create_proxy,) = hidden("create_proxy")
_made = _create_proxy(print)
got = is_proxy(_made) and type(_made).__name__
