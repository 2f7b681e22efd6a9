"""The recording machinery behind `nki` and `neuronxcc.nki`: turns kernel calls into a Program. Nothing here is public to kernels.

Packages in the order in which they import each other, the first one first: vocabulary, wire, program, tensors, checks, allocation,
calls, values, control, launch, language.
"""
