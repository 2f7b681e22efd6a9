"""Many variants of a kernel, each timed once: here, or on the workers of a Dask cluster.

Finished points can be kept in a folder, which several machines may share. Whoever asks for a point that is there gets it from there.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import itertools
import json
import os
import tempfile
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from .profiles import Profile

#: Points that wait at a cluster for each of its threads: its workers are never idle, and little is lost with one.
_WAITING = 2


class Variant(NamedTuple):
    """A point of a sweep, and what came of it."""

    parameters: Dict[str, Any]
    #: None where it does not run.
    total_ns: Optional[float]
    #: Within which the total is likely to be on hardware.
    interval: Optional[Tuple[float, float]]
    #: What bounds its time.
    bound: List[str]
    #: Why it does not run; None: it does.
    error: Optional[str]


Points = Union[Mapping[str, Sequence[Any]], Sequence[Mapping[str, Any]]]


def sweep(
    run: Callable[..., Profile],
    over: Points,
    *,
    where: Optional[Callable[..., bool]] = None,
    client: Any = None,
    keep: Optional[str] = None,
    part: Tuple[int, int] = (0, 1),
) -> List[Variant]:
    """Calls `run(**point)` for every point and returns what came of each, in the order of the points.

    `run`: calls `profile` and returns what that returns. What it raises is the point's error.
    `over`: values by parameter, of which every combination is a point; or a list of points. The same point is run once.
    `where`: points for which it is false are left out.
    `client`: of Dask. Its workers run the points; they need this package and `run`'s own modules. A point of a worker that dies is run
    again.
    `keep`: a folder. Finished points are kept in it, and are not run again, unless `run`'s text, a file that it profiled, or the
    engine has changed.
    `part`: (index, count): only every count-th point from index on, for jobs that share the work and a folder.
    """
    index, count = part
    points = [point for k, point in enumerate(_points(over, where)) if k % count == index]
    if client is None:
        return [_kept(run, point, keep) for point in points]
    return _on_cluster(run, points, client, keep)


def _points(over: Points, where: Optional[Callable[..., bool]]) -> Iterator[Dict[str, Any]]:
    known = set()
    every: Iterable[Mapping[str, Any]] = over if not isinstance(over, Mapping) else _grid(over)
    for point in every:
        name = _name(point)
        if name not in known and (where is None or where(**point)):
            known.add(name)
            yield dict(point)


def _grid(over: Mapping[str, Sequence[Any]]) -> Iterator[Dict[str, Any]]:
    for values in itertools.product(*over.values()):
        yield dict(zip(over, values))


def _name(point: Mapping[str, Any]) -> str:
    return json.dumps(point, sort_keys=True, default=repr)


def _on_cluster(run: Callable[..., Profile], points: Sequence[Dict[str, Any]], client: Any, keep: Optional[str]) -> List[Variant]:
    """Results are fetched as they come, and points are handed out as room is: what is lost with a worker is what it was running."""
    from distributed import as_completed

    found: Dict[int, Variant] = {}
    waiting = iter(enumerate(points))
    places: Dict[str, int] = {}

    def submit(number: int) -> Any:
        future = client.submit(_kept, run, points[number], keep, pure=False)
        places[future.key] = number
        return future

    room = max(1, _WAITING * sum(client.nthreads().values()))
    first = [submit(number) for number, _ in itertools.islice(waiting, room)]
    pending = as_completed(first, loop=client.loop, with_results=True, raise_errors=False)
    for future, result in pending:
        number = places.pop(future.key)
        found[number] = result if isinstance(result, Variant) else _lost(points[number], result)
        more = next(waiting, None)
        if more is not None:
            pending.add(submit(more[0]))
    return [found[number] for number in range(len(points))]


def _lost(point: Dict[str, Any], failure: Any) -> Variant:
    """The cluster gave it up, for example because it has ended several workers. `failure`: an exception, or its type, itself, traceback."""
    error = failure[1] if isinstance(failure, tuple) else failure
    return Variant(point, None, None, [], f"{type(error).__name__}: {error}")


def _kept(run: Callable[..., Profile], point: Dict[str, Any], keep: Optional[str]) -> Variant:
    """From the folder, or run and put there."""
    if keep is None:
        return _run(run, point)[0]
    key = hashlib.sha256("\0".join([_source(run), _name(point), _engine()]).encode()).hexdigest()
    place = os.path.join(keep, f"{key[:32]}.json")
    known = _read(place)
    if known is not None:
        return known
    variant, files = _run(run, point)
    os.makedirs(keep, exist_ok=True)
    # a reader, or another worker, sees all of it or nothing
    handle, name = tempfile.mkstemp(dir=keep, suffix=".part")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({**variant._asdict(), "files": files}, file, default=repr)
    os.replace(name, place)
    return variant


def _read(place: str) -> Optional[Variant]:
    try:
        with open(place, encoding="utf-8") as file:
            known = json.load(file)
    except (OSError, ValueError):
        return None
    files = known.pop("files")
    if any(_sha256(path) != sha256 for path, sha256 in files.items()):
        return None
    interval = known.pop("interval")
    return Variant(**known, interval=None if interval is None else (interval[0], interval[1]))


def _run(run: Callable[..., Profile], point: Dict[str, Any]) -> Tuple[Variant, Dict[str, str]]:
    """And the files that it profiled."""
    try:
        profile = run(**point)
        return Variant(point, profile.total_ns, profile.interval, profile.bound, None), profile.files
    except Exception as error:
        return Variant(point, None, None, [], f"{type(error).__name__}: {error}"), {}


def _source(run: Callable[..., Any]) -> str:
    """What `run` is: its text, where there is one, and what a partial function is given."""
    if isinstance(run, functools.partial):
        return f"{_source(run.func)} {run.args!r} {sorted(run.keywords.items())!r}"
    function = inspect.unwrap(run)
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', repr(function))}"


@functools.cache
def _engine() -> str:
    """What records and times kernels, as `modelVersion` of `service/sweeps/` names it: the build's programs and Python packages."""
    build = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    programs = sorted(name for name in os.listdir(build) if name.endswith(".mjs"))
    whole = hashlib.sha256()
    for name in [*programs, "pyodide/snapshot.sha256"]:
        with open(os.path.join(build, name), "rb") as file:
            whole.update(f"\0{name}\0".encode() + file.read())
    return whole.hexdigest()[:32]


def _sha256(path: str) -> Optional[str]:
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError:
        return None
