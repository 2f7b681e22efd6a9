/** What is said of a run's precision: by line, how far its results are off from double precision; and outputs against a reference. */
import { iterationText } from '../analyze/places';
import type { NarrowedExecution } from '../execute/narrowed';
import { compareValues, type DoublePrecisionErrors, type ValueErrors } from '../execute/precision';
import { unpackBytes } from '../execute/rounding';
import { instructionCount, type Program } from '../program/program';
import { type BackendValues, RunError } from './backend';
import { NpyError, readNpy } from './npy';

export interface PrecisionReport {
  /** Lines that write floats, in order of the source. */
  lines: PrecisionLine[];
  /** Against double precision. */
  outputs: OutputErrors[];
}

/** Of the line's instruction whose result is furthest off. */
export interface PrecisionLine {
  file: string;
  line: number;
  text: string;
  /** Instructions of the line that write floats. */
  instructions: number;
  /** Relative error of the worst operand that it reads; null: it reads no floats. */
  read: number | null;
  /** Relative error of what it writes. */
  written: number;
  operation: string;
  /** `i=3, j=1`, or empty. */
  iteration: string;
}

export interface OutputErrors extends ValueErrors {
  name: string;
  /** `double precision`, the file, or the function. */
  against: string;
}

/** Outputs of a run with narrower operands, against those of the run as it is. */
export interface NarrowedErrors {
  /** How many instructions read narrower operands. */
  instructions: number;
  /** In the order of the run's outputs, without those that are zero all over: of them nothing can be said. */
  outputs: OutputErrors[];
}

export function precisionReport(
  program: Program,
  { errors, reference }: DoublePrecisionErrors,
  outputs: readonly BackendValues[],
): PrecisionReport {
  const { frame, iteration, operation } = program.instructions;
  const worst = new Map<string, { instruction: number; instructions: number }>();
  for (let i = 0; i < instructionCount(program); i++) {
    if (Number.isNaN(errors.written[i])) continue;
    const key = `${program.frames.file[frame[i]]} ${program.frames.line[frame[i]]}`;
    const known = worst.get(key);
    if (!known) worst.set(key, { instruction: i, instructions: 1 });
    else {
      known.instructions++;
      if (errors.written[i] > errors.written[known.instruction]) known.instruction = i;
    }
  }
  const lines = [...worst.values()].map(({ instruction: i, instructions }) => {
    const { path: file, text } = program.files[program.frames.file[frame[i]]];
    const line = program.frames.line[frame[i]];
    return {
      file,
      line,
      text: (text.split(/\r\n|\r|\n/)[line - 1] ?? '').trim(),
      instructions,
      read: Number.isNaN(errors.read[i]) ? null : errors.read[i],
      written: errors.written[i],
      operation: program.operations[operation[i]],
      iteration: iterationText(program, iteration[i]),
    };
  });
  lines.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  const compared = outputs.map((values, k) => ({
    name: program.outputs[k].name,
    against: 'double precision',
    ...compareValues(values, reference[k]),
  }));
  return { lines, outputs: compared };
}

export function narrowedErrors(
  program: Program,
  { instructions, values }: NarrowedExecution,
  outputs: readonly BackendValues[],
): NarrowedErrors {
  const compared = values.flatMap((narrow, k) => {
    const isZero = outputs[k].every(value => value === 0);
    return isZero ? [] : [{ name: program.outputs[k].name, against: 'the run as it is', ...compareValues(narrow, outputs[k]) }];
  });
  return { instructions, outputs: compared };
}

/** @param values of the output @throws RunError */
export function againstFile(
  bytes: Uint8Array,
  file: string,
  output: { name: string; shape: number[] } | undefined,
  values: BackendValues,
): OutputErrors {
  if (!output) throw new RunError('ValueError', `${file} is the reference of an output that the kernel does not have`);
  const { dtype, shape, bytes: packed } = readReference(bytes, file);
  const elements = shape.reduce((count, size) => count * size, 1);
  return againstReference({ shape, values: unpackBytes(dtype, packed, elements) }, file, output, values);
}

/** What an output should be. */
export interface Reference {
  shape: readonly number[];
  /** Row-major. */
  values: ArrayLike<number>;
}

/** @param values of the output @throws RunError */
export function againstReference(
  reference: Reference,
  against: string,
  output: { name: string; shape: number[] },
  values: BackendValues,
): OutputErrors {
  if (reference.shape.join() !== output.shape.join())
    throw new RunError('ValueError', `${against} has the shape [${reference.shape}], and the output ${output.name} has [${output.shape}]`);
  return { name: output.name, against, ...compareValues(values, reference.values) };
}

function readReference(bytes: Uint8Array, file: string) {
  try {
    return readNpy(bytes);
  } catch (error) {
    if (error instanceof NpyError) throw new RunError('ValueError', `${file}: ${error.message}`);
    throw error;
  }
}
