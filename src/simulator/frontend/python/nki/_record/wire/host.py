"""The wire to the simulator (`frontend/protocol.ts`): one request, one reply. And `HostArray`, a handle on an array that lives there.

Found by environment: two file descriptors (NKI_SCOPE_HOST_READ_FD, NKI_SCOPE_HOST_WRITE_FD), or a device file
(NKI_SCOPE_HOST_DEVICE, or /dev/nki in the bundled interpreter); else a host is started as a child process.
"""

from __future__ import annotations

import atexit
import json
import os
import struct
import sys
from typing import Any, Dict, List, Optional, Protocol, Sequence, Tuple, Union

from ..vocabulary.errors import HostError, HostIndexError

_HEAD = struct.Struct("<II")
_DEVICE = "/dev/nki"
_PIECE = 1 << 20
#: `MAX_PAYLOAD_BYTES` of frontend/wire.ts.
_MOST_PAYLOAD = 2**31 - 1


class Connection(Protocol):
    """Whatever answers requests. Tests put an object of their own in `connection`."""

    def call(self, header: Dict[str, Any], payload: bytes) -> Tuple[Dict[str, Any], bytes]:
        """The reply's header ({"ok": ...} or {"error": ...}) and payload."""
        ...


class _Wire:
    """Two file descriptors (or one device for both)."""

    def __init__(self, read_fd: int, write_fd: int, keep: Any = None) -> None:
        """`keep`: what the descriptors belong to: the host that was started for this script."""
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._keep = keep

    def call(self, header: Dict[str, Any], payload: bytes) -> Tuple[Dict[str, Any], bytes]:
        if len(payload) > _MOST_PAYLOAD:
            raise HostError("MemoryError", f"{len(payload):,} bytes at once: the simulator takes arrays up to {_MOST_PAYLOAD:,} bytes")
        text = json.dumps(header, separators=(",", ":")).encode()
        self._write(_HEAD.pack(len(text), len(payload)) + text)
        self._write(payload)
        header_size, payload_size = _HEAD.unpack(self._read(_HEAD.size))
        return json.loads(self._read(header_size)), self._read(payload_size)

    @property
    def is_own(self) -> bool:
        """True for the ends of a host of our own."""
        return self._keep is not None

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._write_fd, view[:_PIECE]) :]

    def _read(self, size: int) -> bytes:
        pieces: List[bytes] = []
        while size:
            piece = os.read(self._read_fd, min(size, _PIECE))
            if not piece:
                raise HostError("HostGone", "the simulator has ended: it no longer answers")
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)


connection: Optional[Connection] = None


def call(header: Dict[str, Any], payload: bytes = b"") -> Tuple[Dict[str, Any], bytes]:
    """Asks the host and waits. HostError when it answers with an error."""
    global connection
    if connection is None:
        connection = _connect()
    reply, data = connection.call(header, payload)
    error = reply.get("error")
    if error:
        kind = error["kind"]
        raise (HostIndexError if kind == "IndexError" else HostError)(kind, error["message"], error.get("frame"))
    return reply.get("ok", {}), data


def disconnect() -> None:
    """Lets go of the host: who calls after this finds one anew."""
    global connection
    connection = None


def is_own() -> bool:
    """True when the host was started for this script alone: nobody else shows what the checks say."""
    return isinstance(connection, _Wire) and connection.is_own


def _connect() -> Connection:
    read_fd, write_fd = os.environ.get("NKI_SCOPE_HOST_READ_FD"), os.environ.get("NKI_SCOPE_HOST_WRITE_FD")
    if read_fd and write_fd:
        return _Wire(int(read_fd), int(write_fd))
    device = os.environ.get("NKI_SCOPE_HOST_DEVICE") or (_DEVICE if os.path.exists(_DEVICE) else None)
    if device:
        fd = os.open(device, os.O_RDWR)
        return _Wire(fd, fd)
    return _start_host()


