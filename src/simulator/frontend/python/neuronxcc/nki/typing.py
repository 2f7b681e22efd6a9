"""`neuronxcc.nki.typing`: see `nki.typing`."""

from nki.typing import tensor

__all__ = ["tensor"]
