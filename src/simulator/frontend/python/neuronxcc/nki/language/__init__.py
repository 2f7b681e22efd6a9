"""`neuronxcc.nki.language`: the legacy dialect's functions over tiles."""

from nki._record.allocation import traced as _traced
from nki._record.calls import functions as _functions
from nki._record.calls.reductions import all_reduce, loop_reduce  # noqa: F401 - public here
from nki._record.language import language as _language
from nki._record.values import printing as _printing
from nki._record.wire import arrays as _arrays

globals().update(_language.names())
globals().update(_functions.generate("neuronxcc", "nki.language"))


def affine_range(start, stop=None, step=1, directives=None, precise_schedule=False):
    """`range` whose iterations do not depend on each other; its body is traced once. The keywords are for the compiler."""
    return _traced.TracedRange(_language.affine_range(start, stop, step))


def sequential_range(start, stop=None, step=1, directives=None):
    """`range` whose iterations run in order; its body is traced once."""
    return _traced.TracedRange(_language.sequential_range(start, stop, step))


device_print = _printing.legacy_device_print


def broadcast_to(src, shape, **_options):
    """View repeated to a larger shape."""
    return src.broadcast_to(tuple(shape))


_arrays.name_narrow_types()

__all__ = [_name for _name in globals() if not _name.startswith("_")]
__getattr__ = _functions.missing(__name__, globals())

from . import constants, iterators  # noqa: E402, F401 - after the names that these modules take from here
