"""`neuronxcc.nki.language.constants`: see `nki.language.constants`."""

from nki.language.constants import *  # noqa: F403
from nki.language.constants import __all__, __getattr__  # noqa: F401
