"""Recursion without end, in Python, in C and with the limit lifted."""

import json
import sys


def _down(n):
    return _down(n + 1) + 1


def _nested():
    value = []
    for _ in range(200_000):
        value = [value]
    return value


for _call in (lambda: _down(0), lambda: repr(_nested()), lambda: json.dumps(_nested())):
    try:
        _call()
    except RecursionError:
        continue
sys.setrecursionlimit(10**9)
try:
    _down(0)
except RecursionError:
    pass
