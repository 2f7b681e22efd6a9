"""Looks for proxies that something still holds, through all objects of the garbage collector and what they refer to."""

import gc

from bait import is_proxy, loot

_FIRST = ("process", "fs", "FS", "constructor", "globalThis")


def _use(proxy):
    return [name for name in _FIRST if getattr(proxy, name, None) is not None]


_held = [o for o in gc.get_objects() if is_proxy(o)]
_held += [o for holder in gc.get_objects() for o in gc.get_referents(holder) if is_proxy(o)]
got = loot(*[lambda proxy=proxy: _use(proxy) for proxy in _held])
