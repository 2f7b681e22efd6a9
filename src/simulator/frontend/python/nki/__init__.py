"""NKI on the simulator: the `nki` package as NKI Scope carries it. `nki.jit` marks kernels; calling one records, times and runs it.

Source of names and meanings: aws-neuron-sdk nki/api/nki/__init__.py; the legacy decorators nki/api/nki/__init__.py at 1db4d74e.
"""

from ._record.calls import functions as _functions
from ._record.launch import kernels as _kernels
from ._record.launch.kernels import simulate_kernel
from ._record.vocabulary.errors import NkiUnsupportedError, NkiValidationError
from ._record.vocabulary.objects import NKIObject

jit, trace, benchmark, baremetal, profile, simulate = _kernels.decorators("nki")


from . import collectives, dtype, isa, language, typing  # noqa: E402 - they need what stands above

__all__ = [
    "NKIObject",
    "NkiUnsupportedError",
    "NkiValidationError",
    "baremetal",
    "benchmark",
    "collectives",
    "dtype",
    "isa",
    "jit",
    "language",
    "profile",
    "simulate",
    "simulate_kernel",
    "trace",
    "typing",
]

__getattr__ = _functions.missing(__name__, globals())
