"""Replaces functions of our own front end, which run after the kernel: they must find nothing that a kernel does not."""

import json
import sys

from bait import OUTSIDE, is_proxy, loot, read

from nki._record.launch import reports
from nki._record.wire import host

_kept = host.call


def _called(header, payload=b""):
    frame, held = sys._getframe(), []
    while frame:
        held += [name for name, value in frame.f_locals.items() if is_proxy(value)]
        frame = frame.f_back
    found = loot(lambda: read(OUTSIDE + "/secret.txt"), lambda: held)
    if found:
        print("@escape " + json.dumps({"probe": "patched_front_end", "got": repr(found), "error": None}), flush=True)
    return _kept(header, payload)


host.call = _called
reports.kernel_infos = lambda: [{"name": "forged", "line": 1, "params": []}]
