"""Modules that look into processes: `_remote_debugging`, `sys.remote_exec`, `faulthandler`, `_testinternalcapi`."""

import os
import sys

from bait import OUTSIDE, builtin, loot

got = loot(
    lambda: sys.remote_exec(os.getppid(), OUTSIDE + "/script.py") or "remote_exec",
    lambda: builtin("_remote_debugging").RemoteUnwinder(os.getppid()),
    lambda: builtin("_remote_debugging").RemoteUnwinder(1),
)
