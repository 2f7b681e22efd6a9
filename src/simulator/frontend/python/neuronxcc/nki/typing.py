"""`neuronxcc.nki.typing`: see `nki.typing`. `mutable_tensor` marks a parameter that the kernel writes; here it may write any."""

from nki.typing import tensor

mutable_tensor = tensor

__all__ = ["mutable_tensor", "tensor"]
