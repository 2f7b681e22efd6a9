/** A matrix product stays inside one PSUM bank of 2 KiB: 512 float32 from the start of a bank. */
import assert from 'node:assert/strict';
import { KernelError } from '../../../../src/simulator/program/error';
import { ProgramBuilder } from '../../../support/programs';
import { compile } from '../../../support/stages';

/** 256 columns into a tile of 1024, from a column on. */
function product(from: number, target = 'trn2') {
  const b = new ProgramBuilder({ target });
  const tile = b.psum('acc', [128, 1024]);
  const operands = { dst: tile.slice(':', [from, from + 256]), stationary: b.sbuf('s', [128, 128]), moving: b.sbuf('m', [128, 256]) };
  b.record('nki.isa.nc_matmul', operands, { accumulate: false }, { line: 6 });
  return compile(b.finish());
}

describe('PSUM banks', () => {
  it('are not crossed by a product', () => {
    assert.throws(
      () => product(384),
      (error: KernelError) =>
        error instanceof KernelError &&
        error.line === 6 &&
        /product in acc takes bytes 1536 to 2559 .* one bank of 2048 bytes/.test(error.message),
    );
  });

  it('take products side by side', () => {
    for (const from of [0, 256, 512, 768]) product(from);
  });
});
