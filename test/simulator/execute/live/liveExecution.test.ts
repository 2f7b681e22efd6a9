/** Values in the middle of a recording are those of executing everything so far, though only what they depend on is carried out. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeContainer, FormatError } from '../../../../src/simulator/columns/container';
import { flattenGroups } from '../../../../src/simulator/columns/groups';
import { Execution } from '../../../../src/simulator/execute/execute';
import { LiveExecution } from '../../../../src/simulator/execute/live/liveExecution';
import { PROGRAM_COLUMNS } from '../../../../src/simulator/program/codec';
import { decodePiece } from '../../../../src/simulator/program/piece';
import { instructionCount, type Program, tensorCount, tensorElements } from '../../../../src/simulator/program/program';
import { ProgramBuilder } from '../../../support/programs';
import { randomProgram } from '../../../support/randomPrograms';

interface Cut {
  instruction: number;
  tensor: number;
  string: number;
}

/** What the front end would send between two moments of recording. */
function pieceBytes(p: Program, from: Cut, to: Cut): Uint8Array {
  const { operandStart } = p.instructions;
  const [o0, o1] = [operandStart[from.instruction], operandStart[to.instruction]];
  const [d0, d1] = [p.operands.dimStart[o0], p.operands.dimStart[o1]];
  const [s0, s1] = [p.tensors.shapeStart[from.tensor], p.tensors.shapeStart[to.tensor]];
  const less = (column: Uint32Array, first: number, last: number, by: number) => column.slice(first, last + 1).map(x => x - by);
  const cut = <T extends object>(columns: T, first: number, last: number) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.slice(first, last)]));
  const groups = {
    tensors: {
      ...cut(p.tensors, from.tensor, to.tensor),
      shapeStart: less(p.tensors.shapeStart, from.tensor, to.tensor, s0),
      shapePool: p.tensors.shapePool.slice(s0, s1),
    },
    instructions: {
      ...cut(p.instructions, from.instruction, to.instruction),
      operandStart: less(operandStart, from.instruction, to.instruction, o0),
    },
    operands: {
      ...cut(p.operands, o0, o1),
      dimStart: less(p.operands.dimStart, o0, o1, d0),
      dimStride: p.operands.dimStride.slice(d0, d1),
      dimCount: p.operands.dimCount.slice(d0, d1),
    },
  };
  const { tensors, instructions, operands } = PROGRAM_COLUMNS;
  const { operations, attributes, predicates } = p;
  const meta = { strings: p.strings.slice(from.string, to.string), operations, attributes, predicates };
  return encodeContainer({ kind: 'piece', version: 1, meta, columns: flattenGroups({ tensors, instructions, operands }, groups) });
}

/** Appends up to an instruction; the first piece brings all tensors. */
function append(live: LiveExecution, p: Program, from: number, to: number) {
  const all = { tensor: tensorCount(p), string: p.strings.length };
  const start = from === 0 ? { instruction: 0, tensor: 0, string: 0 } : { instruction: from, ...all };
  live.append(decodePiece(pieceBytes(p, start, { instruction: to, ...all }), live.before));
}

const whole = (p: Program, tensor: number) => ({ offset: 0, strides: [1], counts: [tensorElements(p, tensor)] });
const input = (p: Program) => (tensor: number) =>
  p.inputs.some(x => x.tensor === tensor) ? Float32Array.from({ length: tensorElements(p, tensor) }, (_, i) => (i % 97) / 97) : null;

describe('live execution', () => {
  it('has the values of executing everything, whichever tensors are read, at any moment', () => {
    const reads = fc.array(fc.tuple(fc.nat(12), fc.nat(1000)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.nat(10_000), reads, (seed, chosen) => {
        const p = randomProgram(seed, 24);
        const live = new LiveExecution(input(p));
        const plain = new Execution(p, input(p), { keep: () => true });
        let at = 0;
        for (const [more, pick] of chosen) {
          const to = Math.min(instructionCount(p), at + more);
          append(live, p, at, to);
          plain.run(to);
          at = to;
          const tensor = pick % tensorCount(p);
          assert.deepEqual(live.read(tensor, whole(p, tensor)), plain.tensor(tensor));
        }
      }),
      { seed: 7, numRuns: 12 },
    );
  });

  it('carries out only what the values depend on, readers of what it overwrites included', () => {
    const b = new ProgramBuilder();
    const [x, y, z] = ['x', 'y', 'z'].map(name => b.sbuf(name, [1, 4]));
    b.record('nki.isa.memset', { dst: x }, { value: 1 });
    b.record('nki.isa.memset', { dst: z }, { value: 7 }); // nobody asks
    b.record('nki.language.copy', { dst: y, x }); // reads x before it is overwritten
    b.record('nki.language.add', { dst: x, x }, { y: 1 });
    const p = b.finish();
    const live = new LiveExecution(() => null);
    append(live, p, 0, 4);
    assert.equal(live.carriedOut, 0);
    assert.deepEqual([...live.read(x.index, whole(p, x.index))], [2, 2, 2, 2]);
    assert.equal(live.carriedOut, 3);
    assert.deepEqual([...live.read(y.index, { offset: 1, strides: [1], counts: [2] })], [1, 1]);
    assert.equal(live.carriedOut, 3);
  });

  it('stops when asked, at the instruction’s frame', () => {
    const b = new ProgramBuilder();
    const x = b.sbuf('x', [1, 4]);
    b.record('nki.isa.memset', { dst: x }, { value: 1 }, { line: 9 });
    const p = b.finish();
    const live = new LiveExecution(
      () => null,
      () => true,
    );
    append(live, p, 0, 1);
    assert.throws(() => live.read(x.index, whole(p, x.index)), { name: 'ExecutionError', message: 'stopped', instruction: 0 });
    assert.equal(p.frames.line[live.frame(0)], 9);
  });

  it('refuses a piece that points outside its tables', () => {
    const b = new ProgramBuilder();
    b.record('nki.isa.memset', { dst: b.sbuf('x', [1, 4]) }, { value: 1 });
    const p = b.finish();
    p.operands.tensor[0] = 5;
    const bytes = pieceBytes(p, { instruction: 0, tensor: 0, string: 0 }, { instruction: 1, tensor: 1, string: p.strings.length });
    assert.throws(() => decodePiece(bytes, { tensors: 0, strings: 0 }), FormatError);
  });
});
