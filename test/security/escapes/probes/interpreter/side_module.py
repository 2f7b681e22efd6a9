"""Writes a WebAssembly library into memory files and has the interpreter load it as an extension module."""

import importlib.machinery as machinery

from bait import builtin, loot

# magic and version; the section `dylink.0` with empty memory and table needs: the least library that Emscripten takes
_LIBRARY = b"\0asm\1\0\0\0" + b"\0\x0f\x08dylink.0\x01\x04\0\0\0\0"
with open("/tmp/bait.so", "wb") as _file:
    _file.write(_LIBRARY)


def _load():
    loader = machinery.ExtensionFileLoader("bait", "/tmp/bait.so")
    return loader.create_module(machinery.ModuleSpec("bait", loader, origin="/tmp/bait.so"))


def _load_again():
    try:
        return builtin("_imp").create_dynamic(machinery.ModuleSpec("bait", None, origin="/tmp/bait.so"))
    except ImportError as error:
        # it was loaded, and has no initial function
        return "loaded" if "PyInit_bait" in str(error) else None


got = loot(_load, _load_again, lambda: builtin("_ctypes").dlopen("/tmp/bait.so", 2) and "by _ctypes")
