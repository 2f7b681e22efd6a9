"""Leaves the workspace by `chdir`, `fchdir` and by opening beside a descriptor."""

import os

from bait import OUTSIDE, ROOT, loot, read

_kept = os.getcwd()


def _beside(folder):
    number = os.open(folder, os.O_RDONLY)
    return os.read(os.open("../outside/secret.txt", os.O_RDONLY, dir_fd=number), 100)


try:
    got = loot(
        lambda: os.chdir(OUTSIDE) or read("secret.txt"),
        lambda: os.chdir("..") or read("outside/secret.txt"),
        lambda: os.chdir(ROOT + "/link-folder") or read("secret.txt"),
        lambda: os.fchdir(os.open(ROOT, os.O_RDONLY)) or read("../outside/secret.txt"),
        lambda: _beside(ROOT),
    )
finally:
    os.chdir(_kept)
