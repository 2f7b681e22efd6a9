import assert from 'node:assert/strict';
import { layOutTracks } from '../../src/simulator/profile/lanes';
import type { Profile } from '../../src/simulator/profile/profile';
import { CompactProfile } from '../../src/webview/data/compactProfile';
import { buildModel } from '../../src/webview/data/model';
import { onTheClock, syntheticProfile } from '../support/syntheticProfile';

describe('webview/profiles that share columns', () => {
  const first = onTheClock(syntheticProfile(3000, 5));
  const later = (p: Profile): Profile => ({ ...p, transfers: { ...p.transfers, endNs: p.transfers.endNs.map(end => end + 64) } });

  it('share the rows of their tracks where all times are the same columns, and only there', () => {
    const [a, b, c] = [buildModel(first), buildModel({ ...first, kernel: 'another' }), buildModel(later(first))];
    assert.equal(b.tracks, a.tracks);
    assert.notEqual(c.tracks, a.tracks);
    const ends = ({ tracks }: typeof a) =>
      tracks.map(({ lanes }) => lanes.map(lane => Array.from({ length: lane.length }, (_, i) => lane.endNs(i))));
    for (const [model, profile] of [
      [a, first],
      [c, later(first)],
    ] as const)
      assert.deepEqual(
        ends(model),
        layOutTracks(profile).map(({ lanes }) => lanes.map(lane => Array.from({ length: lane.length }, (_, i) => lane.endNs(i)))),
      );
  });

  it('stay exact when one after another is compacted and released', () => {
    const sources = [first, { ...first }, later(first)];
    const held = sources.map(source => new CompactProfile(source));
    for (const one of held) {
      for (const _ of one.compact());
      one.release();
    }
    for (const [k, { profile }] of held.entries())
      for (const group of ['instructions', 'transfers', 'waits', 'frames'] as const)
        for (const [name, column] of Object.entries(profile[group]))
          assert.deepEqual(column, sources[k][group][name as never], `${group}.${name}`);
    assert.ok(held[1].heldBytes <= held[0].heldBytes);
  });
});
