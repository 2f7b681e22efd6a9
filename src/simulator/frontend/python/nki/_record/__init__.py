"""The recording machinery behind `nki` and `neuronxcc.nki`: turns kernel calls into a Program. Nothing here is public to kernels."""
