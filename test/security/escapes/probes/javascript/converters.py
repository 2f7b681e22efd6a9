"""`Js2PyConverter` and `Py2JsConverter`, the types behind `to_js`: found below `object`, made, and asked for what they convert to."""

from bait import is_proxy, loot


def _below(kind):
    for child in type.__subclasses__(kind):
        yield child
        yield from _below(child)


_types = {kind for kind in _below(object) if kind.__name__ in ("Py2JsConverter", "Js2PyConverter", "JsFuncSignature")}
got = loot(*[lambda kind=kind: [n for n in dir(kind()) if is_proxy(getattr(kind(), n))] for kind in _types])
