/** The order of iterations that are taken together: part after part of the loop's body. */
import assert from 'node:assert/strict';
import type { Compiled } from '../../../../src/simulator/compile/compiled';
import { bodyOrder } from '../../../../src/simulator/compile/passes/bodyOrder';
import { instructionCount, type Program } from '../../../../src/simulator/program/program';
import { ProgramBuilder } from '../../../support/programs';

/** Four iterations of a body: one instruction, an inner loop over two, one more; between two others. */
function program(): Program {
  const b = new ProgramBuilder({ target: 'trn2' });
  const tile = b.sbuf('tile', [128, 8]);
  const step = (line: number) => b.record('nki.isa.memset', { dst: tile }, { value: line }, { line });
  step(1);
  b.loop('i', 4, () => {
    step(3);
    b.loop('j', 2, () => step(5), 4);
    step(6);
  });
  step(7);
  return b.finish();
}

/** Numbers of the instructions in their new order, as if each were one machine instruction. */
function ordered(groups: readonly (readonly number[])[]): number[] {
  const kernel = program();
  const numbers = Array.from({ length: instructionCount(kernel) }, (_, i) => i);
  const all = Uint32Array.from(numbers);
  const code = { instructions: { origin: Int32Array.from(numbers) } as unknown as Compiled['instructions'] };
  const units = { count: numbers.length, unit: all, first: all, start: all, successor: all, pending: all };
  const rank = bodyOrder(kernel, code, units, groups);
  return numbers.sort((a, b) => rank[a] - rank[b]);
}

describe('the order of iterations that are taken together', () => {
  it('is part after part of their body, an inner loop being one part; groups and the rest stay where they are', () => {
    const [first, second] = [
      [1, 5],
      [9, 13],
    ];
    assert.deepEqual(ordered([first, second]), [0, 1, 5, 2, 3, 6, 7, 4, 8, 9, 13, 10, 11, 14, 15, 12, 16, 17]);
    assert.deepEqual(ordered([first]), [0, 1, 5, 2, 3, 6, 7, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]);
  });

  it('is that of the program where none are', () => {
    assert.deepEqual(ordered([]), [...Array(18).keys()]);
  });

  it('counts an iteration to the group that is named first', () => {
    assert.deepEqual(
      ordered([
        [1, 5],
        [4, 8],
      ]),
      ordered([[1, 5]]),
    );
  });
});
