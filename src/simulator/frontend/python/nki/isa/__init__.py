"""`nki.isa`: one function per machine instruction, generated from the instruction table."""

from .._record.calls import functions as _functions
from .._record.control import registers as _registers
from .._record.language import language as _language
from .._record.tensors.tensor import Tensor as NkiTensor
from .._record.vocabulary import enums as _enums
from .._record.vocabulary.errors import NkiValidationError
from .._record.vocabulary.instructions import NkiInstruction
from .._record.vocabulary.objects import NKIObject

globals().update(_enums.ENUMS)
globals().update(_functions.generate("nki", "nki.isa"))
globals().update(_registers.isa_names())  # in place of what the table alone gives
globals().update(_enums.ENGINES)

get_nc_version = _language.get_nc_version
get_nc_sub_version = _language.get_nc_sub_version

__all__ = [*(_name for _name in globals() if not _name.startswith("_")), "NKIObject", "NkiInstruction", "NkiTensor", "NkiValidationError"]
__getattr__ = _functions.missing(__name__, globals())

from . import constants  # noqa: E402, F401 - after the names that these modules take from here
