"""`neuronxcc.nki.compiler.backends.neuron.tensor`: types of tensors inside AWS's compiler. Importing works, calling is refused."""

from nki._record.vocabulary import refusals as _refusals

__getattr__ = _refusals.refusing("neuronxcc.nki.compiler.backends.neuron.tensor", "is private to AWS's compiler and not documented")
