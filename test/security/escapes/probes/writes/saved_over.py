"""Saves profiles over what is there: a file that is none, a link to the outside, a link that leads nowhere, a folder, a pipe."""

import _kernel
from bait import loot

from nki._record.wire import host

_kernel.run()
_NAMES = ["not-ours", "linked", "dangling", "folder", "piped"]


def _save(name):
    return host.call({"call": "saveProfile", "name": name})[0]["path"]


got = loot(*[lambda n=n: _save(n) for n in _NAMES])
