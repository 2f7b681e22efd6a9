"""Signals to the process by every number that it could have, with functions made anew."""

from bait import builtin, loot

_posix = builtin("posix")
got = loot(
    lambda: _posix.kill(1, 9) or "killed 1", lambda: _posix.kill(_posix.getppid(), 9) or "killed the parent", lambda: _posix.killpg(0, 9)
)
