"""Where the tests of the stand-ins find an array engine: in the bundled interpreter the real host is there; elsewhere a Node process with
the same engine answers (`engine_host.mjs`). Needs a built package on the path, or builds one into a temporary folder.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import tempfile
from typing import Any, Dict, Tuple

_HERE = os.path.dirname(os.path.abspath(__file__))
BUNDLED = sys.platform == "emscripten"


class Engine:
    """The Node process, one request at a time: a `nki._record.wire.host.Connection`."""

    def __init__(self) -> None:
        """Starts the process."""
        import subprocess  # not in the bundled interpreter, where the real host answers

        self._process = subprocess.Popen(["node", os.path.join(_HERE, "engine_host.mjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def call(self, header: Dict[str, Any], payload: bytes = b"") -> Tuple[Dict[str, Any], bytes]:
        """A request and its reply."""
        text = json.dumps(header, allow_nan=False).encode()
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(struct.pack("<II", len(text), len(payload)) + text + payload)
        self._process.stdin.flush()
        sizes = struct.unpack("<II", self._process.stdout.read(8))
        return json.loads(self._process.stdout.read(sizes[0])), self._process.stdout.read(sizes[1])

    def close(self) -> None:
        """Ends the process."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def _import() -> Any:
    """The host module with the stand-ins importable, and nothing changed for the tests of others."""
    if not BUNDLED:
        sys.path.insert(0, os.path.join(_HERE, "..", "standins"))
    try:
        from nki._record.wire import host
    except (ImportError, OSError):
        import subprocess

        for name in [name for name in sys.modules if name.split(".")[0] == "nki"]:
            del sys.modules[name]
        folder = tempfile.mkdtemp(prefix="nki-scope-tests-")
        builder = os.path.join(_HERE, "../../../../../scripts/python-package.mjs")
        subprocess.run(["node", os.path.normpath(builder), folder], check=True, stdout=subprocess.DEVNULL)
        sys.path.insert(0, folder)
        from nki._record.wire import host
    import numpy

    assert hasattr(numpy.ndarray, "_wrap"), "the real NumPy was imported before: run these tests in a process of their own"
    return host


host = _import()


def start() -> None:
    """For setUpModule: connects the engine."""
    if not BUNDLED:
        start.before = host.connection  # type: ignore[attr-defined]
        host.connection = Engine()


def stop() -> None:
    """For tearDownModule: everything as it was."""
    import gc

    import numpy

    numpy.random._state.clear()
    if "torch" in sys.modules:
        sys.modules["torch"]._generator.clear()
    gc.collect()
    if not BUNDLED:
        host.connection.close()
        host.connection = start.before  # type: ignore[attr-defined]


def held_bytes() -> int:
    """Bytes of computed values in the engine; 0 where it cannot be asked."""
    return 0 if BUNDLED else host.call({"call": "test.stats"})[0]["heldBytes"]
