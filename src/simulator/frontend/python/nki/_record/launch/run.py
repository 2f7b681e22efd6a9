"""The entry point of a job: runs the user's file as a script, or imports it and calls one kernel, and tells the host how it ended.

Started by both bridges as `main()`. Never raises for what the user's code does.
"""

from __future__ import annotations

import importlib.machinery
import inspect
import linecache
import os
import re
import sys
import tokenize
import zlib
from types import ModuleType
from typing import Any, Callable, Dict, List, Optional

from ..tensors import views
from ..values import printing
from ..vocabulary import dtypes, table
from ..vocabulary.errors import HostError
from ..wire import arrays, host
from ..wire.arrays import ShapeOnly
from . import call_sites, importing, kernels, reports, streams
from .settings import settings

_SPEC = re.compile(r"^\s*([A-Za-z_]\w*)\s*\[([\d,\s]*)\]\s*$")

#: Half-open range that random inputs are drawn from: floats, ints.
_FLOATS, _INTS = (-1.0, 1.0), (0, 100)

#: Of an argument: some 128 TB of float32, above the memory of every machine.
_MOST_ELEMENTS = 2**45


def main() -> None:
    """Does the job that the host hands out, then says `done`."""
    try:
        job, _ = host.call({"call": "job"})
    except HostError as refused:  # an input that the host cannot read
        host.call({"call": "done", "error": reports.user_error(refused), "kernels": []})
        return
    error: Optional[Dict[str, Any]] = None
    try:
        error = _run(job, _prepare(job))
    except SystemExit as left:
        error = None if left.code in (None, 0) else reports.make("SystemExit", f"the script ended with exit code {left.code}", job["file"])
    except BaseException as raised:  # noqa: B036 - whatever it is, the host must be told
        error = reports.user_error(raised)
        error["file"] = error["file"] or job["file"]
    streams.flush()
    host.call({"call": "done", "error": error, "kernels": reports.kernel_infos(job["file"])})
    host.disconnect()


def _prepare(job: Dict[str, Any]) -> str:
    """Returns the package that the file is in."""
    call_sites.begin()
    settings.target, settings.target_is_given = job["target"], job["targetIsGiven"]
    table.use_machine(job["machine"])
    settings.nki_version = job["nkiVersion"] or ""
    settings.instruction_limit, settings.progress_every = job["instructionLimit"], job["progressEvery"]
    settings.ranks = job["ranks"]
    settings.host_time = job.get("hostTime", False)
    sys.argv = [job["file"], *job["argv"]]
    os.environ.update({"NEURON_PLATFORM_TARGET_OVERRIDE": job["target"], **job["env"]})
    package = importing.prepare(job["file"], job["root"], job.get("importPaths", []))
    sys.dont_write_bytecode = True
    printing.show_lines()
    printing.refuse_breakpoints_without_input()
    if job["overlay"]:
        _use_overlay(job["overlay"])
    return package


def _run(job: Dict[str, Any], package: str) -> Optional[Dict[str, Any]]:
    if job["kernel"] is None:
        _execute(job, "__main__", package)
        return None if kernels.calls_made else reports.nothing_called(job["file"])
    module = _imported(job, package)
    given = _call(job, _kernel(job, module))
    if job.get("referenceFunction"):
        _refer(job["referenceFunction"], module, given)
    return None


# -- the user's file --------------------------------------------------------------------------------------------------


def _imported(job: Dict[str, Any], package: str) -> ModuleType:
    stem = os.path.splitext(os.path.basename(job["file"]))[0]
    if not (package and stem.isidentifier()):
        return _execute(job, stem, package)
    compile(_text(job["file"], job["overlay"]), job["file"], "exec", dont_inherit=True)  # says what is wrong with the file itself
    return importing.module_of(job["file"], package) or _execute(job, f"{package}.{stem}", package)


def _execute(job: Dict[str, Any], name: str, package: str) -> ModuleType:
    """Runs the file's text as the module `name`; relative imports start at `package`."""
    file = job["file"]
    text = _text(file, job["overlay"])
    code = compile(text, file, "exec", dont_inherit=True)
    module = ModuleType(name)
    module.__file__ = file
    module.__package__ = package or None
    sys.modules[name] = module
    exec(code, module.__dict__)  # noqa: S102 - running the user's script is the job
    return module


def _text(file: str, overlay: Dict[str, str]) -> str:
    if file in overlay:
        return overlay[file]
    try:
        with tokenize.open(file) as stream:
            text = stream.read()
    except (SyntaxError, UnicodeDecodeError) as error:
        raise HostError("NotPython", f"{os.path.basename(file)} is not a Python file: {error}") from None
    if "\0" in text:
        raise HostError("NotPython", f"{os.path.basename(file)} is not a Python file: it holds binary data")
    return text


def _use_overlay(overlay: Dict[str, str]) -> None:
    """Unsaved texts stand for their files, for imports as for the lines that profiles and tracebacks show."""

    class Loader(importlib.machinery.SourceFileLoader):
        def get_data(self, path: str) -> bytes:
            return overlay[path].encode() if path in overlay else super().get_data(path)

        def path_stats(self, path: str) -> Any:
            if path in overlay:
                raise OSError("read from the editor: no cached bytecode")
            return super().path_stats(path)

    for path, text in overlay.items():
        linecache.cache[path] = (len(text), None, text.splitlines(True), path)
    sys.path_hooks.insert(0, importlib.machinery.FileFinder.path_hook((Loader, importlib.machinery.SOURCE_SUFFIXES)))
    for folder in {os.path.dirname(path) for path in overlay}:
        sys.path_importer_cache.pop(folder, None)


