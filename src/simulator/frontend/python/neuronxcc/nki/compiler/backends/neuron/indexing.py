"""`neuronxcc.nki.compiler.backends.neuron.indexing`: the type of index expressions."""

from nki._record.tensors.index import Index as TileIndex

__all__ = ["TileIndex"]
