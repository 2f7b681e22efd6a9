"""`sbuf` and `hbm`: names that every kernel of today's dialect has without an import. They are keywords of NKI.

Source: aws-neuron-sdk from 2.27 to 2.28, nki/get-started/quickstart-implement-run-kernel.rst: "The sbuf keyword is available in any NKI
kernel", and hbm likewise. No document has psum as one.
"""

from __future__ import annotations

import builtins
from contextlib import contextmanager
from typing import Iterator

from ..tensors.memory import MemoryRegion

_KEYWORDS = {"sbuf": MemoryRegion.sbuf, "hbm": MemoryRegion.hbm}


@contextmanager
def known(dialect: str) -> Iterator[None]:
    """Kernels of this dialect find their keywords meanwhile: among Python's builtins, so that names of the user's own come first.

    Names that are there already stay as they are.
    """
    names = vars(builtins)
    added = {name: memory for name, memory in _KEYWORDS.items() if dialect == "nki" and name not in names}
    names.update(added)
    try:
        yield
    finally:
        for name in added:
            names.pop(name, None)  # the kernel may have deleted it
