/** The stages of a simulation with the machine of the program's target: what tests of one stage call. */
import { machineFor } from '../../src/simulator/hardware/targets';
import type { Check } from '../../src/simulator/program/check';
import type { Program } from '../../src/simulator/program/program';
import { verify as verifyOn } from '../../src/simulator/program/verify';

/** @throws KernelError */
export const verify = (program: Program): Check[] => verifyOn(program, machineFor(program.target));
