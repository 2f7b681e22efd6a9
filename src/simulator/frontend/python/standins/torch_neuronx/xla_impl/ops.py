"""`torch_neuronx.xla_impl.ops`: the decorator that makes kernels of functions."""

from .. import nki_jit

__all__ = ["nki_jit"]