def _start_host() -> Connection:
    """A Node process of our own, for scripts that the user runs with our package on PYTHONPATH. It ends with this process."""
    import subprocess

    script = os.environ.get("NKI_SCOPE_HOST") or _beside_package()
    if not os.path.exists(script):
        raise HostError("NoHost", f"the simulator is not there: {script} does not exist. Set NKI_SCOPE_HOST to NKI Scope's dist/host.mjs")
    node = os.environ.get("NKI_SCOPE_NODE", "node")
    try:
        child = subprocess.Popen([node, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError as error:
        raise HostError(
            "NoHost", f"cannot start {node}, on which the simulator runs: {error}. Set NKI_SCOPE_NODE to Node 20 or later"
        ) from None
    assert child.stdin is not None and child.stdout is not None
    atexit.register(_end_host, child)
    return _Wire(child.stdout.fileno(), child.stdin.fileno(), child)


def _end_host(child: Any) -> None:
    """Closes our ends of its pipes: it ends with its input."""
    global connection
    connection = None
    child.stdin.close()
    child.stdout.close()
    child.wait()


def _beside_package() -> str:
    """dist/host.mjs beside dist/python/."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return os.path.join(os.path.dirname(os.path.dirname(package)), "host.mjs")


#: The host holds them as doubles, so arrays keep beside their handle what has all bits.
_INEXACT = ("int64", "uint64")


class HostArray:
    """An array of the host: lazy, freed with this object. dtype by name (NKI's, or float64, int64, uint64)."""

    __slots__ = ("handle", "shape", "dtype", "_host", "exact", "__weakref__")

    def __init__(self, handle: int, shape: Sequence[int], dtype: str) -> None:
        """Takes the handle over: it is freed with this object."""
        self.handle = handle
        self.shape = tuple(shape)
        self.dtype = str(dtype)
        #: Handles are numbers of one host.
        self._host = connection
        #: What has all bits, of an array of `_INEXACT`: its bytes, or an array with the same bytes.
        self.exact: Union[None, bytes, HostArray] = None

    @property
    def _array(self) -> HostArray:
        """Itself: kernels take it as they take arrays around it."""
        return self

    def tobytes(self) -> bytes:
        """The values, C order, little-endian, packed in the dtype's own bits; computes what is needed."""
        if self.exact is not None:
            return self.exact if isinstance(self.exact, bytes) else self.exact.tobytes()
        return call({"call": "array.get", "array": self.handle})[1]

    def exchange(self, other: HostArray) -> None:
        """Each gets the other's values; shape and dtype are the same."""
        self.handle, other.handle = other.handle, self.handle
        self.exact, other.exact = other.exact, self.exact

    def __repr__(self) -> str:
        """Shape and dtype; values stay where they are."""
        return f"HostArray(shape={self.shape}, dtype={self.dtype})"

    def __del__(self) -> None:
        """Frees it in the host, unless the interpreter is ending."""
        if connection is not None and getattr(self, "_host", None) is connection and not sys.is_finalizing():
            try:
                call({"call": "array.free", "array": self.handle})
            except (HostError, OSError):
                pass


def put(dtype: str, shape: Sequence[int], payload: bytes) -> HostArray:
    """A host array from packed bytes."""
    reply, _ = call({"call": "array.put", "dtype": str(dtype), "shape": list(shape)}, payload)
    made = HostArray(reply["array"], shape, dtype)
    if dtype in _INEXACT:
        made.exact = payload
    return made


def operate(op: str, dtype: str, shape: Sequence[int], operands: Sequence[HostArray] = (), **attributes: Any) -> HostArray:
    """A lazy operation's result (`execute/arrays`)."""
    handles = [operand.handle for operand in operands]
    header = {"call": "array.op", "op": op, "operands": handles, "attributes": attributes, "dtype": str(dtype), "shape": list(shape)}
    return HostArray(call(header)[0]["array"], shape, dtype)
