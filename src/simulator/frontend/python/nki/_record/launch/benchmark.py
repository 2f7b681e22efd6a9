"""The latency table of `nki.benchmark`, and the object that holds the numbers.

One simulated run: every percentile is the same. L, the latency with transfers between host and device, is not modelled and
prints as N/A; so does %USER, as on hardware. Layout as neuron-bench prints it.
"""

from __future__ import annotations

from typing import List

_FILE_WIDTH = 80
_PERCENTILES = (0, 1, 10, 25, 50, 90, 99, 100)


class Latency:
    """Latency of the device, as `benchmark_result.nc_latency`."""

    def __init__(self, microseconds: int) -> None:
        """One number for every percentile."""
        self._microseconds = microseconds

    def get_latency_percentile(self, percentile: int) -> int:
        """Microseconds. ValueError for a percentile that neuron-bench does not have."""
        if percentile not in _PERCENTILES:
            raise ValueError(f"percentile {percentile}: there are {', '.join(map(str, _PERCENTILES))}")
        return self._microseconds


class BenchmarkResult:
    """`kernel.benchmark_result`."""

    def __init__(self, microseconds: int) -> None:
        """`microseconds`: NCL, latency on the NeuronCore."""
        self.nc_latency = Latency(microseconds)


def text(ncl_us: int, neff_name: str) -> str:
    """The table. `ncl_us`: latency on the NeuronCore in microseconds."""
    rate = f"{1e6 / ncl_us:.2f}" if ncl_us else "N/A"
    columns = {
        "B": "1",
        "NC": "1",
        "NC USED": "1",
        "WEIGHTS": "dynamic",
        "MODE": "LIBMODE",
        "INF/S": rate,
        "IRES/S": rate,
        **{f"L({percentile})": "N/A" for percentile in (1, 50, 99)},
        **{f"NCL({percentile})": str(ncl_us) for percentile in (1, 50, 99)},
        "%USER": "N/A",
    }
    widths = [max(len(name), len(value)) for name, value in columns.items()]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    name = neff_name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return "\n".join(["", name.ljust(_FILE_WIDTH), rule, _line(list(columns), widths), _line(list(columns.values()), widths), rule])


def _line(cells: List[str], widths: List[int]) -> str:
    return "".join(f"  {cell.ljust(width)} " for cell, width in zip(cells, widths)) + " "
