"""`torch_xla.core.xla_model`: the device, and marks between steps."""

from __future__ import annotations

from typing import Any

from numpy._missing import missing as _missing

from .. import device as _device
from .. import sync as mark_step

__all__ = ["mark_step", "wait_device_ops", "xla_device"]


def xla_device(n: Any = None, devkind: Any = None) -> Any:
    """The device of the simulator."""
    return _device(n)


def wait_device_ops(devices: Any = ()) -> None:
    """Values are there when they are asked for."""


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _missing(f"torch_xla.core.xla_model.{name}")
