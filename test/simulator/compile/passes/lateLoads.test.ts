/** Loads right before their first use: nothing else moves, and what a load waits for stays before it. */
import assert from 'node:assert/strict';
import { lateLoads } from '../../../../src/simulator/compile/passes/lateLoads';
import { ProgramBuilder } from '../../../support/programs';
import { compile, inOrder } from '../../../support/stages';

describe('late loads', () => {
  it('come before the first instruction that uses them, in their order; others stay', () => {
    const b = new ProgramBuilder();
    const tile = (name: string) => b.sbuf(name, [128, 64]);
    const input = (k: number) => b.hbm(`x${k}`, [128, 64], 'float32', 'input');
    const [first, second, unused, filled] = ['first', 'second', 'unused', 'filled'].map(tile);
    for (const [k, dst] of [unused, second, first].entries()) b.record('nki.isa.dma_copy', { dst, src: input(k) });
    b.record('nki.isa.memset', { dst: filled }, { value: 1, engine: 'Vector' });
    b.record('nki.isa.dma_copy', { dst: filled, src: input(4) });
    const sum = tile('sum');
    b.record('nki.isa.tensor_copy', { dst: sum, src: first }, { engine: 'Vector' });
    b.record('nki.isa.tensor_tensor', { dst: sum, data1: first, data2: second }, { op: 'add' });
    b.record('nki.isa.dma_copy', { dst: b.hbm('out', [128, 64], 'float32', 'output'), src: sum });
    const { patterns, instructions, accesses, transfers } = compile(b.finish(), { policy: inOrder });
    const written = [...instructions.track.keys()].map(i => patterns.name(patterns.tensor(accesses.pattern[instructions.accessStart[i]])));
    assert.equal(written.length, 8);
    const names = [...lateLoads(patterns, { instructions, accesses, transfers })].map(i => written[i]);
    // the load of `filled` overwrites what the memset wrote, so that it stays
    assert.deepEqual(names, ['filled', 'filled', 'first', 'sum', 'second', 'sum', 'out', 'unused']);
  });
});
