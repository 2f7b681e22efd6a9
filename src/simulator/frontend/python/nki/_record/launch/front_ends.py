"""`NKI_COMPILER_FRONTEND`: which front end of AWS's compiler reads a kernel. Here kernels are traced, as in NKI 0.7 by default.

Source: release-notes/components/nki of NKI 0.7 (`custom`); aws-neuron/neuron-agentic-development (`parser`, `tracer`).
"""

from __future__ import annotations

import os

from ..vocabulary import versions
from ..vocabulary.errors import NkiUnsupportedError

_VARIABLE = "NKI_COMPILER_FRONTEND"
#: Names of the front end that reads a kernel's source, the only one up to NKI 0.5.
_OF_SOURCE = ("custom", "parser")


def check() -> None:
    """NkiUnsupportedError where a kernel is to be read as before NKI 0.7, with how to have the rules of then."""
    chosen = os.environ.get(_VARIABLE, "").strip()
    if chosen in _OF_SOURCE and versions.is_at_least("0.7"):
        raise NkiUnsupportedError(
            f"{_VARIABLE}={chosen} is not supported: kernels of NKI 0.7 are traced here. For the rules of the front end before, run the "
            f"kernel as one of NKI 0.6 ({versions.chosen_by('0.6')})"
        )
