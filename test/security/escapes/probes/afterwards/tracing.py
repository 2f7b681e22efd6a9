"""Trace, profile and audit hooks that go on in the frames of the host's Python after the kernel has ended."""

import json
import sys

from bait import is_proxy

_told = []


def _look(frame, where):
    try:
        held = [name for name, value in {**frame.f_globals, **frame.f_locals}.items() if is_proxy(value)]
    except Exception:
        return
    if held and not _told:
        _told.append(where)
        print("@escape " + json.dumps({"probe": "tracing", "got": f"{where}: {held}", "error": None}), flush=True)


def _traced(frame, event, _):
    _look(frame, event)
    return _traced


def _audited(event, _):
    # asking for a frame is an event as well
    if event == "sys._getframe" or _told:
        return
    frame = sys._getframe()
    while frame and not _told:
        _look(frame, event)
        frame = frame.f_back


sys.addaudithook(_audited)
sys.setprofile(_traced)
sys.settrace(_traced)
_frame = sys._getframe()
while _frame:
    _frame.f_trace = _traced
    _frame = _frame.f_back
