"""A pytest plugin that holds kernels to their times: `pytest -p nki_scope.pytest_plugin`.

The fixture `nki_budget` profiles a kernel and fails the test if it breaks its budget. Baselines are stored in one file, in the format of
`check` of the command line; `pytest --nki-scope-update` writes those of the tests that it ran.
"""

from __future__ import annotations

import json
import os
from typing import Any, Callable, Dict, Optional

import pytest

from .profiles import Profile, profile

_FILE = "nki-scope-baseline.json"
_BASELINES = pytest.StashKey[Dict[str, Any]]()


def pytest_addoption(parser: Any) -> None:
    """Options of the command line."""
    group = parser.getgroup("nki-scope", "budgets of NKI kernels")
    group.addoption("--nki-scope-baseline", metavar="FILE", help=f"the file of stored times ({_FILE} in the root folder)")
    group.addoption("--nki-scope-update", action="store_true", help="store the times of now, and hold no kernel against older ones")


def pytest_configure(config: Any) -> None:
    """Reads the stored times."""
    try:
        with open(_place(config), encoding="utf-8") as file:
            config.stash[_BASELINES] = json.load(file)
    except FileNotFoundError:
        config.stash[_BASELINES] = {}


def pytest_sessionfinish(session: Any) -> None:
    """Writes the stored times, if they are to be."""
    config = session.config
    if config.getoption("--nki-scope-update"):
        with open(_place(config), "w", encoding="utf-8") as file:
            json.dump(config.stash[_BASELINES], file, indent=2, sort_keys=True, ensure_ascii=False)
            file.write("\n")


@pytest.fixture
def nki_budget(request: Any) -> Callable[..., Profile]:
    """`nki_budget(kernel, *args, max_us=…, max_slower_percent=…, no_new_warnings=True)`: profiles the kernel, fails the test where a limit
    is broken, and returns the profile. `name` tells several calls of one test apart."""

    def hold(
        kernel: Any,
        *args: Any,
        max_us: Optional[float] = None,
        max_slower_percent: Optional[float] = None,
        no_new_warnings: bool = False,
        name: str = "",
        target: Optional[str] = None,
        **kwargs: Any,
    ) -> Profile:
        found = profile(kernel, *args, target=target, **kwargs)
        stored = request.config.stash[_BASELINES]
        key = " ".join(filter(None, [request.node.nodeid, name]))
        if request.config.getoption("--nki-scope-update"):
            stored[key] = found.baseline
        limits = {"maxUs": max_us, "maxSlowerPercent": max_slower_percent, "noNewWarnings": no_new_warnings or None}
        faults = found.faults(stored.get(key), **{limit: value for limit, value in limits.items() if value is not None})
        for fault in faults:
            if fault["rule"] == "no-baseline":
                fault["message"] = "no time is stored for it: run pytest with --nki-scope-update and commit what it writes"
        if faults:
            pytest.fail(
                "\n".join(f"{fault['file']}:{fault['line']}: {fault['rule']}: {fault['message']}" for fault in faults), pytrace=False
            )
        return found

    return hold


def _place(config: Any) -> str:
    return os.path.join(str(config.rootpath), config.getoption("--nki-scope-baseline") or _FILE)
