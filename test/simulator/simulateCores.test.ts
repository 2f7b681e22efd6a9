/** Two cores side by side: what waits for the other core waits for it, nothing else does, and the wait has its reason. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Profile, STALL, STALL_REASONS } from '../../src/simulator/profile/profile';
import { type Core, schedule, scheduleTogether } from '../../src/simulator/schedule/schedule';
import { simulate, simulateCores } from '../../src/simulator/simulate';
import { ProgramBuilder } from '../support/programs';
import { randomProgram } from '../support/randomPrograms';
import { compile } from '../support/stages';

/** A half of a shared tensor is written after so many additions; then the cores meet, and the other half is read. */
function core(additions: number) {
  const b = new ProgramBuilder();
  const shared = b.hbm('shared', [256, 512]);
  const tile = b.sbuf('tile', [128, 512]);
  b.record('nki.isa.memset', { dst: tile }, { value: 1 });
  for (let k = 0; k < additions; k++) b.record('nki.isa.tensor_tensor', { dst: tile, data1: tile, data2: tile }, { op: 'add' });
  b.record('nki.isa.dma_copy', { dst: shared.slice([0, 128]), src: tile });
  const meets = b.record('nki.isa.core_barrier', { data: shared }, { cores: [0, 1] });
  b.record('nki.isa.dma_copy', { dst: tile, src: shared.slice([128, 256]) });
  return { program: b.finish(), meets: [meets] };
}

const barrierOf = (p: Profile) => p.instructions.opcode.findIndex(code => p.opcodes[code] === 'PSEUDO_CORE_BARRIER');
const startOf = (p: Profile) => p.instructions.startNs[barrierOf(p)];

describe('cores side by side', () => {
  const [quick, slow] = [core(1), core(40)];
  const meets = [quick.meets, slow.meets];
  const together = simulateCores([quick.program, slow.program], { verified: null, meets });
  const alone = [quick, slow].map(({ program }) => simulate(program, { verified: null }));

  it('the one that comes first waits for the other, and says so', () => {
    const [first, second] = together;
    assert.ok(startOf(alone[0]) < startOf(alone[1]) - 1000, 'the second core has more to do');
    assert.equal(startOf(first), startOf(second));
    assert.equal(STALL_REASONS[first.instructions.stall[barrierOf(first)]], 'core');
    assert.equal(first.instructions.blocker[barrierOf(first)], -1);
    assert.ok(startOf(second) - startOf(alone[1]) < 200, 'the last to come is held up by no more than a semaphore');
    assert.equal(STALL_REASONS[second.instructions.stall[barrierOf(second)]], 'dma', 'and waited for its own store');
  });

  it('what reads the shared tensor afterwards starts afterwards', () => {
    for (const p of together) {
      const last = p.transfers.startNs.length - 1;
      assert.ok(p.transfers.startNs[last] >= startOf(p), `${p.transfers.startNs[last]}`);
    }
    assert.ok(together[0].totalTimeNs > alone[0].totalTimeNs + 1000);
  });

  it('a core that never comes is a deadlock', () => {
    const cores = [quick, slow].map(({ program }) => compile(program));
    const barrier = (k: number) => cores[k].instructions.origin.indexOf(meets[k][0]);
    assert.throws(
      () =>
        scheduleTogether([
          { compiled: cores[0], meets: [barrier(0)] },
          { compiled: cores[1], meets: [] },
        ]),
      /deadlock/,
    );
  });

  it('barriers take place at one time in all cores, in any programs; without them each core is as alone', () => {
    const seed = fc.integer({ min: 1, max: 1e6 });
    fc.assert(
      fc.property(seed, seed, fc.integer({ min: 0, max: 4 }), (a, b, count) => {
        const cores = [a, b].map((s): Core => {
          const compiled = compile(randomProgram(s, 40, 'trn2'));
          const [stream] = [...compiled.streams].sort((x, y) => y.length - x.length);
          const meets = Array.from({ length: count }, (_, k) => stream[Math.floor(((k + 1) * stream.length) / (count + 1))] ?? stream[0]);
          return { compiled, meets: [...new Set(meets)] };
        });
        const met = Math.min(...cores.map(({ meets }) => meets.length));
        const paired = cores.map(({ compiled, meets }) => ({ compiled, meets: meets.slice(0, met) }));
        const times = scheduleTogether(paired);
        for (let k = 0; k < met; k++) {
          const starts = paired.map(({ meets }, c) => times[c].instructions.startNs[meets[k]]);
          assert.equal(starts[0], starts[1]);
          assert.ok(paired.every(({ meets }, c) => times[c].instructions.stall[meets[k]] !== STALL.none));
        }
        if (met === 0) assert.deepEqual(times, [schedule(cores[0].compiled), schedule(cores[1].compiled)]);
      }),
      { numRuns: 40, seed: 11 },
    );
  });
});
