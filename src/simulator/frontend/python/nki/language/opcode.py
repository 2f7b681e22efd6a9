"""`nki.language.opcode`: operations that `nki.isa` takes as `op`, the same as those of `nki.language`.

Source: `attention_cte` of nki-library for NKI 0.6, which imports `maximum` from here. AWS's documents do not name this module.
"""

from .._record.calls import functions as _functions

globals().update(_functions.LANGUAGE)

__all__ = list(_functions.LANGUAGE)
__getattr__ = _functions.missing(__name__, globals())
