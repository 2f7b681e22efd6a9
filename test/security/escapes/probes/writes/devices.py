"""The devices of the interpreter: writes to each, then makes new ones, pipes and terminals."""

import os

from bait import loot

got = loot(
    lambda: open("/dev/stdin", "w").write("x") and None,
    lambda: open("/dev/tty", "w").write("x") and None,
    lambda: os.open("/dev/tty1", os.O_WRONLY) and None,
    lambda: os.mkfifo("made-pipe") or "mkfifo",
    lambda: os.mknod("made-node", 0o20666, 0) or "mknod",
    lambda: os.openpty(),
    lambda: os.mkfifo("/dev/made") or "mkfifo in /dev",
)
