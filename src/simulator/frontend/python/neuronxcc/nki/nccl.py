"""`neuronxcc.nki.nccl`: collectives of the legacy compiler between several cores. They are not documented and not simulated."""

from nki._record.vocabulary import refusals as _refusals

__getattr__ = _refusals.refusing("neuronxcc.nki.nccl", "is a collective of the legacy dialect, which AWS does not document")
