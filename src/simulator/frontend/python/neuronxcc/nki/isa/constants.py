"""`neuronxcc.nki.isa.constants`: see `nki.isa.constants`."""

from nki.isa.constants import *  # noqa: F403
from nki.isa.constants import __all__, __getattr__  # noqa: F401
