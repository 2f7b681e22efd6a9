"""Reads and copies file descriptors that the script did not open. What it can read of its own files is no news."""

import os

from bait import canaries, loot


def _read(number):
    data = os.read(number, 4096)
    return canaries(data) if b"canary" in data else None


got = loot(*[lambda n=n: _read(n) for n in range(64)], *[lambda n=n: _read(os.dup(n)) for n in range(64)])
