"""The degree of a logical NeuronCore (LNC): on how many physical cores a kernel of today's dialect is launched, 1 or 2.

The brackets of a call say it, or the environment for all kernels; the two agree, also with what `neuronx-cc` is told by its flags.
Source: nki/get-started/about/lnc and compiler/error-codes/EVRF066 of NKI 0.7.
"""

from __future__ import annotations

import os
import re
from typing import Optional, Tuple

from ..program import cores
from ..vocabulary.errors import NkiValidationError

_VARIABLE = "NEURON_LOGICAL_NC_CONFIG"
_FLAGS = "NEURON_CC_FLAGS"
_FLAG = re.compile(r"--lnc[= ](\S+)")


def grid(kernel: str, given: Tuple[int, ...]) -> Tuple[int, ...]:
    """The launch grid of a kernel. `given`: in brackets, () without. NkiValidationError where the two ways disagree."""
    if len(given) > 1:
        raise NkiValidationError(
            f"{kernel}[{', '.join(map(str, given))}]: the brackets of a launch hold one number, the physical cores that the kernel runs on"
        )
    degree = _degree(_VARIABLE, os.environ.get(_VARIABLE, "").strip())
    if degree is not None and given and given[0] != degree:
        raise _disagreement(kernel, given[0], degree, _VARIABLE, f"launch it with {kernel}[{degree}](...) or without brackets")
    launched = given or ((degree,) if degree is not None and degree > 1 else ())
    flag = _FLAG.search(os.environ.get(_FLAGS, ""))
    compiled = _degree(f"{_FLAGS} --lnc", flag[1] if flag else "")
    own = launched[0] if launched else 1
    if compiled is not None and own != compiled:
        raise _disagreement(kernel, own, compiled, _FLAGS, f"set {_VARIABLE}={compiled}, and leave --lnc out")
    return launched


def _disagreement(kernel: str, own: int, compiled: int, where: str, advice: str) -> NkiValidationError:
    return NkiValidationError(
        f"NKI kernel '{kernel}' is configured with LNC={own}, but neuronx-cc is using LNC={compiled} ({where}): {advice}"
    )


def _degree(where: str, text: str) -> Optional[int]:
    if text == "":
        return None
    if text not in map(str, range(1, cores.MOST + 1)):
        raise NkiValidationError(f"{where}={text}: a logical NeuronCore has 1 or {cores.MOST} physical cores")
    return int(text)
