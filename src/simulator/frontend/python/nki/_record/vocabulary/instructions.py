"""What the functions of `nki.isa` return: a handle on the instruction. Its one method is refused, so one object serves for all."""

from __future__ import annotations

from . import refusals
from .objects import NKIObject


class NkiInstruction(NKIObject):
    """Handle on a recorded instruction.

    Source: aws-neuron-sdk nki/api/nki/isa/__init__.py `NkiInstruction`.
    """

    __slots__ = ()

    def depends_on(self, *producers: NkiInstruction) -> NkiInstruction:
        """Refused: dependencies follow from what instructions read and write."""
        raise refusals.refuse("nki.isa.NkiInstruction.depends_on")


NkiInstruction.__module__ = "nki.isa"
INSTRUCTION = NkiInstruction()
