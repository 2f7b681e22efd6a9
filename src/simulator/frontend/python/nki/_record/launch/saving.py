"""What `nki.profile` and its like save: the options of the decorator, the names of the files, and what the user is told of it.

On a device the decorator executes the kernel `profile_nth` times and keeps the trace of the last. Simulated executions of a call are
all the same, so one is made; its profile has the name that the trace of the n-th would have.
Of a call on several ranks each rank has a profile.
Source: aws-neuron-sdk nki/api/generated/nki.profile.html; nki/neuron_profile_for_nki.rst for `profile_exec_2.ntff`; the captures of several
workers are `profile_rank_0.ntff` and, of the n-th execution, `profile_rank_0_exec_2.ntff` (nki-library, test utilities of the profiler).
"""

from __future__ import annotations

import operator
import os
from typing import Any, Dict, List, NamedTuple

from ..vocabulary.errors import HostError
from ..wire import host

_TRACE_NAME = "profile.ntff"


class ProfileOptions(NamedTuple):
    """Of the decorator."""

    #: Of the file, and of the execution that is kept: behind what tells the ranks apart.
    stem: str
    end: str
    #: Absolute; "": none was given.
    folder: str
    overwrite: bool


def asked(options: Dict[str, Any]) -> ProfileOptions:
    """From the keywords of `nki.profile`. ValueError for those that it refuses."""
    folder = os.fspath(options.get("working_directory") or "")
    if folder and not os.path.isabs(folder):
        raise ValueError(f"nki.profile: working_directory {folder!r} is not an absolute path")
    try:
        nth = operator.index(options.get("profile_nth", 1))
    except TypeError:
        nth = 0
    if nth < 1:
        raise ValueError(f"nki.profile: profile_nth is the number of an execution, from 1, not {options['profile_nth']!r}")
    stem, extension = os.path.splitext(os.path.basename(options.get("save_trace_name") or _TRACE_NAME))
    return ProfileOptions(stem, f"_exec_{nth}{extension}" if nth > 1 else extension, folder, bool(options.get("overwrite", False)))


def save(options: ProfileOptions, ranks: int) -> List[str]:
    """Has the profiles of the last call saved, which was on so many ranks. What the user must know of it."""
    return [said for said in (_save(options, request) for request in _requests(options.stem, options.end, ranks)) if said]


def save_beside(trace_name: str, ranks: int) -> None:
    """The same beside the script, under the name of a trace."""
    for request in _requests(*os.path.splitext(os.path.basename(trace_name)), ranks):
        host.call(request)


def _requests(stem: str, end: str, ranks: int) -> List[Dict[str, Any]]:
    if ranks == 1:
        return [{"call": "saveProfile", "name": stem + end}]
    return [{"call": "saveProfile", "name": f"{stem}_rank_{rank}{end}", "rank": rank} for rank in range(ranks)]


def _save(options: ProfileOptions, request: Dict[str, Any]) -> str:
    """ "" where the file is where it was wanted."""
    if not options.folder:
        host.call(request)
        return ""
    try:
        path = host.call({**request, "folder": options.folder, "overwrite": options.overwrite})[0]["path"]
    except HostError as refused:
        if refused.kind != "SaveError":
            raise
        return f"nki.profile: {refused}"
    if os.path.normpath(os.path.dirname(path)) == os.path.normpath(options.folder):
        return ""
    return f"nki.profile: saved as {path}. This run may not write to {options.folder}; capture --save-profiles {options.folder} lets it"
