"""Symbolic links of the workspace that lead out: to a file, to a folder, through another link, absolute, to /proc."""

import os

from bait import loot, read

_PATHS = [
    "link-file",
    "link-absolute",
    "link-chain",
    "link-folder/secret.txt",
    "link-proc/environ",
    "link-proc/cmdline",
    "link-root/etc/passwd",
]
_PATHS += ["sub/link-up/secret.txt", "link-sibling"]
got = loot(
    *[lambda p=p: read(p) for p in _PATHS],
    *[lambda p=p: os.listdir(p) for p in ("link-folder", "link-proc", "link-root", "sub/link-up")],
    *[lambda p=p: os.stat(p).st_size for p in _PATHS],
    *[lambda p=p: os.readlink(p) for p in _PATHS],
)
