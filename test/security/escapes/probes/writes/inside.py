"""Writes into the workspace: every mode of `open`, and every call that changes a folder."""

import os

from bait import loot

got = loot(
    *[lambda m=m: open("keep.txt", m).close() or m for m in ("w", "a", "r+", "w+", "wb", "ab")],
    *[
        lambda f=f: os.close(os.open("keep.txt", f)) or f
        for f in (os.O_WRONLY, os.O_RDWR, os.O_RDONLY | os.O_TRUNC, os.O_RDONLY | os.O_APPEND | 1)
    ],
    lambda: open("made.txt", "x").close() or "x",
    lambda: os.mkdir("made") or "mkdir",
    lambda: os.makedirs("sub/made") or "makedirs",
    lambda: os.rename("keep.txt", "kept.txt") or "rename",
    lambda: os.replace("/tmp/bait", "keep.txt") or "replace",
    lambda: os.remove("keep.txt") or "remove",
    lambda: os.rmdir("sub") or "rmdir",
    lambda: os.symlink("/etc", "made-link") or "symlink",
    lambda: os.link("keep.txt", "made-link") or "link",
    lambda: os.truncate("keep.txt", 0) or "truncate",
    lambda: os.chmod("keep.txt", 0) or "chmod",
    lambda: os.utime("keep.txt", (0, 0)) or "utime",
    lambda: os.ftruncate(os.open("keep.txt", os.O_RDONLY), 0) or "ftruncate",
    lambda: os.fchmod(os.open("keep.txt", os.O_RDONLY), 0) or "fchmod",
    lambda: os.write(os.open("keep.txt", os.O_RDONLY), b"x"),
    lambda: os.pwrite(os.open("keep.txt", os.O_RDONLY), b"x", 0),
    lambda: os.posix_fallocate(os.open("keep.txt", os.O_RDONLY), 0, 100) or "fallocate",
)
