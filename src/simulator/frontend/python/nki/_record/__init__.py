"""The recording machinery behind `nki` and `neuronxcc.nki`: turns kernel calls into a Program.

It has no public API for kernels. Each package imports only packages before it in this list: vocabulary, wire, program, tensors, checks,
allocation, calls, values, control, launch, language.
"""
