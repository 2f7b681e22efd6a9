/** Packets are derived from turns: none may be lost, none may lie outside its turn, and a turn's end must be the hardware's numbers. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { STEPS_PER_NS } from '../../../src/simulator/profile/clock';
import { Packets } from '../../../src/simulator/profile/packets';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';
import { syntheticProfile } from '../../support/syntheticProfile';

/** Two of the clock's steps: a profile's times are multiples of one. */
const STEP_NS = 2 / STEPS_PER_NS;

describe('profile/packets', function () {
  this.timeout(20_000);

  it('are as many as each transfer has, one after the other inside their turn', () => {
    const cases = fc.record({ seed: fc.integer({ min: 1, max: 1e6 }), target: fc.constantFrom('trn1', 'trn2', 'trn3') });
    fc.assert(
      fc.property(cases, ({ seed, target }) => {
        const profile = simulate(randomProgram(seed, 60, target));
        const packets = new Packets(profile);
        const { startNs, endNs, transfer } = profile.dmaSlices;
        const found = new Float64Array(profile.transfers.packets.length);
        for (let slice = 0; slice < transfer.length; slice++) {
          const { count, firstNs, stepNs } = packets.of(slice);
          found[transfer[slice]] += count;
          assert.ok(firstNs >= startNs[slice] && stepNs > 0 && firstNs + count * stepNs <= endNs[slice] + 1e-6, `turn ${slice}`);
        }
        const moved = new Set(transfer);
        for (const [row, count] of profile.transfers.packets.entries())
          if (moved.has(row)) assert.equal(found[row], count, `transfer ${row}`);
      }),
      { numRuns: 40, seed: 11 },
    );
  });

  it('of a load and a store have the latency before the first bytes, the rate of the engine, and the semaphore behind', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const tile = b.sbuf('tile', [128, 1024]);
    b.record('nki.isa.dma_copy', { dst: tile, src: b.hbm('x', [128, 1024], 'float32', 'input') });
    b.record('nki.isa.dma_copy', { dst: b.hbm('y', [128, 1024], 'float32', 'output'), src: tile });
    const profile = simulate(b.finish());
    const { dma } = machineFor('trn2');
    const packets = new Packets(profile);
    const { startNs, endNs, engine, transfer } = profile.dmaSlices;
    const turnOf = (row: number) => transfer.findIndex((t, slice) => t === row && engine[slice] === 0);
    const semaphoreNs = dma.packetNs.value + dma.semaphoreBytes.value / dma.engineBytesPerNs.value;
    for (const [row, latencyNs] of [dma.hbmReadNs.value, 0].entries()) {
      const slice = turnOf(row);
      const { count, firstNs, stepNs, bytes } = packets.of(slice);
      assert.deepEqual([count, bytes], [8, 4096]);
      assert.ok(Math.abs(firstNs - startNs[slice] - latencyNs) < STEP_NS, `${firstNs - startNs[slice]} before the first packet`);
      // The first engine begins alone: nobody shares the memory with it.
      assert.ok(Math.abs(stepNs - dma.packetNs.value - bytes / dma.engineBytesPerNs.value) < STEP_NS, `${stepNs} a packet`);
      assert.ok(Math.abs(endNs[slice] - firstNs - count * stepNs - semaphoreNs) < STEP_NS);
    }
  });

  it('of a capture are its rows', () => {
    const profile = { ...syntheticProfile(20), simulated: false };
    const { startNs, endNs, bytes } = profile.dmaSlices;
    const run = new Packets(profile).of(5);
    assert.deepEqual([run.count, run.firstNs, run.stepNs], [1, startNs[5], endNs[5] - startNs[5]]);
    assert.ok(bytes[5] > 0);
  });
});
