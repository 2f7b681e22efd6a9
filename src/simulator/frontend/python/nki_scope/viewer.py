"""Shows profiles in the browser, by `view` of the command line: a process that ends with this one."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import tempfile
from typing import Callable


def serve(save: Callable[[str], str], name: str, open_browser: bool) -> str:
    """Serves what `save` writes to the path that it is given. Returns the address, which has the token that lets its reader in.
    RuntimeError where the viewer does not start."""
    folder = tempfile.mkdtemp(prefix="nki-scope-")
    atexit.register(shutil.rmtree, folder, True)
    file = save(os.path.join(folder, f"{re.sub(r'[^0-9A-Za-z_]', '_', name) or 'kernel'}.nkiprof"))
    node = os.environ.get("NKI_SCOPE_NODE", "node")
    viewer = subprocess.Popen([node, _command_line(), "view", "-s", file, "--port", "0"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    atexit.register(_end, viewer)
    assert viewer.stdout is not None
    said = viewer.stdout.readline().decode()
    address = re.search(r"https?://\S+", said)
    if address is None:
        raise RuntimeError(f"the viewer did not start: {said.strip()}")
    if open_browser:
        import webbrowser

        webbrowser.open(address.group())
    return address.group()


def _command_line() -> str:
    """dist/cli.js beside dist/python/."""
    return os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "cli.js")


def _end(viewer: subprocess.Popen[bytes]) -> None:
    if viewer.stdout is not None:
        viewer.stdout.close()
    viewer.terminate()
    viewer.wait()
