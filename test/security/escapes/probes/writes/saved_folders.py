"""Saves a profile in folders that the user has not named."""

import os

import _kernel
from bait import OUTSIDE, loot

from nki._record.wire import host

_kernel.run()
_HERE = os.path.dirname(os.path.abspath(__file__))
_FOLDERS = [
    OUTSIDE,
    os.path.join(_HERE, ".."),
    os.path.join(_HERE, "sub"),
    os.path.join(_HERE, "link-folder"),
    "/",
    "/tmp",
    "~",
    "../..",
    "",
    "\0",
]
_FOLDERS += [[OUTSIDE], {"toString": 1}, 7, True, "/" + "x" * 5000]


def _save(folder):
    path = host.call({"call": "saveProfile", "name": "saved", "folder": folder, "overwrite": True})[0]["path"]
    # beside the script is what it is for
    return path if os.path.dirname(path) != _HERE else None


got = loot(*[lambda folder=folder: _save(folder) for folder in _FOLDERS])
