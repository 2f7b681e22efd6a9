/** A profile holds so many turns of DMA engines: a kernel with more is refused at the line that moves most packets. */
import assert from 'node:assert/strict';
import type { KernelError } from '../../../src/simulator/program/error';
import { checkTurns } from '../../../src/simulator/schedule/turnLimit';
import { ProgramBuilder } from '../../support/programs';
import { compile } from '../../support/stages';

const b = new ProgramBuilder({ target: 'trn2' });
b.record('nki.isa.dma_copy', { dst: b.sbuf('t', [128, 64], 'float32'), src: b.hbm('x', [128, 64], 'float32', 'input') }, {}, { line: 2 });
b.record('nki.isa.dma_copy', { dst: b.sbuf('u', [128, 2], 'float32'), src: b.hbm('y', [128, 2], 'float32', 'input') }, {}, { line: 3 });
const program = b.finish();
const compiled = compile(program);
/** 16 engines, each with one turn of 8 packets for either DMA. */
const TURNS = 32;

describe('the turns of DMA engines in a profile', () => {
  it('may be so many', () => {
    checkTurns([program], [compiled], TURNS);
    checkTurns([program, program], [compiled, compiled]);
  });

  it('are counted of all cores together', () => {
    assert.throws(() => checkTurns([program, program], [compiled, compiled], 2 * TURNS - 1), /in 64 turns, and 63 are possible/);
  });

  it('are refused at the line with most packets, with its bytes to a packet', () => {
    const more = new ProgramBuilder({ target: 'trn2' });
    more.record(
      'nki.isa.dma_copy',
      { dst: more.sbuf('t', [128, 64], 'float32'), src: more.hbm('x', [128, 64], 'float32', 'input') },
      {},
      { line: 2 },
    );
    for (const name of ['u', 'v', 'w'])
      more.record(
        'nki.isa.dma_copy',
        { dst: more.sbuf(name, [128, 2], 'float32'), src: more.hbm('y', [128, 2], 'float32', 'input') },
        {},
        { line: 3 },
      );
    const large = more.finish();
    assert.throws(
      () => checkTurns([large], [compile(large)], TURNS),
      ({ line, message }: KernelError) => line === 3 && /75 % of the packets are of this line, of 8 bytes each/.test(message),
    );
  });
});
