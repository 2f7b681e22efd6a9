"""The frames of an exception that host code raised: their globals, and the exception's own attributes."""

import os

from bait import ROOT, is_proxy


def _raised(call):
    try:
        call()
    except BaseException as error:
        return error
    return None


_errors = [_raised(lambda: os.open(ROOT + "/missing", 0)), _raised(lambda: __import__("js")), _raised(lambda: os.system("id"))]
_found = []
for _error in filter(None, _errors):
    _found += [name for name in dir(_error) if is_proxy(getattr(_error, name, None))]
    _place = _error.__traceback__
    while _place:
        _all = {**_place.tb_frame.f_globals, **_place.tb_frame.f_locals}
        _found += [name for name, value in _all.items() if is_proxy(value)]
        _place = _place.tb_next
got = _found or None
