"""`neuronxcc.nki._private.private_api`: functions that AWS's own kernels import from inside the compiler. Importing works, calling is
refused."""

from nki._record.vocabulary import refusals as _refusals

__getattr__ = _refusals.refusing("neuronxcc.nki._private.private_api", "is private to AWS's compiler and not documented")
