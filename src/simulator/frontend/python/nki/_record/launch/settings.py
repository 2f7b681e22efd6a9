"""What a run asks for: the target, the version of NKI, limits, ranks, numerics."""

from __future__ import annotations

import os
from enum import Enum
from typing import Optional

from ..vocabulary.context import context
from ..vocabulary.enums import ENUMS
from ..vocabulary.table import DEFAULT_TARGET, machine_of


class Settings:
    """What a run asks for; set from the job, or from the environment."""

    target = DEFAULT_TARGET
    instruction_limit = 0
    progress_every = 0
    #: Version of NKI that kernels are written for, as the program that started the run says; "": the environment's, else the newest.
    nki_version = ""
    #: True when the start of the run chose the target: a kernel's own platform_target= and what a script sets then give way.
    target_is_given = False
    #: Ranks that every kernel call of the script runs on; None: one, or as many as its collectives name.
    ranks: Optional[int] = None
    #: True when the host measures the script's time between kernel calls.
    host_time = False


settings = Settings()


def is_precise() -> bool:
    """False with NKI_PRECISE_FP=0: floats of less than 32 bits are held as float32, so that nothing is rounded on the way.

    Source: aws-neuron-sdk nki/guides/nki_simulator.rst "Precise Floating-Point Mode".
    """
    return os.environ.get("NKI_PRECISE_FP", "1") != "0"


def asked_for(target: Optional[str]) -> str:
    """The target of a call. `target`: of the kernel's decorator. AWS's guides set the variable after they import nki."""
    if settings.target_is_given:
        return settings.target
    return target or os.environ.get("NEURON_PLATFORM_TARGET_OVERRIDE") or settings.target


def nc_version() -> Enum:
    """The generation being simulated as an `nki.isa.nc_version`."""
    generation = context.generation if context.call is not None else machine_of(asked_for(None)).generation
    return ENUMS["nc_version"][f"gen{generation[1:]}"]
