"""Tensors as views of an allocation: the algebra of strides, subscripts, index expressions, indirect access, grids of tiles."""
