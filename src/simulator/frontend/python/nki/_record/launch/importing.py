"""The folders from which the user's file imports, and its package: found as Python does for `python -m`, and pytest for a test.

In this order: the folder above the file's chain of `__init__.py`; the folders that the caller names (PYTHONPATH, the editor's extra
paths); the folders that the project's `pyproject.toml` names; its `src/`; the project. Folders that the kernel cannot read are left out.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import re
import sys
from types import ModuleType
from typing import Any, List, Optional, Sequence, Tuple

_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")

#: Larger files are not read. Bytes.
_MOST_PROJECT_BYTES = 1_000_000

#: Of pytest, of setuptools' `packages.find`, and of its `package-dir`.
_NAMED_FOLDERS = re.compile(r'^\s*(?:pythonpath|where)\s*=\s*(\[[^\]]*\]|"[^"]*")|^\s*package-dir\s*=\s*\{\s*""\s*=\s*("[^"]*")', re.M)

#: Folders that the caller named, and that the kernel cannot read.
_left_out: List[str] = []

#: `sys.path` as `prepare` left it.
_prepared: List[str] = []

#: The folder that the kernel can read.
_readable = ""


def prepare(file: str, root: str, given: Sequence[str]) -> str:
    """Puts folders on `sys.path`. `given` are absolute paths. Returns the dotted name of the file's package; empty: it is in none."""
    global _readable
    _readable = root
    own = os.path.dirname(file)
    base, chain = _chain(own, root)
    project = _project(own, root)
    folders = list(map(os.path.normpath, given))
    named = [folder for folder in folders if _is_inside(folder, root)]
    _left_out[:] = [folder for folder in folders if folder not in named]
    roots = named + (_folders_of_project(project, root) if project else [])
    package = _package(own, base, chain, roots)
    if chain and base is None:
        sys.meta_path.append(_WholeFolder(chain[0], root))
    first = [*([base] if chain and base else []), *named]
    last = [*roots[len(named) :], *([project] if project else [])]
    # a package's modules may have the same names as other modules, so its own folder comes last
    path = [*first, *sys.path, *last, own] if chain else [own, *first, *sys.path, *last]
    sys.path[:] = _prepared[:] = list(dict.fromkeys(path))
    return package


def unreadable_folders() -> List[str]:
    """Folders that the kernel cannot read, of those that the caller named and those that the script put on `sys.path`."""
    added = [os.path.abspath(folder) for folder in map(str, sys.path) if folder and folder not in _prepared]
    return list(dict.fromkeys([*_left_out, *(folder for folder in added if not _is_inside(folder, _readable))]))


def module_of(file: str, package: str) -> Optional[ModuleType]:
    """The file imported as a module of its package; None where the package has it from elsewhere."""
    name = f"{package}.{_stem(file)}"
    if importlib.util.find_spec(name) is None:
        return None
    module = importlib.import_module(name)
    return module if os.path.realpath(module.__file__ or "") == os.path.realpath(file) else None


def _stem(file: str) -> str:
    return os.path.splitext(os.path.basename(file))[0]


def _chain(own: str, root: str) -> Tuple[Optional[str], List[str]]:
    """The folder above the packages that `own` is in, None where it may not be read, and their names from the outside in."""
    folder, names = own, []  # type: str, List[str]
    while _is_package(folder) and _is_inside(folder, root):
        names.insert(0, os.path.basename(folder))
        folder = os.path.dirname(folder)
    return (folder if _is_inside(folder, root) else None), names


def _is_package(folder: str) -> bool:
    return os.path.basename(folder).isidentifier() and os.path.isfile(os.path.join(folder, "__init__.py"))


def _is_inside(folder: str, root: str) -> bool:
    return folder == root or folder.startswith(root.rstrip(os.sep) + os.sep)


def _project(own: str, root: str) -> Optional[str]:
    folder = own
    while _is_inside(folder, root):
        if any(os.path.isfile(os.path.join(folder, name)) for name in _PROJECT_FILES):
            return folder
        folder = os.path.dirname(folder)
    return None


def _folders_of_project(project: str, root: str) -> List[str]:
    named = [os.path.normpath(os.path.join(project, name)) for name in [*_named_in(os.path.join(project, "pyproject.toml")), "src"]]
    return [folder for folder in named if _is_inside(folder, root) and os.path.isdir(folder)]


def _named_in(pyproject: str) -> List[str]:
    try:
        if os.path.getsize(pyproject) > _MOST_PROJECT_BYTES:
            return []
        with open(pyproject, encoding="utf-8") as stream:
            text = stream.read()
    except (OSError, UnicodeDecodeError):
        return []
    return [name for found in _NAMED_FOLDERS.findall(text) for name in re.findall(r'"([^"]*)"', "".join(found))]


def _package(own: str, base: Optional[str], chain: List[str], roots: Sequence[str]) -> str:
    """The package name, relative to the innermost import folder; without one, a chain of `__init__.py` gives the name."""
    around = [folder for folder in roots if folder != own and _is_inside(own, folder)]
    if base is not None:
        around = [folder for folder in around if _is_inside(base, folder)]
    for folder in sorted(around, key=len, reverse=True):
        names = os.path.relpath(own, folder).split(os.sep)
        if all(name.isidentifier() for name in names):
            return ".".join(names)
    return ".".join(chain)


class _WholeFolder:
    """Finds the package that is the whole of the folder that may be read: the folder above it may not."""

    def __init__(self, name: str, folder: str) -> None:
        self.name, self.folder = name, folder

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(
            name, os.path.join(self.folder, "__init__.py"), submodule_search_locations=[self.folder]
        )
