"""`neuronxcc.nki.isa.neuron_isa`: the module in which the compiler has the functions of `neuronxcc.nki.isa`."""

from neuronxcc.nki.isa import *  # noqa: F403
from neuronxcc.nki.isa import __all__, __getattr__  # noqa: F401
