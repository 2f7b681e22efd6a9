/** Checks the constraints of `isa/constraints.ts`: what each kind means, and the message for a violation. */

import { type Constraint, constraints as table } from '../../isa/constraints';
import { dtypes } from '../../vocabulary/dtypes';
import type { CheckedProgram, CheckRule } from './checkedProgram';

/** Returns the message, or undefined if the instruction satisfies the constraint. */
type Test = (i: number) => string | undefined;

export function constraints(checked: CheckedProgram): CheckRule {
  const { p } = checked;
  const reader = new Reader(checked);
  const byOperation = checked.rows.map(row =>
    table.filter(c => row && c.rows.includes(row.name) && holds(c, checked)).map(c => tests(reader, c)),
  );
  return {
    instruction(i) {
      const row = checked.row(i);
      for (const { constraint, all } of byOperation[p.instructions.operation[i]]) {
        if (constraint.unless && checked.attribute(i, constraint.unless.attribute) === constraint.unless.value) continue;
        if (constraint.when && checked.attribute(i, constraint.when.attribute) !== constraint.when.value) continue;
        for (const test of all) {
          const message = test(i);
          if (message) throw checked.failAt(i, `${row.name}: ${message}`);
        }
      }
      noPsumOnGpSimd(checked, i);
    },
  };
}

/** Whether the constraint applies to this target and dialect. */
function holds({ generations, dialect }: Constraint, { p, machine }: CheckedProgram): boolean {
  return (generations?.includes(machine.instructionSet) ?? true) && (dialect ?? p.dialect) === p.dialect;
}

/** "GpSimd Engine cannot access PSUM" applies to every instruction with the attribute `engine` set to GpSimd. */
function noPsumOnGpSimd(checked: CheckedProgram, i: number) {
  if (checked.attribute(i, 'engine') !== 'GpSimd') return;
  const { operandStart } = checked.p.instructions;
  for (let o = operandStart[i]; o < operandStart[i + 1]; o++) {
    const tensor = checked.p.operands.tensor[o];
    if (checked.space(tensor) !== 'psum') continue;
    const { name } = checked.operand(i, o);
    throw checked.failAt(i, `${checked.row(i).name}: ${name} (${checked.name(tensor)}) is in psum, which the GpSimd engine cannot access`);
  }
}

/** The properties of an instruction that the tests read. */
class Reader {
  constructor(readonly checked: CheckedProgram) {}

  inPsum(o: number): boolean {
    return o >= 0 && this.checked.space(this.checked.p.operands.tensor[o]) === 'psum';
  }

  dtype(o: number) {
    return dtypes[this.checked.p.operands.dtype[o]];
  }
}

function tests(reader: Reader, constraint: Constraint): { constraint: Constraint; all: Test[] } {
  const { notBothInPsum, notInPsum, sameDtype, wideTogether, dtypes: names, free, partitions, notOn } = constraint;
  const { checked } = reader;
  const all: Test[] = [];
  if (notBothInPsum) all.push(pair(checked, notBothInPsum, bothInPsum(reader)));
  if (notInPsum)
    all.push(
      one(checked, notInPsum.operand, o => (reader.inPsum(o) ? `is in psum, which it does not reach: ${notInPsum.instead}` : undefined)),
    );
  if (sameDtype) all.push(pair(checked, sameDtype, differentDtypes(reader)));
  if (wideTogether) all.push(pair(checked, wideTogether, differentWidths(reader)));
  if (names) all.push(one(checked, names.operand, o => wrongDtype(reader, o, names)));
  if (free) all.push(one(checked, free.operand, o => wrongSize(checked.freeElements(o), 'elements per partition', free)));
  if (partitions) {
    const multipleOf = checked.machine[partitions.multipleOf].value;
    all.push(one(checked, partitions.operand, o => wrongSize(checked.partitions(o), 'partitions', { multipleOf })));
  }
  if (notOn)
    all.push(i =>
      checked.attribute(i, 'engine') === notOn ? `not on the ${notOn} engine of NeuronCore-${checked.machine.generation}` : undefined,
    );
  return { constraint, all };
}

type Pair = readonly [string, string];

function pair(checked: CheckedProgram, [a, b]: Pair, broken: (x: number, y: number, names: Pair) => string | undefined): Test {
  return i => {
    const [x, y] = [checked.find(i, a), checked.find(i, b)];
    return x < 0 || y < 0 ? undefined : broken(x, y, [a, b]);
  };
}

function one(checked: CheckedProgram, name: string, broken: (o: number) => string | undefined): Test {
  return i => {
    const o = checked.find(i, name);
    const message = o < 0 ? undefined : broken(o);
    return message && `${name} ${message}`;
  };
}

const bothInPsum =
  (reader: Reader) =>
  (x: number, y: number, [a, b]: Pair) =>
    reader.inPsum(x) && reader.inPsum(y) ? `${a} and ${b} are both in psum; at most one of them can be` : undefined;

const differentDtypes =
  (reader: Reader) =>
  (x: number, y: number, [a, b]: Pair) =>
    reader.dtype(x) === reader.dtype(y)
      ? undefined
      : `${a} is ${reader.dtype(x).name} and ${b} is ${reader.dtype(y).name}; they must have the same dtype`;

const differentWidths =
  (reader: Reader) =>
  (x: number, y: number, [a, b]: Pair) => {
    const [s, t] = [reader.dtype(x), reader.dtype(y)];
    if ((s.sizeBytes === 4) === (t.sizeBytes === 4)) return undefined;
    return `${a} is ${s.name} and ${b} is ${t.name}; if one is float32 or tfloat32, the other must be too`;
  };

function wrongDtype(reader: Reader, o: number, { names }: { names: readonly string[] }): string | undefined {
  const { name } = reader.dtype(o);
  return names.includes(name)
    ? undefined
    : `is ${name}; it must be ${names.join(' or ')} on NeuronCore-${reader.checked.machine.generation}`;
}

function wrongSize(
  size: number,
  what: string,
  { min = 0, max = Number.POSITIVE_INFINITY, multipleOf = 1 }: { min?: number; max?: number; multipleOf?: number },
) {
  if (size < min || size > max) return `has ${size} ${what}; it must have ${min} to ${max}`;
  return size % multipleOf === 0 ? undefined : `has ${size} ${what}; it must be a multiple of ${multipleOf}`;
}
