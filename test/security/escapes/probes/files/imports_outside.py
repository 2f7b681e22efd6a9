"""Imports modules that lie outside of the workspace: by `sys.path`, by a loader, by a link."""

import importlib.util
import sys

from bait import OUTSIDE, loot

_kept = list(sys.path)


def _by_loader(file):
    spec = importlib.util.spec_from_file_location("outside_module", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.SECRET


try:
    sys.path[:0] = [OUTSIDE, "../outside", "link-folder"]
    sys.path_importer_cache.clear()
    got = loot(lambda: __import__("module").SECRET, lambda: _by_loader(OUTSIDE + "/module.py"), lambda: _by_loader("link-folder/module.py"))
finally:
    sys.path[:] = _kept
