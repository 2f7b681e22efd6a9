"""Asks for the job a second time, over a descriptor of its own: it must say nothing of the host that the first did not."""

import json

import _wire
from bait import canaries

_header, _ = _wire.ask({"call": "job"})
_found = canaries(json.dumps(_header))
got = _found if isinstance(_found, list) else None
