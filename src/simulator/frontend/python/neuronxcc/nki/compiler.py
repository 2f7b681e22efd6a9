"""`neuronxcc.nki.compiler`: marks for the compiler. Manual allocation is an error, never ignored."""

from nki._record import functions as _functions
from nki._record.errors import NkiUnsupportedError as _Unsupported
from nki._record.kernels import skip_middle_end_transformations
from nki._record.memory import MemoryRegion as _Region


class _Allocation:
    def __init__(self, where):
        self._where = where

    def auto_alloc(self):
        """The memory, with addresses chosen by the allocator."""
        return self._where

    def __getattr__(self, name):
        raise _Unsupported(f"nki.compiler.{self._where.name}.{name} (manual allocation) is not supported by this version of NKI Scope")


sbuf = _Allocation(_Region.sbuf)
psum = _Allocation(_Region.psum)

__all__ = ["psum", "sbuf", "skip_middle_end_transformations"]
__getattr__ = _functions.missing(__name__, globals())
