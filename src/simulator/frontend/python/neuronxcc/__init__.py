"""The name under which older kernels import NKI. Only `neuronxcc.nki` is here."""

import logging as _logging

if not hasattr(_logging, "OFF"):
    # AWS's package adds this level, and scripts written for it say `logging.disable(logging.OFF)`.
    _logging.OFF = _logging.CRITICAL  # type: ignore[attr-defined]
