"""`nki.compiler`: what `@nki.jit` takes beside a function, and the names of `kernel_builder`.

Source of names: aws-neuron-sdk nki/api/nki.compiler.rst of 2.33.
"""

from nki._record.calls import functions as _functions
from nki._record.launch.configs import AddressRotation, CompileConfig, SpecializationConfig

__all__ = ["AddressRotation", "CompileConfig", "SpecializationConfig"]

__getattr__ = _functions.missing(__name__, globals())
