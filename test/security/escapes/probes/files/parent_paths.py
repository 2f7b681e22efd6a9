"""Paths with `..`, through every function that opens or lists."""

import os
import pathlib

from bait import loot, read

_PATHS = ["../outside/secret.txt", "./../outside/secret.txt", "sub/../../outside/secret.txt", "sub/./.././../outside/secret.txt"]
_PATHS += ["//..//outside//secret.txt", "../space/../outside/secret.txt"]
got = loot(
    *[lambda p=p: read(p) for p in _PATHS],
    *[lambda p=p: pathlib.Path(p).read_text() for p in _PATHS],
    *[lambda p=p: os.read(os.open(p, os.O_RDONLY), 100) for p in _PATHS],
    *[lambda p=p: os.stat(p).st_size for p in _PATHS],
    lambda: [n for n in os.listdir("../outside")],
    lambda: [e.name for e in os.scandir("..") if e.name not in ("space",)],
)
