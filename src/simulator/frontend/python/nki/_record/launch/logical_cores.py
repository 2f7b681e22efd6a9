"""The degree of a logical NeuronCore (LNC): on how many physical cores a kernel of today's dialect is launched, 1 or 2.

The brackets of a call say it, or the environment for all kernels; the two agree. Source: nki/get-started/about/lnc and
compiler/error-codes/EVRF066 of NKI 0.7.
"""

from __future__ import annotations

import os
from typing import Optional, Tuple

from ..program import cores
from ..vocabulary.errors import NkiValidationError

_VARIABLE = "NEURON_LOGICAL_NC_CONFIG"


def grid(kernel: str, given: Tuple[int, ...]) -> Tuple[int, ...]:
    """The launch grid of a kernel. `given`: in brackets, () without. NkiValidationError where the two ways disagree."""
    if len(given) > 1:
        raise NkiValidationError(
            f"{kernel}[{', '.join(map(str, given))}]: the brackets of a launch hold one number, the physical cores that the kernel runs on"
        )
    degree = _of_environment()
    if degree is None:
        return given
    if given and given[0] != degree:
        raise NkiValidationError(
            f"NKI kernel '{kernel}' is configured with LNC={given[0]}, but neuronx-cc is using LNC={degree} ({_VARIABLE}): "
            f"launch it with {kernel}[{degree}](...) or without brackets"
        )
    return given or ((degree,) if degree > 1 else ())


def _of_environment() -> Optional[int]:
    text = os.environ.get(_VARIABLE, "").strip()
    if text == "":
        return None
    if text not in map(str, range(1, cores.MOST + 1)):
        raise NkiValidationError(f"{_VARIABLE}={text}: a logical NeuronCore has 1 or {cores.MOST} physical cores")
    return int(text)
