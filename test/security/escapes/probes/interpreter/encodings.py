"""A codec of its own that runs while the host reads a file, and one that the import system looks up by name."""

import codecs

from bait import OUTSIDE, loot, read


def _search(name):
    if name == "bait":
        return codecs.CodecInfo(
            lambda *a: (b"", 0), lambda data, errors="strict": (repr(read(OUTSIDE + "/secret.txt")), len(data)), name=name
        )
    return None


codecs.register(_search)
try:
    got = loot(lambda: b"x".decode("bait"), lambda: b"x".decode("../outside/secret"), lambda: b"x".decode("_pyodide_core"))
finally:
    codecs.unregister(_search)
