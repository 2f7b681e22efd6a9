"""Registers, scalars, and the loops that they drive."""
