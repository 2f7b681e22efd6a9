/** NaN and infinity in a kernel's results, as checks on the lines that they come from. */
import { iterationText } from '../analyze/places';
import { firstNonFinite, type NonFinite, nonFiniteIn, type OperandSummary } from '../execute/nonFinite';
import type { Program } from '../program/program';
import type { Check } from '../vocabulary/check';
import type { BackendValues, SteppedExecution } from './backend';

interface Computed {
  /** Tensor -> values. */
  given: ReadonlyMap<number, BackendValues>;
  outputs: readonly BackendValues[];
  stepped(): SteppedExecution;
  shouldStop(): boolean;
}

/**
 * None where results are finite, and where the inputs hold such values already, or nothing but zeros: those are asked for when only times
 * are, and dividing by them says nothing of the kernel.
 */
export function nonFiniteChecks(program: Program, { given, outputs, stepped, shouldStop }: Computed): Check[] {
  const kinds = outputs.map(nonFiniteIn).filter(kind => kind !== null);
  if (kinds.length === 0) return [];
  const inputs = [...given.values()];
  if (inputs.some(values => nonFiniteIn(values) !== null)) return [];
  if (inputs.length > 0 && inputs.every(isZero)) return [];
  const execution = stepped();
  const inspect = (instruction: number) => execution.at(instruction, { shouldStop, onProgress: () => {} });
  return firstNonFinite(program, kinds.includes('NaN') ? 'NaN' : 'infinity', inspect).map(found => checkOf(program, found));
}

function isZero(values: BackendValues): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0) return false;
  return true;
}

function checkOf(program: Program, { kind, instruction, operation, written, read }: NonFinite): Check {
  const { frame, iteration } = program.instructions;
  const { file, line } = program.frames;
  const loops = iterationText(program, iteration[instruction]);
  const { nans, infinities, elements } = written.statistics;
  const count = kind === 'NaN' ? nans : infinities;
  const reads = read.length > 0 ? ` It reads ${read.map(readText).join(', ')}.` : '';
  const where = loops ? ` in ${loops}` : '';
  return {
    severity: 'warning',
    message: `First ${kind}${where}: ${operation} writes ${count} of ${elements} elements of ${written.tensor} (${written.dtype}).${reads}`,
    file: program.files[file[frame[instruction]]].path,
    line: line[frame[instruction]],
    instruction,
  };
}

function readText({ name, tensor, statistics: { min, max } }: OperandSummary): string {
  const range = min === null || max === null ? 'nothing finite' : min === max ? `all ${short(min)}` : `${short(min)} to ${short(max)}`;
  return `${name} (${tensor}: ${range})`;
}

const short = (value: number) => String(Number(value.toPrecision(4)));
