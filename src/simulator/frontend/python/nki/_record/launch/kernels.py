"""Kernels: the objects that `@nki.jit` and similar decorators make of a function. A call records and simulates the kernel."""

from __future__ import annotations

import functools
import inspect
from types import CodeType, MethodType
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from ..calls.grid import NeuronCores
from ..program import schedule
from ..vocabulary.context import context
from ..vocabulary.errors import HostIndexError, NkiValidationError, as_index_error
from . import benchmark as table_of_latency
from . import calling, configs, logical_cores, saving, tracebacks
from .call_arguments import Arguments
from .launch import Launch
from .settings import settings

#: Every kernel that was defined so far, in order.
defined: List[Kernel] = []
#: Number of kernel calls that ran.
calls_made = 0


class Kernel:
    """A kernel function. `kernel(...)` runs it; `kernel[grid](...)` once per program of the grid."""

    def __init__(self, function: Callable[..., Any], dialect: str, options: Dict[str, Any], grid: Tuple[int, ...] = ()) -> None:
        """`options`: mode, platform_target and whatever else the decorator was given; only the target matters here."""
        self.func = function
        self.dialect = dialect
        self.options = options
        self.grid = grid
        self.configs = configs.of_options(options)
        functools.update_wrapper(self, function)
        #: Of nki.benchmark, after a call.
        self.benchmark_result: Optional[table_of_latency.BenchmarkResult] = None
        self._listed = self

    def __getitem__(self, grid: Any) -> Kernel:
        """The kernel on a launch grid."""
        sizes = grid if isinstance(grid, tuple) else (grid,)
        bound = type(self)(self.func, self.dialect, self.options, tuple(_extent(size) for size in sizes))
        bound._listed = self._listed
        return bound

    def __get__(self, instance: Any, owner: Any = None) -> Kernel:
        """A kernel that is a method, bound to its object."""
        if instance is None:
            return self
        bound = type(self)(MethodType(self.func, instance), self.dialect, self.options, self.grid)
        bound._listed = self._listed
        return bound

    def with_schedule(self, edges: Any) -> Kernel:
        """The kernel whose instructions wait for others by name: pairs (later, earlier) or (later, [earlier, ...])."""
        bound = type(self)(self.func, self.dialect, {**self.options, "schedule": schedule.edges(edges)}, self.grid)
        bound._listed = self._listed
        return bound

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the kernel; inside another kernel its instructions become part of that one."""
        if context.call is not None:
            if self.grid:
                raise NkiValidationError(f"{self.func.__name__}{list(self.grid)}: a kernel that another kernel calls takes no grid")
            configs.check_nested(context.call.configs, self.configs, self.func.__name__)
            return self.func(*args, **kwargs)
        return self.ended(self.run_on_ranks([(args, kwargs)] * (settings.ranks or 1), or_more=settings.ranks is None))[0].results

    def ended(self, ran: List[calling.Ran]) -> List[calling.Ran]:
        """A call of a script has run: does what the decorator adds."""
        return ran

    def run_on_ranks(self, ranks: Sequence[Arguments], fetch: bool = True, or_more: bool = False) -> List[calling.Ran]:
        """Runs the kernel once per rank, with its arguments. `or_more`: as `calling.run`."""
        global calls_made
        calls_made += 1
        try:
            return calling.run(self.func, self._launch, self.options.get("platform_target"), ranks, fetch, or_more)
        except HostIndexError as error:
            raise tracebacks.trim(as_index_error(error).with_traceback(error.__traceback__)) from None
        except Exception as error:
            tracebacks.trim(error)
            raise

    def _launch(self) -> Launch:
        literal = self.dialect == "nki" or bool(getattr(self.func, "_nki_scope_literal", False))
        simulated = self.dialect == "neuronxcc" and self.options.get("mode") == "simulation"
        edges, ignores = self.options.get("schedule", []), bool(getattr(self.func, "_nki_scope_auto_alloc", False))
        name = getattr(self.func, "__name__", type(self.func).__name__)
        grid = logical_cores.grid(name, self.grid) if self.dialect == "nki" else self.grid
        return Launch(name, self.dialect, literal, grid, simulated, edges, ignores, self.configs)


def _extent(size: Any) -> int:
    """An extent of a grid, still marked when `nl.nc` marked it."""
    if isinstance(size, (float, str)) or int(size) < 0:
        raise ValueError(f"a launch grid has whole numbers of programs, at least 1 along each axis, not {size!r}")
    if isinstance(size, NeuronCores):
        return size
    return max(1, int(size))  # [0], as AWS's pipelined attention has it, is one program


class BenchmarkKernel(Kernel):
    """`nki.benchmark`: runs the kernel and prints the table of latencies; `benchmark_result` has the latency."""

    def ended(self, ran: List[calling.Ran]) -> List[calling.Ran]:
        """Latencies are those of the first rank."""
        ncl_us = max(1, round(ran[0].reply["nclUs"]))  # neuron-bench counts whole microseconds
        result = table_of_latency.BenchmarkResult(ncl_us)
        self.benchmark_result = self._listed.benchmark_result = result  # type: ignore[attr-defined]
        print(table_of_latency.text(ncl_us, self.options.get("save_neff_name") or "file.neff"))
        _save(self.options.get("save_trace_name"), len(ran))
        return ran


class BaremetalKernel(Kernel):
    """`nki.baremetal`: runs the kernel and saves its profile where the trace would go."""

    def ended(self, ran: List[calling.Ran]) -> List[calling.Ran]:
        """Of each rank."""
        _save(self.options.get("save_trace_name"), len(ran))
        return ran


class ProfileKernel(Kernel):
    """`nki.profile`: runs the kernel and saves the profile of its n-th execution in the working directory."""

    def ended(self, ran: List[calling.Ran]) -> List[calling.Ran]:
        """Of each rank."""
        for said in saving.save(saving.asked(self.options), len(ran)):
            if said not in _said:
                _said.add(said)
                print(said)
        return ran

    def _launch(self) -> Launch:
        """Refuses wrong options before anything is recorded."""
        saving.asked(self.options)
        return super()._launch()


#: What was printed of saved profiles: once is enough where a script calls a kernel many times.
_said: Set[str] = set()


def _save(trace_name: Optional[str], ranks: int) -> None:
    if trace_name:
        saving.save_beside(trace_name, ranks)


def decorator(dialect: str, name: str, make: Callable[..., Kernel] = Kernel, **defaults: Any) -> Callable[..., Any]:
    """A decorator in all its spellings: bare, with keywords, called on a function or on another kernel."""

    def decorate(func: Any = None, *args: Any, **options: Any) -> Any:
        if args:
            options = {"mode": args[0], **options}
        merged = {**defaults, **options}
        if func is None:
            return lambda function: decorate(function, **options)
        grid, inner = (), func
        if isinstance(func, Kernel):
            grid, inner, merged = func.grid, func.func, {**func.options, **merged}
        chosen = _of_mode(merged.get("mode"), make)
        kernel = chosen(inner, dialect, merged, grid)
        _list(kernel)
        return kernel

    decorate.__name__ = decorate.__qualname__ = name
    decorate.__doc__ = (
        f"`@nki.{name}`: makes a kernel of a function. Keywords of NKI's own are accepted; platform_target chooses the machine."
    )
    return decorate


def decorators(dialect: str) -> Tuple[Callable[..., Any], ...]:
    """`jit`, `trace`, `benchmark`, `baremetal`, `profile` and `simulate` of a dialect."""

    def _simulate(kernel: Any) -> Kernel:
        """A callable that runs `kernel` on the simulator."""
        return simulate(dialect, kernel)

    _simulate.__name__ = _simulate.__qualname__ = "simulate"
    return (
        decorator(dialect, "jit"),
        decorator(dialect, "trace"),
        decorator(dialect, "benchmark", BenchmarkKernel),
        decorator(dialect, "baremetal", BaremetalKernel),
        decorator(dialect, "profile", ProfileKernel, save_trace_name="profile.ntff"),
        _simulate,
    )


def _of_mode(mode: Any, make: Callable[..., Kernel]) -> Callable[..., Kernel]:
    return {"benchmark": BenchmarkKernel, "profile": ProfileKernel, "baremetal": BaremetalKernel}.get(mode, make)  # type: ignore[return-value]


def of_file(file: str) -> List[Kernel]:
    """Those whose function stands in this file."""
    return [kernel for kernel in defined if code_of(kernel).co_filename == file]


def offered(file: str) -> List[Kernel]:
    """Kernels to offer if the script calls none: those of its file, else those that it imports."""
    by_code = {code_of(kernel): kernel for kernel in of_file(file) or defined}
    return list(by_code.values())


def code_of(kernel: Kernel) -> CodeType:
    """Code of the function of a listed kernel, below its decorators."""
    return inspect.unwrap(kernel.func).__code__  # type: ignore[attr-defined]


def _list(kernel: Kernel) -> None:
    """Lists a kernel. Other callables, as a functools.partial or a mock, cannot be run: a call says so."""
    if not hasattr(inspect.unwrap(kernel.func), "__code__"):
        return
    defined[:] = [known for known in defined if known.func is not kernel.func]
    defined.append(kernel)


def simulate(dialect: str, kernel: Any) -> Kernel:
    """A callable that runs the kernel on the simulator: what every kernel does here."""
    return kernel if isinstance(kernel, Kernel) else Kernel(kernel, dialect, {})


def simulate_kernel(kernel: Any, *args: Any, **kwargs: Any) -> Any:
    """Runs a kernel on the simulator and returns its results."""
    given = simulate("neuronxcc", kernel)
    return Kernel(given.func, given.dialect, {**given.options, "mode": "simulation"}, given.grid)(*args, **kwargs)


def skip_middle_end_transformations(func: Any = None) -> Any:
    """Marks a legacy kernel to run as written."""
    return _marked(func, "_nki_scope_literal")


def force_auto_alloc(func: Any = None) -> Any:
    """Marks a legacy kernel whose own addresses are ignored: the allocator chooses."""
    return _marked(func, "_nki_scope_auto_alloc")


def _marked(func: Any, mark: str) -> Any:
    if func is None:
        return lambda function: _marked(function, mark)
    setattr(func.func if isinstance(func, Kernel) else func, mark, True)
    return func
