"""Takes memory of the interpreter in pieces of 64 MB until it gets no more."""

_kept = []
try:
    while len(_kept) < 128:
        _kept.append(bytes(64 << 20))
except MemoryError:
    pass
_kept.clear()
