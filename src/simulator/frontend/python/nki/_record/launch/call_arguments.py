"""Arguments of a kernel call: arrays become tensors, wherever they stand in lists and dictionaries; all else stays as it is."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from ..program import locations, program
from ..vocabulary.errors import HostError
from ..wire import arrays, host
from .launch import Launch

#: Positional and named arguments.
Arguments = Tuple[Sequence[Any], Dict[str, Any]]


def as_tensors(
    function: Callable[..., Any], launch: Launch, args: Sequence[Any], kwargs: Dict[str, Any]
) -> Tuple[List[Any], Dict[str, Any]]:
    """Arrays as tensors; everything else as it is. Also makes frame 0: the kernel's `def`."""
    locations.frame_of_function(function)
    _check_function(function)
    bound = inspect.signature(function).bind(*args, **kwargs)
    for name, value in bound.arguments.items():
        bound.arguments[name] = _argument(launch, name, value)
    return list(bound.args), bound.kwargs


def _check_function(function: Callable[..., Any]) -> None:
    """A kernel runs from its first line to its last when it is called."""
    plain = inspect.unwrap(function)
    generator = inspect.isgeneratorfunction(plain) or inspect.isasyncgenfunction(plain)
    if generator or inspect.iscoroutinefunction(plain):
        kind = "a generator: return its results instead of yielding them" if generator else "a coroutine: define it with def, not async def"
        error = HostError("TypeError", f"the kernel {plain.__name__} is {kind}")
        error.location = program.frame_location(program.KERNEL_FRAME)
        raise error


def _argument(launch: Launch, name: str, value: Any) -> Any:
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        return type(value)(_argument(launch, f"{name}_{k}", item) for k, item in enumerate(value))
    if isinstance(value, dict):
        return {key: _argument(launch, f"{name}_{key}", item) for key, item in value.items()}
    array = arrays.to_host(name, value)
    if array is None:
        launch.others.append(value)
        return value
    tensor = launch.input(name, array)
    launch.arguments.append((name, tensor._storage, value))
    launch.given.append(array)
    return tensor


def leaves(name: str, value: Any) -> Iterator[Tuple[str, Optional[host.HostArray], Any]]:
    """What `_argument` finds in an argument, without a tensor for it."""
    if isinstance(value, (tuple, list)) and not hasattr(value, "_fields"):
        for k, item in enumerate(value):
            yield from leaves(f"{name}_{k}", item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(f"{name}_{key}", item)
    else:
        yield name, arrays.to_host(name, value), value
