"""Paths of many thousand parts, and of a name of a million characters, that end outside."""

from bait import ROOT, loot, read

_END = "../outside/secret.txt"
got = loot(
    lambda: read("./" * 5000 + _END),
    lambda: read("sub/../" * 3000 + _END),
    lambda: read("x" * 1_000_000),
    lambda: read("/" * 100_000 + ROOT.strip("/") + "/" + _END),
    lambda: read("../" * 3000 + "etc/passwd"),
)
