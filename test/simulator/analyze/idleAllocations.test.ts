/** How long tiles lie unused: worked out by hand, and never longer than they are held. */
import assert from 'node:assert/strict';
import { idleNs, knowsUses } from '../../../src/simulator/analyze/idleAllocations';
import type { Profile } from '../../../src/simulator/profile/profile';
import { simulate } from '../../../src/simulator/simulate';
import { randomProgram } from '../../support/randomPrograms';
import { tinyProfile } from '../../support/tinyProfile';

/** Tiles of 64 bytes, each `[name, address, from, to]`. */
function holding(p: Profile, tiles: readonly [name: string, address: number, fromNs: number, toNs: number][]): Profile {
  const strings = [...new Set([...p.strings, ...tiles.map(([name]) => name)])];
  const all = (value: number) => tiles.map(() => value);
  return {
    ...p,
    strings,
    operands: { ...p.operands, tensor: p.operands.tensor.map(() => strings.indexOf('tile')), space: p.operands.space.map(() => 1) },
    allocations: {
      startNs: Float64Array.from(tiles, ([, , from]) => from),
      endNs: Float64Array.from(tiles, ([, , , to]) => to),
      space: Uint8Array.from(all(1)),
      addressBytes: Uint32Array.from(tiles, ([, address]) => address),
      sizeBytes: Uint32Array.from(all(64)),
      partitionStart: Uint16Array.from(all(0)),
      partitions: Uint16Array.from(all(128)),
      name: Uint32Array.from(tiles, ([name]) => strings.indexOf(name)),
      frame: Uint32Array.from(all(0)),
    },
  };
}

describe('idle allocations', () => {
  const at = (address: string, start: number, end: number) => ({
    line: 1,
    track: 'Vector' as const,
    ready: start,
    start,
    end,
    operands: `src=fp32@${address}[1,0,0,0][16,1,1,1] dst=fp32@${address}[1,0,0,0][16,1,1,1]`,
  });
  const p = tinyProfile({ events: [at('0x0', 0, 100), at('0x20', 50, 200), at('0x40', 300, 400), at('0x0', 900, 1000)] });

  it('are those that no instruction uses, by name, address and time', () => {
    const profile = holding(p, [
      ['tile', 0, 0, 500], // 0 to 200 by two that overlap
      ['tile', 64, 0, 500], // 300 to 400
      ['tile', 0, 800, 1000], // the same place later: 900 to 1000
      ['other', 0, 0, 500], // another tensor's
    ]);
    assert.deepEqual([...idleNs(profile)], [300, 400, 100, 500]);
  });

  it('are not known of operands without names', () => {
    assert.equal(knowsUses(p), false);
    assert.equal(knowsUses(holding(p, [['tile', 0, 0, 1]])), true);
  });

  it('are idle for no longer than they are held, and used as soon as they are there', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const profile = simulate(randomProgram(seed, 60));
      const { startNs, endNs } = profile.allocations;
      const idle = idleNs(profile);
      assert.ok(idle.length > 0 && knowsUses(profile));
      for (const [row, ns] of idle.entries()) assert.ok(ns >= 0 && ns < endNs[row] - startNs[row], `seed ${seed}, row ${row}`);
    }
  });
});
