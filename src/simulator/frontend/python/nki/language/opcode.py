"""`nki.language.opcode`: operations that `nki.isa` takes as `op`, the same as those of `nki.language`.

Source: `attention_cte` of nki-library for NKI 0.6, which imports `maximum` from here. AWS's documents do not name this module.
"""

from .._record.calls.functions import LANGUAGE as _LANGUAGE

globals().update({_name: _made for _name, _made in _LANGUAGE.items() if _name != "dynamic_range"})

__all__ = [_name for _name in globals() if not _name.startswith("_")]