# -- one kernel -------------------------------------------------------------------------------------------------------


def _kernel(job: Dict[str, Any], module: ModuleType) -> kernels.Kernel:
    found = getattr(module, job["kernel"], None)
    if found is None or not callable(found):
        names = ", ".join(kernel.func.__name__ for kernel in kernels.offered(job["file"])) or "none"
        raise HostError("NoKernel", f"{os.path.basename(job['file'])} has no kernel {job['kernel']}; it has {names}")
    kernel = kernels.simulate(_dialect(found), found)
    return kernel[tuple(job["grid"])] if job["grid"] else kernel


def _dialect(function: Callable[..., Any]) -> str:
    """Of a function without a decorator, which another file decorates: the legacy one where its own file imports no other."""
    names = getattr(inspect.unwrap(function), "__globals__", {})
    packages = {value.__name__.partition(".")[0] for value in names.values() if isinstance(value, ModuleType)}
    return "neuronxcc" if "neuronxcc" in packages and "nki" not in packages else "nki"


def _call(job: Dict[str, Any], kernel: kernels.Kernel) -> Dict[str, Any]:
    """Returns what the kernel was given, on rank 0."""
    ranks = [_given(job, rank) for rank in range(job["ranks"] or 1)]
    given = {name: None for own in ranks for name in own}
    parameters = inspect.signature(kernel.func).parameters
    unknown = [name for name in given if name not in parameters and not _takes_any(parameters.values())]
    if unknown:
        raise HostError("TypeError", f"{job['kernel']} has no parameter {', '.join(unknown)}; it has {', '.join(parameters)}")
    missing = [
        name
        for name, p in parameters.items()
        if name not in given and p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
    ]
    if missing:
        error = HostError(
            "NoInputs", f"{job['kernel']} has no value for {', '.join(missing)}: give each with --arg NAME=bf16[128,512] or in a case"
        )
        error.location = (job["file"], kernels.code_of(kernel).co_firstlineno)
        raise error
    kernel.run_on_ranks([((), own) for own in ranks], or_more=job["ranks"] is None)
    return ranks[0]


def _given(job: Dict[str, Any], rank: int) -> Dict[str, Any]:
    """Arguments of a rank. Files of its own come before those of all."""
    own = job["rankInputs"][rank] if rank < len(job["rankInputs"]) else {}
    return {**{name: _value(job, name, value, rank) for name, value in job["args"].items()}, **_inputs({**job["inputs"], **own})}


def _refer(name: str, module: ModuleType, given: Dict[str, Any]) -> None:
    """Hands over what a function of the file makes of the kernel's arguments: what its outputs should be."""
    function = getattr(module, name, None)
    if not callable(function):
        raise HostError("NoReference", f"{os.path.basename(module.__file__ or '')} has no function {name} to compare with")
    taken = inspect.signature(function).parameters
    result = function(**{key: _held(key, value) for key, value in given.items() if key in taken or _takes_any(taken.values())})
    outputs = result if isinstance(result, (tuple, list)) else (result,)
    made = [arrays.to_host(f"result {k} of {name}", output) for k, output in enumerate(outputs)]
    missing = [type(output).__name__ for output, array in zip(outputs, made) if array is None]
    if missing:
        raise TypeError(f"{name} returns {', '.join(missing)}: a reference returns an array for each output of the kernel")
    host.call({"call": "reference", "function": name, "arrays": [array.handle for array in made if array is not None]})


def _held(name: str, value: Any) -> Any:
    """An argument as a script would hold it."""
    array = arrays.to_host(name, value)
    return value if array is None else arrays.from_host(array, "", True)


def _takes_any(parameters: Any) -> bool:
    return any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)


def _inputs(entries: Dict[str, Any]) -> Dict[str, host.HostArray]:
    """Arrays that the host has read from files."""
    return {name: host.HostArray(entry["array"], entry["shape"], entry["dtype"]) for name, entry in entries.items()}


def _value(job: Dict[str, Any], name: str, value: Any, rank: int) -> Any:
    """An argument as people type it: `bf16[128,512]` is a tensor, everything else itself."""
    match = _SPEC.match(value) if isinstance(value, str) else None
    if match is None:
        return value
    dtype = dtypes.parse(match.group(1), f"argument {name}")
    shape: List[int] = [int(word) for word in match.group(2).split(",") if word.strip()]
    if views.elements(shape) > _MOST_ELEMENTS:
        raise HostError("ValueError", f"argument {name}={value}: no machine holds an array of that size")
    return ShapeOnly(shape, dtype) if job["fill"] == "zeros" else _random(name, dtype, shape, rank)


def _random(name: str, dtype: dtypes.Dtype, shape: List[int], rank: int) -> host.HostArray:
    """Seeded by the parameter's name and the rank: the same every run."""
    stream = host.operate("generator", "uint32", [0], algorithm="mt19937", seed=str(zlib.crc32(name.encode()) + rank))
    if dtype.kind == "float":
        drawn = host.operate("random.uniform", "float32", shape, low=_FLOATS[0], high=_FLOATS[1], generator=stream.handle)
    else:
        high = 1 if dtype == "bool" else _INTS[1]
        drawn = host.operate("random.integers", "int32", shape, low=_INTS[0], high=high, generator=stream.handle)
    return host.operate("cast", dtype, shape, [drawn])
