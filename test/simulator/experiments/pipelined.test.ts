/** A loop that is pipelined: every instruction still comes after what it reads, whatever the program. */
import assert from 'node:assert/strict';
import { BUFFER } from '../../../src/simulator/compile/compiled';
import type { Change } from '../../../src/simulator/experiments/changes';
import { Experiment } from '../../../src/simulator/experiments/experiment';
import { loopBuffers, NoRoom } from '../../../src/simulator/experiments/loopBuffers';
import { previousUses } from '../../../src/simulator/experiments/previousUse';
import type { Program } from '../../../src/simulator/program/program';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';
import { randomProgram } from '../../support/randomPrograms';
import { random } from '../../support/syntheticProfile';

const TOLERANCE_NS = 1e-6;

describe('a loop that is pipelined', () => {
  it('never blocks, loses nothing, and starts nothing before its data: 40 random programs, random iterations', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const profile = simulate(randomProgram(seed, 90), { pipeline: seed % 2 ? 'literal' : 'rewriting' });
      const experiment = new Experiment(profile);
      const { track } = experiment.code.instructions;
      const next = random(seed);
      // Iterations in the order of the program, of random length; some as a fused loop has them: out of order.
      let at = 0;
      const iteration = Uint32Array.from(track, () => {
        at += Number(next() < 0.1);
        return seed % 5 === 0 ? Math.floor(next() * 6) : at;
      });
      const change = {
        kind: 'pipelined' as const,
        open: 1 + (seed % 3),
        iteration,
        producers: experiment.flow,
        previous: previousUses(profile),
      };
      const [code] = experiment.changed(change);
      const issued = code.streams.flatMap(stream => [...stream]);
      assert.deepEqual(
        issued.sort((a, b) => a - b),
        [...track.keys()],
      );
      const { instructions, transfers } = experiment.schedule(change);
      const doneOf = (event: number) => (event < track.length ? instructions.endNs[event] : transfers.doneNs[event - track.length]);
      const { start, event, kind } = experiment.code.dependencies;
      for (let i = 0; i < track.length; i++) {
        for (let d = start[i]; d < start[i + 1]; d++)
          if (kind[d] !== BUFFER && event[d] >= track.length)
            assert.ok(instructions.startNs[i] >= doneOf(event[d]) - TOLERANCE_NS, `${seed}: ${i} before DMA ${event[d]}`);
        const { producer, producerStart } = experiment.flow;
        for (let p = producerStart[i]; p < producerStart[i + 1]; p++) {
          const of = producer[p];
          if (track[of] === track[i] || experiment.code.instructions.transfer[of] >= 0 || of > i) continue;
          assert.ok(instructions.startNs[i] >= instructions.endNs[of] - TOLERANCE_NS, `${seed}: ${i} before ${of}`);
        }
      }
    }
  });

  it('has no more on chip at a time than there is room for, and says so where one iteration has none', () => {
    const experiment = new Experiment(simulate(largeTiles(), { pipeline: 'literal' }));
    const { track } = experiment.code.instructions;
    const iteration = Uint32Array.from(track, (_, i) => Math.floor(i / 2));
    const buffers = loopBuffers(experiment.profile, experiment.flow, iteration);
    const common = {
      kind: 'pipelined' as const,
      open: 4,
      iteration,
      producers: experiment.flow,
      previous: previousUses(experiment.profile),
    };
    const capacityBytes = experiment.code.machine.sbufBytesPerPartition.value;
    const peakBytes = (change: Change) => {
      const { instructions } = experiment.schedule(change);
      const turns: [ns: number, bytes: number][] = [];
      for (const [b, bytes] of buffers.sizeBytes.entries()) {
        const uses = [...buffers.use.subarray(buffers.useStart[b], buffers.useStart[b + 1])];
        turns.push(
          [Math.min(...uses.map(i => instructions.startNs[i])), bytes],
          [Math.max(...uses.map(i => instructions.endNs[i])), -bytes],
        );
      }
      let [most, now] = [0, 0];
      for (const [, bytes] of turns.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
        now += bytes;
        most = Math.max(most, now);
      }
      return most;
    };
    assert.ok(peakBytes(common) > capacityBytes, 'four iterations at a time have room: the test tests nothing');
    assert.ok(peakBytes({ ...common, buffers }) <= capacityBytes);
    const doubled = { ...buffers, sizeBytes: buffers.sizeBytes.map(bytes => 6 * bytes) };
    assert.throws(() => experiment.schedule({ ...common, buffers: doubled }), NoRoom);
  });
});

/** Each turn makes 60 KiB in each partition quickly, and works on them in place on another engine. */
function largeTiles(): Program {
  const b = new ProgramBuilder({ kernel: 'large_tiles' });
  b.loop('i', 8, i => {
    const tile = b.sbuf(`t${i}`, [128, 30 * 1024], 'bfloat16');
    b.record('nki.isa.memset', { dst: tile }, { value: 1 }, { line: 10 });
    b.record('nki.isa.activation', { dst: tile, data: tile }, { op: 'exp' }, { line: 11 });
  });
  return b.finish();
}
