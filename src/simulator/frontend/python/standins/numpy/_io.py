""".npy files: reading through plain open(); the bundled interpreter may not write.

Format: numpy.lib.format, versions 1.0 to 3.0 (magic, header length, a Python literal with descr, fortran_order and shape, then the data).
"""

from __future__ import annotations

import ast
from typing import Any

from . import _engine
from ._array import ndarray
from ._create import array
from ._dtypes import dtype as Dtype
from ._missing import MissingError, missing
from ._shape import transpose


def load(file: Any, **_: Any) -> Any:
    """The array of a .npy file.

    Raises:
        ValueError: not a .npy file, or one with Python objects.
    """
    if hasattr(file, "read"):
        return _parse(file.read())
    if str(file).endswith(".npz"):
        raise missing("numpy.load of an .npz file")
    with open(file, "rb") as stream:
        return _parse(stream.read())


def _parse(data: bytes) -> Any:
    if data[:6] != b"\x93NUMPY":
        raise ValueError("not a .npy file")
    size = 2 if data[6] == 1 else 4
    begin = 8 + size
    end = begin + int.from_bytes(data[8:begin], "little")
    header = ast.literal_eval(data[begin:end].decode("latin1"))
    descr = header["descr"]
    if not isinstance(descr, str) or descr.startswith(">") or "O" in descr:
        raise ValueError(f"cannot read .npy data of type {descr!r}")
    # ml_dtypes saves bfloat16 as two opaque bytes.
    wanted = Dtype("bfloat16") if descr in ("|V2", "<V2") else Dtype(descr)
    shape = tuple(header["shape"])
    stored = tuple(reversed(shape)) if header["fortran_order"] else shape
    result = ndarray._wrap(_engine.put(wanted.name, stored, data[end:]))
    return transpose(result) if header["fortran_order"] else result


def header(descr: str, shape: Any) -> bytes:
    """The head of a version 1.0 file, padded to 64 bytes."""
    text = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {tuple(shape)!r}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode("latin1")


def save(file: Any, arr: Any, **_: Any) -> None:
    """Writes a .npy file where writing is allowed.

    Raises:
        NotImplementedError: the bundled interpreter may write only below /tmp.
    """
    source = array(arr)
    descr = "<V2" if source.dtype.name == "bfloat16" else source.dtype.str
    data = header(descr, source.shape) + source.tobytes()
    if hasattr(file, "write"):
        file.write(data)
        return
    name = str(file) if str(file).endswith(".npy") else f"{file}.npy"
    try:
        with open(name, "wb") as stream:
            stream.write(data)
    except OSError as error:
        raise MissingError(
            f"numpy.save: the bundled interpreter may not write {name} ({error.strerror}); to save files run the script with your own "
            "Python: set nkiScope.pythonPath (on the command line: --python PATH)"
        ) from error
