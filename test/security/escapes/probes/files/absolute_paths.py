"""Absolute paths of the host: secrets beside the workspace, in the home folder, and of the system."""

import os

from bait import HOME, OUTSIDE, ROOT, SIBLING, loot, read

_PATHS = [OUTSIDE + "/secret.txt", SIBLING + "/secret.txt", HOME + "/.secret", ROOT + "/../outside/secret.txt", ROOT + "-other/secret.txt"]
_PATHS += ["/etc/passwd", "/etc/hostname", "/etc/shadow"]
got = loot(
    *[lambda p=p: read(p) for p in _PATHS], lambda: [n for n in os.listdir("/etc")], lambda: os.stat(OUTSIDE + "/secret.txt").st_size
)
