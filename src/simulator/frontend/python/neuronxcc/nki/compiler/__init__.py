"""`neuronxcc.nki.compiler`: marks for the compiler, and memory that the kernel allocates itself.

Source of names and meanings: aws-neuron-sdk nki/api/nki/compiler/__init__.py at 1db4d74e.
"""

from contextlib import nullcontext as _nullcontext

from nki._record.allocation import placement as _placement
from nki._record.calls import functions as _functions
from nki._record.language import language as _language
from nki._record.launch import kernels as _kernels
from nki._record.tensors.memory import MemoryRegion as _Region


class _Memory:
    """SBUF or PSUM: as a `buffer=` itself (addresses chosen by the allocator), or the maker of one with chosen addresses."""

    def __init__(self, region, alloc, mod_alloc):
        self.region = region
        self.alloc = alloc
        self.mod_alloc = mod_alloc

    def auto_alloc(self):
        """The memory, with addresses chosen by the allocator."""
        return self.region


sbuf = _Memory(_Region.sbuf, _placement.sbuf_alloc, _placement.sbuf_mod_alloc)
psum = _Memory(_Region.psum, _placement.psum_alloc, _placement.psum_mod_alloc)

skip_middle_end_transformations = _kernels.skip_middle_end_transformations
force_auto_alloc = _kernels.force_auto_alloc
no_reorder = _language.no_reorder


def enable_stack_allocator(func=None, log_level=50):
    """Marks a kernel for the compiler's stack allocator. The simulator's allocator packs tensors by their lives anyway."""
    return (lambda function: function) if func is None else func


def multi_buffer(factor=2):
    """A directive for ranges: how many buffers the compiler should rotate. The simulator's allocator alternates if there is space."""
    return _nullcontext()


def allocation_scope():
    """A scope of allocations: `with` it."""
    return _nullcontext()


__all__ = [
    "allocation_scope",
    "enable_stack_allocator",
    "force_auto_alloc",
    "multi_buffer",
    "no_reorder",
    "psum",
    "sbuf",
    "skip_middle_end_transformations",
]
__getattr__ = _functions.missing(__name__, globals())
