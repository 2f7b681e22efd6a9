"""`neuronxcc.nki.language.iterators`: see `nki.language.iterators`."""

from nki.language.iterators import __all__, __getattr__, dynamic_range, static_range  # noqa: F401

from . import affine_range, sequential_range  # noqa: F401
