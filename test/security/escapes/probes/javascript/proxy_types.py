"""Makes objects of every type of proxy below `object`, and of exceptions that carry one."""

from bait import is_proxy, loot


def _below(kind):
    for child in type.__subclasses__(kind):
        yield child
        yield from _below(child)


def _make(kind):
    made = kind.__new__(kind)
    return kind.__name__ if is_proxy(made) and (dir(made) and str(made)) else None


got = loot(*[lambda kind=kind: _make(kind) for kind in set(_below(object)) if kind.__name__.startswith("Js")])
