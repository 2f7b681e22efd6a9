"""`neuronxcc.nki.isa`: the instructions as the legacy dialect spells them, with returned tiles and `mask=`."""

from nki._record.calls import functions as _functions
from nki._record.language import language as _language
from nki._record.vocabulary import enums as _enums

globals().update(_enums.ENUMS)
globals().update(_functions.generate("neuronxcc", "nki.isa"))
globals().update(_enums.ENGINES)

fp32 = _language.fp32
get_nc_version = _language.get_nc_version

__all__ = [_name for _name in globals() if not _name.startswith("_")]
__getattr__ = _functions.missing(__name__, globals())

from . import constants  # noqa: E402, F401 - after the names that these modules take from here
