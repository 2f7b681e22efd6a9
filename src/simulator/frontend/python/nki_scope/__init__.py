"""What NKI Scope adds for scripts that run on the simulator; AWS's own packages have nothing like it.

`profile` times a kernel, `simulate` computes its values, `sweep` times many variants of it, here or on other machines.
`nki_scope.pytest_plugin` holds kernels to their times in tests.
"""

from __future__ import annotations

from nki._record.vocabulary.layers import Layer as layer

from .profiles import Profile, profile, simulate
from .ranks import on_ranks
from .sweeps import Variant, sweep

__all__ = ["Profile", "Variant", "layer", "on_ranks", "profile", "simulate", "sweep"]
