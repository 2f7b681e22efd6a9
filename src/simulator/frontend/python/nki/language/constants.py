"""`nki.language.constants`: sizes of dtypes and of the machine."""

from .._record.calls import functions as _functions
from .._record.language import language as _language
from .._record.vocabulary import dtypes as _dtypes

fp32 = _language.fp32
bfp16 = _language.bfp16
tile_size = _language.tile_size
psum_min_align = tile_size.psum_min_align
sbuf_min_align = tile_size.sbuf_min_align


def sizeinbytes(dtype):
    """Bytes of one element."""
    return _dtypes.parse(dtype).itemsize


__all__ = [_name for _name in globals() if not _name.startswith("_")]
__getattr__ = _functions.missing(__name__, globals())
