"""What kernels print, with the line it came from: `nl.device_print` always, `print` where the host shows output apart from the code.

Also `breakpoint()` where there is no input for a debugger's prompt.
"""

from __future__ import annotations

import builtins
import os
import sys
from types import FrameType, ModuleType
from typing import Any, Optional

from ..program import locations
from ..vocabulary.context import context
from ..vocabulary.errors import NkiUnsupportedError

_print = builtins.print


def device_print(print_prefix: Any, tensor: Any = None) -> None:
    """Prints a prefix and a tensor's values, with file and line. At once, as in AWS's simulator."""
    _print(f"{_place(sys._getframe(1))}{print_prefix}", tensor)


def legacy_device_print(prefix: Any, x: Any = None, mask: Any = None) -> None:
    """`device_print` with the parameters of the legacy dialect."""
    device_print(prefix, x)


def _place(frame: Optional[FrameType]) -> str:
    """`kernel.py:12: ` of the nearest line of the user's."""
    while frame is not None and not locations.is_user_file(frame.f_code.co_filename):
        frame = frame.f_back
    return "" if frame is None else f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}: "


def show_lines() -> None:
    """From now on `print` inside a kernel tells its line."""
    builtins.print = _located_print


def _located_print(*values: Any, **options: Any) -> None:
    caller = sys._getframe(1)
    shown = context.call is not None and options.get("file") in (None, sys.stdout, sys.stderr)
    if shown and locations.is_user_file(caller.f_code.co_filename):
        _print(f"{_place(caller)}{values[0] if values else ''}", *values[1:], **options)
    else:
        _print(*values, **options)


def refuse_breakpoints_without_input() -> None:
    """A debugger without input would end the script with an unclear error."""
    if sys.platform == "emscripten":
        sys.modules["pdb"] = _Debugger("pdb")
    if sys.platform == "emscripten" or _reads_nothing():
        sys.breakpointhook = _no_breakpoint


class _Debugger(ModuleType):
    """`pdb` in the bundled interpreter, where its own cannot be imported. Kernels keep the import when nothing of it is used any more."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _no_breakpoint


def _reads_nothing() -> bool:
    try:
        return os.path.samestat(os.fstat(0), os.stat(os.devnull))
    except OSError:
        return True


def _no_breakpoint(*args: Any, **kwargs: Any) -> None:
    raise NkiUnsupportedError(
        "a breakpoint needs somebody to answer it: run the script in a terminal with `nki-scope run --python PATH`, or start VS Code's "
        "Python debugger on it with the folder that `nki-scope python-path` prints on PYTHONPATH"
    )
