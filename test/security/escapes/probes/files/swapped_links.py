"""Opens a file and a folder that another process swaps with links to the outside all the time: between look and open."""

import os
import time

from bait import canaries


def _look(path):
    try:
        number = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        data = os.read(number, 200)
    except OSError:
        return None
    finally:
        os.close(number)
    return canaries(data) if b"canary" in data else None


got = None
_end = time.time() + 3
while got is None and time.time() < _end:
    got = _look("swap/file.txt") or _look("swap/folder/secret.txt")
