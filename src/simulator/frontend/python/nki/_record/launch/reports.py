"""Converts an exception of the user's script to the `UserError` for the host (`frontend/protocol.ts`), with the position in the user's
files and a traceback without our frames.
"""

from __future__ import annotations

import sys
import traceback
from types import TracebackType
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..program import locations
from ..vocabulary.errors import HostError, HostIndexError, LimitReached
from . import importing, kernels

UserError = Dict[str, Optional[Any]]

#: Libraries that the bundled interpreter has stand-ins for.
_STANDINS = ("numpy", "scipy", "torch", "jax", "ml_dtypes", "torch_xla", "torch_neuronx", "tqdm")

_OWN_INTERPRETER = "run it in your own interpreter: --python PATH, or the setting nkiScope.pythonPath"


def user_error(error: BaseException) -> UserError:
    """The message of an exception."""
    error = _told(error)
    file, line = _position(error)
    return make(_kind(error), _message(error), file, line, _traceback(error))


def _told(error: BaseException) -> BaseException:
    """For an IndexError that replaces an error of the host: the host's error, with the user's lines."""
    told = getattr(error, "told", None)
    return told.with_traceback(error.__traceback__) if isinstance(told, HostIndexError) else error


def make(kind: str, message: str, file: Optional[str] = None, line: Optional[int] = None, trace: Optional[str] = None) -> UserError:
    """A UserError of our own."""
    return {"kind": kind, "message": message, "file": file, "line": line, "traceback": trace}


def _kind(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "Cancelled"
    if isinstance(error, LimitReached):
        return "Limit"
    return error.kind if isinstance(error, HostError) else type(error).__name__


def _message(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt):
        return "the capture was cancelled"
    if isinstance(error, SyntaxError):
        return str(error.msg)
    if isinstance(error, KeyError):
        return f"key not found: {error}"
    if isinstance(error, ModuleNotFoundError) and error.name:
        return _missing_module(error)
    if isinstance(error, AssertionError) and not str(error):
        return _asserted(error)
    return str(error) or type(error).__name__


def _asserted(error: AssertionError) -> str:
    """The message of an assertion; without one, the source line."""
    frames = _frames(error.__traceback__)
    return f"`{frames[-1].line}` does not hold" if frames and frames[-1].line else "an assertion does not hold"


def _missing_module(error: ModuleNotFoundError) -> str:
    root = str(error.name).split(".")[0]
    if "interpreter" in str(error):  # the fence's message has the reason
        return str(error)
    if root in ("nki", "neuronxcc"):
        return f"no module named {error.name!r} in this version of NKI Scope"
    unreadable = importing.unreadable_folders()
    if unreadable:
        return (
            f"no module named {error.name!r} in the folder that the kernel can read. Outside of it: {', '.join(unreadable)}. "
            "Choose a folder that has both (--root on the command line, the opened folder in the editor)"
        )
    if sys.platform != "emscripten":
        return f"no module named {error.name!r}"
    if root in _STANDINS and root != error.name:
        return f"no module named {error.name!r}: the bundled interpreter has a small stand-in for {root}; {_OWN_INTERPRETER}"
    return f"no module named {error.name!r}: the bundled interpreter has small stand-ins for {_listed(_STANDINS)} only; {_OWN_INTERPRETER}"


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _position(error: BaseException) -> Tuple[Optional[str], Optional[int]]:
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, error.lineno
    if isinstance(error, HostError) and error.location:
        return error.location
    for frame in reversed(_frames(error.__traceback__)):
        return frame.filename, frame.lineno
    return None, None


def _frames(trace: Optional[TracebackType]) -> List[traceback.FrameSummary]:
    return [frame for frame in traceback.extract_tb(trace) if locations.is_user_file(frame.filename)]


def _traceback(error: BaseException) -> str:
    frames = _frames(error.__traceback__)
    head = ["Traceback (most recent call last):\n", *traceback.format_list(frames)] if frames else []
    return "".join([*head, *traceback.format_exception_only(type(error), error)])


# -- nothing was called -----------------------------------------------------------------------------------------------


def kernel_infos(file: str) -> List[Dict[str, Any]]:
    """Kernels that the script of this file could call, as `KernelInfo`."""
    return [_info(kernel) for kernel in kernels.offered(file)]


def _info(kernel: kernels.Kernel) -> Dict[str, Any]:
    import inspect

    params = [
        {
            "name": parameter.name,
            "annotation": None if parameter.annotation is parameter.empty else _text(parameter.annotation),
            "default": None if parameter.default is parameter.empty else repr(parameter.default),
        }
        for parameter in inspect.signature(kernel.func).parameters.values()
    ]
    return {"name": kernel.func.__name__, "line": kernels.code_of(kernel).co_firstlineno, "params": params}


def _text(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", None) or repr(annotation)


def nothing_called(file: str) -> UserError:
    """The script ran and called no kernel."""
    infos = kernel_infos(file)
    if not infos:
        return make("NoKernel", "the file defines no kernel: mark a function with @nki.jit and call it", file)
    listed = "; ".join(f"{info['name']}({', '.join(param['name'] for param in info['params'])})" for info in infos)
    advice = (
        'call it under if __name__ == "__main__":, or give its arguments as a case in .vscode/nki-scope.json (or with --kernel and --arg)'
    )
    line = infos[0]["line"] if kernels.of_file(file) else None
    return make("NoInputs", f"no kernel was called, and there are no inputs for {listed}: {advice}", file, line)
