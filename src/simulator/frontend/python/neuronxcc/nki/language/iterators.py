"""`neuronxcc.nki.language.iterators`: see `nki.language.iterators`."""

from nki.language.iterators import *  # noqa: F403
from nki.language.iterators import __all__, __getattr__  # noqa: F401
