/**
 * Semaphores that DMA engines write: against a plain computation over random parts, and DMAs of a kernel against what a recording shows of
 * many small ones (two people's convolutions: one end in 186 ns, 12 on their way).
 */
import assert from 'node:assert/strict';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { Completions } from '../../../src/simulator/schedule/completions';
import { schedule } from '../../../src/simulator/schedule/schedule';
import { ProgramBuilder } from '../../support/programs';

import { compile } from '../../support/stages';
import { random } from '../../support/syntheticProfile';

const { completions: limits, completionNs } = machineFor('trn2').dma;

describe('semaphores of a DMA engine', () => {
  it('are written one after another, and so many are on their way as the machine says', () => {
    const next = random(7);
    const most = limits!.unacknowledged.value;
    const engine = new Completions(2, limits!, completionNs);
    const written: number[] = [];
    let movedNs = 0;
    for (let k = 0; k < 2000; k++) {
      const oldest = written[written.length - most] ?? Number.NEGATIVE_INFINITY;
      assert.equal(engine.roomNs(1), oldest + completionNs.value);
      movedNs = Math.max(movedNs + next() * 300, engine.roomNs(1));
      const expected = Math.max(movedNs, (written.at(-1) ?? Number.NEGATIVE_INFINITY) + limits!.betweenNs.value);
      assert.equal(engine.write(1, movedNs, 1), expected);
      written.push(expected);
    }
    assert.equal(engine.roomNs(0), Number.NEGATIVE_INFINITY, 'the other engine has written none');
  });

  it('are not on their way together on v2, whose engines wait for each', () => {
    assert.equal(machineFor('trn1').dma.completions, undefined);
  });

  it('bound how fast small DMAs end, and not the first of them', () => {
    const count = 64;
    const small = (b: ProgramBuilder) => {
      const tile = b.sbuf('tile', [128, 128], 'bfloat16');
      const out = b.hbm('out', [count * 128, 128], 'bfloat16', 'output');
      for (let k = 0; k < count; k++) b.record('nki.isa.dma_copy', { dst: out.slice([k * 128, (k + 1) * 128]), src: tile });
    };
    const b = new ProgramBuilder({ target: 'trn2' });
    small(b);
    const { transfers } = schedule(compile(b.finish(), { dge: 'off' }));
    const done = [...transfers.doneNs].sort((x, y) => x - y);
    const betweenNs = limits!.betweenNs.value;
    const meanNs = (done[count - 1] - done[0]) / (count - 1);
    assert.ok(Math.abs(meanNs - betweenNs) < 1, `one in ${meanNs} ns`);
    const lagNs = (t: number) => transfers.doneNs[t] - transfers.endNs[t];
    assert.ok(Math.abs(lagNs(0) - completionNs.value) < 1, `the first semaphore comes ${lagNs(0)} ns after the bytes`);
    const mostNs = limits!.unacknowledged.value * betweenNs;
    for (let t = 0; t < count; t++) assert.ok(lagNs(t) < mostNs + completionNs.value, `semaphore ${t}: ${lagNs(t)} ns after the bytes`);
    assert.ok(lagNs(count - 1) > completionNs.value + 4 * betweenNs, 'the engines move the next bytes meanwhile');
  });
});
