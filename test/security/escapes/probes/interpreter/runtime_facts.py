"""What the interpreter says of the machine that it was built on and runs on: the builder's path, the user's name."""

import os
import sys
import sysconfig

_texts = [*os.environ.values(), repr(getattr(sys, "_emscripten_info", "")), sys.executable, repr(sysconfig.get_config_vars())]
_ours = ("PATH", "PWD", "HOME", "LD_LIBRARY_PATH", "NKI_SCOPE_HOST_DEVICE", "NEURON_PLATFORM_TARGET_OVERRIDE")
_theirs = {k: v for k, v in os.environ.items() if v.startswith("/") and k not in _ours and not k.startswith("BAIT_")}
got = sorted(_theirs.values()) or None
