/** The turns of a part move its packets and its bytes, no more and no less. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countTurns, partTurns } from '../../../src/simulator/schedule/parts';
import { ProgramBuilder } from '../../support/programs';
import { compile } from '../../support/stages';

const b = new ProgramBuilder({ target: 'trn2' });
b.record('nki.isa.dma_copy', { dst: b.sbuf('t', [128, 64], 'float32'), src: b.hbm('x', [128, 64], 'float32', 'input') }, {}, { line: 2 });
const compiled = compile(b.finish());
const { dma } = compiled.machine;

describe('the turns of a part', () => {
  it('add up to its packets, bytes and work, in at most so many packets at a time', () => {
    const engines = dma.engines.value;
    const aPart = fc.tuple(fc.nat(40), fc.nat(9000));
    const aCut = fc.tuple(
      fc.array(aPart, { minLength: engines, maxLength: engines }),
      fc.constantFrom(1, 0.5, 0.9),
      fc.constantFrom(0, 0.5, 15 / 16),
    );
    fc.assert(
      fc.property(fc.array(aCut, { minLength: 1, maxLength: 4 }), made => {
        const parts = made.flatMap(([rows]) => rows);
        const cuts = {
          packets: Uint32Array.from(parts, ([packets]) => packets),
          bytes: Float64Array.from(parts, ([packets, bytes]) => (packets > 0 ? bytes : 0)),
          speed: Float64Array.from(made, ([, speed]) => speed),
          sameBurst: Float64Array.from(made, ([, , share]) => share),
        };
        const transfers = { ...compiled.transfers, cut: Uint32Array.from(made.keys()) };
        const result = partTurns({ ...compiled, cuts });
        let moving = 0;
        for (const [part, [packets]] of parts.entries()) {
          const whole = result.turns[part] - 1;
          const sum = (column: ArrayLike<number>) => whole * column[2 * part] + column[2 * part + 1];
          const near = (actual: number, expected: number) =>
            assert.ok(Math.abs(actual - expected) <= 1e-3 + 1e-6 * expected, `${actual} ${expected}`);
          assert.equal(result.turns[part], Math.max(1, Math.ceil(packets / dma.turnPackets.value)));
          near(sum(result.packetsNs), packets * dma.packetNs.value);
          near(sum(result.readNs), packets * dma.hbmRunNs.value);
          near(sum(result.writeNs), packets * cuts.sameBurst[Math.floor(part / engines)] * dma.sameBurstNs.value);
          near(sum(result.bytes), cuts.bytes[part]);
          near(sum(result.work), cuts.bytes[part] / cuts.speed[Math.floor(part / engines)]);
          if (cuts.bytes[part] > 0) moving += result.turns[part];
        }
        assert.equal(countTurns({ ...compiled, cuts, transfers }, result), moving);
      }),
      { seed: 4, numRuns: 100 },
    );
  });

  it('have more packets where a profile could not hold them', () => {
    const engines = dma.engines.value;
    const each = (value: number) => Float64Array.from({ length: engines }, () => value);
    const cuts = { packets: each(1000), bytes: each(64_000), speed: Float64Array.of(1), sameBurst: Float64Array.of(0) };
    const large = { ...compiled, cuts, transfers: { ...compiled.transfers, cut: Uint32Array.of(0) } };
    const [whole, coarse] = [partTurns(large), partTurns(large, 500)];
    assert.deepEqual([countTurns(large, whole), countTurns(large, coarse)], [125 * engines, 32 * engines]);
    const sum = (made: typeof whole, column: 'bytes' | 'packetsNs') => (made.turns[0] - 1) * made[column][0] + made[column][1];
    for (const column of ['bytes', 'packetsNs'] as const) assert.ok(Math.abs(sum(coarse, column) - sum(whole, column)) < 1e-6);
  });
});
