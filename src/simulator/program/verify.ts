/**
 * Finds errors and probable mistakes in a program before compilation, with one rule per file of `checks/`. An error is code that the
 * machine cannot run. A warning is code that runs, but is probably a mistake. The front end checks each call when it is made; these rules
 * check any Program, whatever its source.
 */
import type { Machine } from '../hardware/machine';
import type { Check } from '../vocabulary/check';
import { bounds } from './checks/bounds';
import { CheckedProgram, type CheckRule, Warnings } from './checks/checkedProgram';
import { compilerRefuses } from './checks/compilerRefuses';
import { constraints } from './checks/constraints';
import { language } from './checks/language';
import { loopTensors } from './checks/loopTensors';
import { matmul } from './checks/matmul';
import { outputs } from './checks/outputs';
import { partitions } from './checks/partitions';
import { rows } from './checks/rows';
import { startPartition } from './checks/startPartition';
import { tensors } from './checks/tensors';
import { unwritten } from './checks/unwritten';
import { WrittenElements } from './checks/written';
import { instructionCount, type Program, tensorCount } from './program';

/** @returns warnings, by line. @throws KernelError for the first error. */
export function verify(program: Program, machine: Machine): Check[] {
  const checked = new CheckedProgram(program, machine);
  const warnings = new Warnings(program);
  const rules = rulesFor(checked, warnings);
  for (const rule of rules) if (rule.tensor) for (let t = 0; t < tensorCount(program); t++) rule.tensor(t);
  const each = rules.flatMap(rule => rule.instruction ?? []);
  for (let i = 0; i < instructionCount(program); i++) for (const instruction of each) instruction(i);
  for (const rule of rules) rule.end?.();
  return warnings.sorted();
}

/** Rules run in this order: each may rely on the checks of earlier ones. */
function rulesFor(checked: CheckedProgram, warnings: Warnings): CheckRule[] {
  const written = new WrittenElements(checked);
  return [
    tensors(checked),
    rows(checked),
    bounds(checked),
    partitions(checked),
    matmul(checked),
    constraints(checked),
    compilerRefuses(checked, warnings),
    startPartition(checked, warnings),
    unwritten(checked, warnings, written),
    outputs(checked, warnings, written),
    loopTensors(checked, warnings),
    language(checked, warnings),
  ];
}
