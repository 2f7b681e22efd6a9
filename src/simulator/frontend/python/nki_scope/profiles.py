"""Profiles of kernels: how long one takes, and on which lines.

The engine is a process that the first call starts. It is used for all further calls and ends with this process.
"""

from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Tuple

from nki._record.launch import kernels as _kernels
from nki._record.wire import host as _host

from . import notebook as _notebook


def profile(kernel: Any, *args: Any, target: Optional[str] = None, **kwargs: Any) -> Profile:
    """Runs `kernel` (a kernel, a plain function, or `kernel[grid]`) and returns its profile. Values are not computed.

    Arguments are arrays of NumPy or torch, `nki.typing.tensor[[128, 512], nl.float32]` where only shape and dtype matter, and plain values.
    `target`: trn1, trn2 or trn3; else the kernel's own, else NEURON_PLATFORM_TARGET_OVERRIDE, else trn2.
    Raises what the kernel raises, with the kernel's own lines.
    """
    _on(kernel, target).run_on_ranks([(args, kwargs)], fetch=False)
    return Profile(_host.call({"call": "profile", "rank": 0})[1])


def simulate(kernel: Any, *args: Any, target: Optional[str] = None, **kwargs: Any) -> Any:
    """Runs `kernel` as `profile` does, computes its values and returns its results, in the library of its arguments."""
    return _on(kernel, target).run_on_ranks([(args, kwargs)])[0].results


def _on(kernel: Any, target: Optional[str]) -> _kernels.Kernel:
    """The kernel with a target of its own."""
    known = _kernels.simulate("nki", kernel)
    options = known.options if target is None else {**known.options, "platform_target": target}
    return _kernels.Kernel(known.func, known.dialect, options, known.grid)


class Profile:
    """A profiled kernel call. It can be pickled: it is the profile itself, and asks the engine about it when it is asked."""

    def __init__(self, container: bytes) -> None:
        """`container`: of `profile` or `load`."""
        self._container = container
        self._answers: Dict[str, Any] = {}

    @classmethod
    def load(cls, path: Any) -> Profile:
        """A profile that `save` or `capture` wrote. OSError, and nki's HostError for a file that is none."""
        with open(path, "rb") as file:
            return cls(_host.call({"call": "ask", "about": "read"}, file.read())[1])

    @property
    def kernel(self) -> str:
        """Its name."""
        return str(self._summary["kernel"])

    @property
    def target(self) -> str:
        """The machine: trn1, trn2 or trn3."""
        return str(self._summary["target"])

    @property
    def total_ns(self) -> float:
        """Modelled time of the whole kernel, in nanoseconds."""
        return float(self._summary["total_ns"])

    @property
    def body_ns(self) -> float:
        """The same without start-up and tear-down."""
        return float(self._summary["body_ns"])

    @property
    def interval(self) -> Optional[Tuple[float, float]]:
        """Within which the total is likely to be on hardware, in nanoseconds. None where no published times say so."""
        found = self._summary["interval"]
        return None if found is None else (float(found[0]), float(found[1]))

    @property
    def bound(self) -> List[str]:
        """What bounds its time, in sentences."""
        return list(self._summary["bound"])

    @property
    def inputs(self) -> List[Dict[str, Any]]:
        """Name, dtype and shape of each tensor it was called with."""
        return list(self._summary["inputs"])

    @property
    def warnings(self) -> List[Dict[str, Any]]:
        """What costs time: title, message, advice, file, line."""
        return list(self._summary["warnings"])

    @property
    def lines(self) -> Any:
        """Per source line, the hottest first: file, line, text, instructions, time_ns, share, engines, stalls, dma_bytes. A DataFrame where
        pandas is installed, else a list of dictionaries."""
        records = self.line_records
        try:
            import pandas
        except ImportError:
            return records
        return pandas.DataFrame.from_records(records)

    @property
    def line_records(self) -> List[Dict[str, Any]]:
        """`lines` as a list of dictionaries, with or without pandas."""
        return list(self._ask("lines")["lines"])

    @property
    def advice(self) -> List[Dict[str, Any]]:
        """Changes that were tried in the model, what gains most first: rule, title, file, line, gain_ns, gain_percent, reason, edit and
        more."""
        return list(self._ask("advice")["advice"])

    @property
    def files(self) -> Dict[str, str]:
        """SHA-256 of each source file that it ran, by path."""
        return {file["path"]: file["sha256"] for file in self._summary["files"]}

    def save(self, path: Any) -> str:
        """Writes a .nkiprof file, which the editor and `view` open. Returns its path."""
        data = _host.call({"call": "ask", "about": "file"}, self._container)[1]
        with open(path, "wb") as file:
            file.write(data)
        return os.fspath(path)

    def view(self, open_browser: bool = True) -> str:
        """Serves the timeline on this machine until this process ends, and shows it in the browser. Returns its address."""
        from .viewer import serve

        return serve(self.save, self.kernel, open_browser)

    def is_slower(self, baseline_ns: float, percent: float = 0.0) -> bool:
        """Whether it takes more than `percent` more than `baseline_ns`, and by more than the model can tell apart."""
        return bool(self.faults({"total_time_ns": baseline_ns, "warnings": []}, maxSlowerPercent=percent))

    def faults(self, baseline: Optional[Dict[str, Any]] = None, **budget: Any) -> List[Dict[str, Any]]:
        """How it breaks a budget, none where it keeps it: rule, message, file, line. `budget`: maxUs, maxSlowerPercent, noNewWarnings, as
        `check` of the command line has them. `baseline`: what `baseline` was. nki's HostError for a budget that cannot be read."""
        given = {**budget, "baseline": baseline}
        return list(_host.call({"call": "ask", "about": "budget", "given": given}, self._container)[0]["faults"])

    @property
    def baseline(self) -> Dict[str, Any]:
        """What later profiles are held against: total_time_ns and warnings."""
        return self._ask("baseline")

    @property
    def picture(self) -> str:
        """A small timeline: an SVG with a row per busy engine and one for DMA."""
        return str(self._ask("picture")["svg"])

    def __repr__(self) -> str:
        """`<profile of softmax on trn2: 48.6 µs>`."""
        return f"<profile of {self.kernel} on {self.target}: {self.total_ns / 1000:.1f} µs>"

    def _repr_html_(self) -> str:
        """For notebooks."""
        return _notebook.html(self.kernel, self.target, self.total_ns, self.interval, self.line_records, self.picture)

    def __getstate__(self) -> Dict[str, Any]:
        """Of pickle: without the answers."""
        return {"_container": self._container, "_answers": {}}

    @property
    def _summary(self) -> Dict[str, Any]:
        return self._ask("summary")

    def _ask(self, about: str) -> Dict[str, Any]:
        if about not in self._answers:
            self._answers[about] = _host.call({"call": "ask", "about": about}, self._container)[0]
        found: Dict[str, Any] = self._answers[about]
        return found
