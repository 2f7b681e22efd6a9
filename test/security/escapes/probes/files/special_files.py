"""Opens what would block or never end: a named pipe of the workspace, links to /dev/zero and to a terminal."""

from bait import loot, read

got = loot(*[lambda p=p: read(p, 64) for p in ("pipe", "link-zero", "link-tty", "link-loop")])
