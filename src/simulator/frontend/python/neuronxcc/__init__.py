"""The name under which older kernels import NKI. Only `neuronxcc.nki` is here."""
