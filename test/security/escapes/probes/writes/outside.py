"""Writes beside the workspace, into the home folder and through the links. What its own memory files take is no change of the host."""

import os

from bait import HOME, OUTSIDE, ROOT, SIBLING, loot


def _write(path):
    with open(path, "w") as stream:
        stream.write("written by a kernel")
    return None


_FOLDERS = [OUTSIDE, SIBLING, HOME, "/etc", "/tmp", "..", "../outside", "link-folder", "sub/link-up", ROOT + "/link-folder"]
got = loot(
    *[lambda f=f: _write(f + "/written.txt") for f in _FOLDERS],
    *[lambda f=f: os.makedirs(f + "/made") for f in _FOLDERS],
    lambda: _write("link-file"),
    lambda: _write("link-absolute"),
    lambda: os.rename(OUTSIDE + "/secret.txt", OUTSIDE + "/moved.txt"),
    lambda: os.remove(OUTSIDE + "/secret.txt"),
    lambda: __import__("shutil").rmtree(OUTSIDE),
)
