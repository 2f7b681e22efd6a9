"""`tqdm.auto`: the same as `tqdm`."""

from __future__ import annotations

from . import tqdm, trange

__all__ = ["tqdm", "trange"]
