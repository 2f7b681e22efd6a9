"""An override of `String.prototype.replace` makes `saveProfile` write outside of the workspace."""

import _kernel
from bait import OUTSIDE, intrinsics

from nki._record.wire import host

_object, _string, _, _to_js = intrinsics()
_kernel.run()
_target = _object("../" * 20 + OUTSIDE.strip("/") + "/saved")
_string.prototype.replace = _target.valueOf.bind(_target)
got = host.call({"call": "saveProfile", "name": "plain"})[0]["path"] if _string else None
