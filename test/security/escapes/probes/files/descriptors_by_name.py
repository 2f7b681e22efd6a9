"""Descriptors of the host under /dev/fd and /proc/self/fd. The interpreter's own 0 to 2 are its terminal."""

from bait import loot, read

got = loot(
    *[lambda n=n: read(f"/dev/fd/{n}", 64) for n in range(3, 40)],
    *[lambda n=n: read(f"/proc/self/fd/{n}", 64) for n in range(10, 40)],
    lambda: read("/dev/stdin", 64),
)
