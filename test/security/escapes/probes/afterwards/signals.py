"""Handlers of signals and timers that would run later, inside whatever the host does then."""

import json
import signal

from bait import OUTSIDE, loot, read


def _late(*_):
    found = loot(lambda: read(OUTSIDE + "/secret.txt"))
    if found:
        print("@escape " + json.dumps({"probe": "signals", "got": repr(found), "error": None}), flush=True)


for _number in (signal.SIGINT, signal.SIGALRM, signal.SIGTERM, signal.SIGUSR1):
    try:
        signal.signal(_number, _late)
    except (OSError, ValueError):
        continue
loot(lambda: signal.setitimer(signal.ITIMER_REAL, 0.01), lambda: signal.alarm(1), lambda: signal.raise_signal(signal.SIGALRM))
