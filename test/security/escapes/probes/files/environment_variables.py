"""The environment of the host process, as Python keeps it and as C does."""

import os

from bait import builtin, canaries, loot


def _seen(values):
    return [found for value in values if isinstance(found := canaries(value), list)]


got = loot(
    lambda: _seen(os.environ.values()),
    lambda: _seen(builtin("posix").environ.values()),
    lambda: os.getenv("NKI_CANARY"),
    lambda: os.path.expandvars("$NKI_CANARY") != "$NKI_CANARY",
    lambda: _seen(str(v) for v in __import__("sysconfig").get_config_vars().values()),
    lambda: _seen([os.path.expanduser("~"), os.getcwd(), *__import__("sys").orig_argv]),
)
