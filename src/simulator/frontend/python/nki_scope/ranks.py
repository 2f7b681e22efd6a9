"""A kernel on several ranks, each with arguments of its own."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence

from nki._record.launch import kernels as _kernels


def on_ranks(kernel: Any, arguments: Sequence[Dict[str, Any]]) -> List[Any]:
    """Runs `kernel` (a kernel, or `kernel[grid]`) on as many ranks as there are dictionaries, which hold each rank's own arguments
    by name. Returns each rank's results."""
    if isinstance(arguments, dict) or not arguments:
        raise TypeError("on_ranks: arguments takes a list with a dictionary for each rank")
    ranks = [((), dict(own)) for own in arguments]
    called = _kernels.simulate("nki", kernel)
    return [ran.results for ran in called.ended(called.run_on_ranks(ranks))]
