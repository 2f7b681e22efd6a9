"""The other ways of `posix` and `_posixsubprocess` to start and signal processes, made anew."""

from bait import OUTSIDE, builtin, loot

_posix = builtin("posix")
_ARGUMENTS = ["sh", "-c", f"touch {OUTSIDE}/process"]
got = loot(
    lambda: _posix.fork() and "fork",
    lambda: _posix.posix_spawn("/bin/sh", _ARGUMENTS, {}) and "spawn",
    lambda: _posix.execv("/bin/sh", _ARGUMENTS),
    lambda: builtin("_posixsubprocess").fork_exec is None,
)
