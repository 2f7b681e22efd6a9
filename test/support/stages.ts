/** The stages of a simulation with the machine of the program's target: what tests of one stage call. */
import { type CompileRequest, compile as compileFor } from '../../src/simulator/compile/compile';
import type { Compiled } from '../../src/simulator/compile/compiled';
import { neuronPolicy } from '../../src/simulator/compile/neuronPolicy';
import { machineFor } from '../../src/simulator/hardware/targets';
import { withValues } from '../../src/simulator/hardware/withValues';
import type { Program } from '../../src/simulator/program/program';
import { verify as verifyOn } from '../../src/simulator/program/verify';
import type { Check } from '../../src/simulator/vocabulary/check';

/** @throws KernelError */
export const verify = (program: Program): Check[] => verifyOn(program, machineFor(program.target));

/** Keeps the order of the program, for tests of what stands where in it. */
export const inOrder = withValues(neuronPolicy, { passes: neuronPolicy.passes.value.filter(name => name !== 'list scheduling') });

/** Leaves all loads in a kernel that runs as written, for tests of kernels that repeat them. */
export const allLoads = withValues(neuronPolicy, { loadWindowBytes: 0 });

/** @throws KernelError */
export const compile = (program: Program, request: Partial<CompileRequest> = {}): Compiled =>
  compileFor(program, { machine: machineFor(program.target), policy: neuronPolicy, ...request });
