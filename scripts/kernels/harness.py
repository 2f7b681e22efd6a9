"""What a driver of a published kernel is: which file and function, on which target, and a function that calls it.

A driver's function takes the imported module and a seeded NumPy generator and returns (what the kernel gave, what it should be),
arrays or sequences of arrays. The kernels themselves are not ours and not here: `run.py` is given a checkout.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

Arrays = Any
Call = Callable[[Any, np.random.Generator], Tuple[Arrays, Arrays]]


@dataclass(frozen=True)
class Driver:
    """One way to call one kernel, in small shapes."""

    file: str  # inside the checkout
    kernel: str
    case: str
    call: Call
    target: str
    tolerance: float  # of the largest expected magnitude


#: Every driver, in the order of the table.
DRIVERS: List[Driver] = []


def driver(file: str, *kernels: str, target: str = "trn2", tolerance: float = 1e-5, case: str = "", also: Sequence[str] = ()) -> Any:
    """Registers a function as the driver of `kernels` in `file` (and in the files `also`). With several kernels it takes the name third."""

    def register(call: Any) -> Any:
        for path in (file, *also):
            for kernel in kernels:
                bound: Call = call if len(kernels) == 1 else _named(call, kernel)
                DRIVERS.append(Driver(path, kernel, case, bound, target, tolerance))
        return call

    return register


def _named(call: Callable[[Any, np.random.Generator, str], Tuple[Arrays, Arrays]], kernel: str) -> Call:
    return lambda module, random: call(module, random, kernel)


#: Kernels without a driver, and why: (file, kernel or "*") -> (status, reason).
_WITHOUT: Dict[Tuple[str, str], Tuple[str, str]] = {}


def refused(reason: str, file: str, *kernels: str) -> None:
    """Says why kernels of a file (or all of it) cannot run here."""
    for kernel in kernels or ("*",):
        _WITHOUT[(file, kernel)] = ("refused", reason)


def part_of(whole: str, file: str, *kernels: str) -> None:
    """Says that functions of a file run, and are compared, as part of another kernel's driver."""
    for kernel in kernels or ("*",):
        _WITHOUT[(file, kernel)] = ("part", f"run by {whole}")


def without_driver(file: str, kernel: str) -> Tuple[str, str]:
    """(status, reason) of a kernel that no driver calls."""
    return _WITHOUT.get((file, kernel)) or _WITHOUT.get((file, "*")) or ("not driven", "nobody has written a driver yet")


def difference(got: Arrays, wanted: Arrays, tolerance: float) -> Tuple[Optional[str], float]:
    """What differs (None when they agree), and the largest error, each in parts of its result's largest value."""
    pairs = list(zip(_listed(got), _listed(wanted)))
    if len(_listed(got)) != len(_listed(wanted)):
        return f"{len(_listed(got))} results, {len(_listed(wanted))} expected", float("nan")
    largest = 0.0
    for number, (one, other) in enumerate(pairs):
        a, b = np.asarray(one).astype(np.float64), np.asarray(other).astype(np.float64)
        if a.shape != b.shape:
            return f"result {number} has shape {a.shape}, expected {b.shape}", float("nan")
        scale = max(float(np.max(np.abs(b), initial=0.0)), 1e-30)
        worst = float(np.max(np.abs(a - b), initial=0.0)) / scale
        if not worst <= tolerance:
            return f"result {number} differs by {worst:.2g} of its largest value (allowed {tolerance:g})", worst
        largest = max(largest, worst)
    return None, largest


def _listed(value: Arrays) -> List[Any]:
    return list(value) if isinstance(value, (tuple, list)) else [value]


@contextmanager
def through(module: Any, *names: str) -> Iterator[None]:
    """Holds that `module` calls each of these functions meanwhile, which it finds among its globals."""
    calls = dict.fromkeys(names, 0)

    def watched(name: str, function: Any) -> Any:
        def counted(*arguments: Any, **named: Any) -> Any:
            calls[name] += 1
            return function(*arguments, **named)

        return counted

    for name in names:
        setattr(module, name, watched(name, getattr(module, name)))
    yield
    assert all(calls.values()), f"not called: {[name for name, count in calls.items() if not count]}"
