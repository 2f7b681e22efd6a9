"""`nki.typing`: descriptions of tensors, as arguments (`tensor[[128, 512], nl.float32]`) and annotations (`tensor[128, 512]`)."""

from ._record.wire.arrays import TensorType as _TensorType

tensor = _TensorType()

__all__ = ["tensor"]
