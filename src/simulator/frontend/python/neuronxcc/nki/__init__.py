"""The legacy dialect: tiles are returned, `nl.arange` index expressions and `mask=`. Same machinery as `nki`.

Source of names and meanings: aws-neuron-sdk nki/api/nki/__init__.py at 1db4d74e.
"""

from nki._record.calls import functions as _functions
from nki._record.launch import kernels as _kernels
from nki._record.launch.kernels import simulate_kernel
from nki._record.tensors.tensor import Tensor as tensor
from nki._record.vocabulary.errors import NkiUnsupportedError, NkiValidationError
from nki._record.vocabulary.refusals import refused as _refused

jit, trace, benchmark, baremetal, profile, simulate = _kernels.decorators("neuronxcc")


class FrameworkKernel:
    """Base class for integrations of NKI in a framework's compiler. Refused, because no framework is compiled here."""

    def __init__(self, *args, **kwargs):
        """Refuses."""
        self.dump_config()

    dump_config = is_framework_tensor = map_framework_tensor = translate_to_neuron_dtype = _refused(
        "neuronxcc.nki.FrameworkKernel", "is for those who put NKI into a framework's compiler"
    )


from . import compiler, isa, language, nccl, typing  # noqa: E402 - they need what stands above

__all__ = [
    "FrameworkKernel",
    "NkiUnsupportedError",
    "NkiValidationError",
    "baremetal",
    "benchmark",
    "compiler",
    "isa",
    "jit",
    "language",
    "nccl",
    "profile",
    "simulate",
    "simulate_kernel",
    "tensor",
    "trace",
    "typing",
]

__getattr__ = _functions.missing(__name__, globals())
