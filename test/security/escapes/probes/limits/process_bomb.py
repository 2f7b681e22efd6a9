"""Processes, threads and interpreters in a loop."""

import os
import threading

from bait import builtin

got = None
for _make in (os.fork, lambda: threading.Thread(target=print).start(), lambda: builtin("posix").fork()):
    for _ in range(100):
        try:
            got = got or _make()
        except BaseException:
            break
