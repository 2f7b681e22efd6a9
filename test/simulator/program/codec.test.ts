import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FormatError } from '../../../src/simulator/columns/container';
import { decodeProgram, encodeProgram } from '../../../src/simulator/program/codec';
import { randomProgram } from '../../support/randomPrograms';

describe('program codec', () => {
  const program = randomProgram(5);
  const bytes = encodeProgram(program);

  it('gives back the program, column for column', () => {
    assert.deepEqual(encodeProgram(decodeProgram(bytes)), bytes);
    assert.deepEqual(decodeProgram(bytes).operands, program.operands);
  });

  it('names an index outside its table', () => {
    const operands = { ...program.operands, tensor: program.operands.tensor.map(() => 9999) };
    assert.throws(() => decodeProgram(encodeProgram({ ...program, operands })), /operands\.tensor\[0\] is 9999, outside 0\.\./);
    const instructions = { ...program.instructions, iteration: program.instructions.iteration.map(() => 9999) };
    assert.throws(() => decodeProgram(encodeProgram({ ...program, instructions })), /instructions\.iteration\[0\] is 9999/);
  });

  it('answers 3,000 seeded mutations with a program or a FormatError', () => {
    const edit = fc.tuple(fc.nat(bytes.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), edits => {
        const hurt = bytes.slice();
        for (const [at, value] of edits) hurt[at] = value;
        try {
          decodeProgram(hurt);
        } catch (error) {
          assert.ok(error instanceof FormatError, String(error));
        }
      }),
      { seed: 13, numRuns: 3000 },
    );
  });
});
