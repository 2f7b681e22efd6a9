"""Makes links in its own memory files that name host paths, and opens them."""

import os

from bait import OUTSIDE, ROOT, loot, read


def _link(target, name):
    os.symlink(target, "/tmp/" + name)
    return read("/tmp/" + name)


got = loot(
    lambda: _link(OUTSIDE + "/secret.txt", "a"),
    lambda: _link(ROOT + "/../outside/secret.txt", "b"),
    lambda: _link("/proc/self/environ", "c"),
    lambda: _link(ROOT + "/link-file", "d"),
    lambda: os.link(ROOT + "/link-file", "/tmp/e") or read("/tmp/e"),
)
