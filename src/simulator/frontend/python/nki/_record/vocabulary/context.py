"""What the kernel being recorded runs on and is written in; set by `launch.py`."""

from __future__ import annotations


class Context:
    """Generation of the NeuronCore (a key of `table.MACHINES`) and dialect (nki, neuronxcc)."""

    generation = "v3"
    dialect = "nki"
    #: `with nl.no_reorder()` blocks around what is being recorded.
    ordered_blocks = 0


context = Context()
