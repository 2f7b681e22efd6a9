/** Arrows between ranks: of messages from sender to receiver, else from the rank that came last to those that waited. */
import assert from 'node:assert/strict';
import { simulateRanks } from '../../src/simulator/simulateRanks';
import { buildModel } from '../../src/webview/data/model';
import { areRanks, headed, placeOfRank, type Stack } from '../../src/webview/data/stack';
import { initialSettings } from '../../src/webview/state/settings';
import { collectiveArrows } from '../../src/webview/tracks/collectiveArrows';
import { layOutRows } from '../../src/webview/tracks/layout';
import { shownRows } from '../../src/webview/tracks/rows';
import { type RankStep, rankProgram } from '../support/ranks';

const RING: RankStep = ['collective_permute', 0, 1, 2];
const ALL: RankStep = ['all_reduce', 0, 1, 2];
const WORK: RankStep[][] = [[], ['work'], []];

const profiles = simulateRanks(
  WORK.map(work => {
    const whole = rankProgram([RING, ...work, ALL]);
    return { whole, cores: [whole] };
  }),
);
const stack: Stack = profiles.map((profile, number) => ({ number, key: '', title: '', model: buildModel(profile), shiftNs: 0 }));
const endNs = Math.max(...profiles.map(p => p.totalTimeNs));

function arrowsOf(shown: Stack, number: number, settings = initialSettings) {
  const layout = layOutRows(shownRows(shown, settings), settings, headed(shown));
  const viewportOf = () => ({ startNs: 0, endNs, widthPx: 1000 });
  const rankAt = (yPx: number) => layout.rows.find(({ topPx, heightPx }) => yPx >= topPx && yPx < topPx + heightPx)!.profile;
  return collectiveArrows(shown, number, { layout, scrollTop: 0, widthPx: 1000, viewportOf }).map(({ from, to, kind }) => {
    assert.ok(from.xPx <= to.xPx, 'forward in time');
    return `${kind} ${rankAt(from.yPx)}-${rankAt(to.yPx)}`;
  });
}

describe('arrows between ranks', () => {
  it('go from each sender to its receiver', () => {
    assert.deepEqual(arrowsOf(stack, 0), ['after 0-1', 'after 1-2', 'after 2-0']);
    assert.deepEqual(arrowsOf(stack.slice(0, 2), 0), ['after 0-1'], 'the others are not here');
  });

  it('go from the last rank to those that waited for it', () => {
    const late = profiles[0].rank!.collectives[1].late?.rank ?? 0;
    const arrows = arrowsOf(stack, 1);
    assert.ok(arrows.length > 0);
    for (const arrow of arrows) assert.match(arrow, new RegExp(`^blocker ${late}-`));
  });

  it('are not there without the rows, nor for a collective that nobody knows', () => {
    assert.deepEqual(arrowsOf(stack, 7), []);
    assert.deepEqual(arrowsOf(stack, 0, { ...initialSettings, foldedProfiles: ['A', 'B', 'C'] }), []);
    assert.equal(arrowsOf(stack, 0, { ...initialSettings, collectiveRows: true }).length, 3);
  });
});

describe('ranks in the stack', () => {
  it('are recognised, and stand in their order', () => {
    assert.equal(areRanks(stack), true);
    assert.equal(areRanks(stack.slice(0, 1)), false);
    assert.equal(areRanks([stack[0], stack[0]]), false, 'the same rank twice');
    assert.equal(placeOfRank([stack[0], stack[2]], profiles[1]), 1);
    assert.equal(placeOfRank(stack.slice(0, 2), profiles[2]), 2);
    assert.equal(placeOfRank(stack.slice(0, 2), { ...profiles[2], kernel: 'another' }), null);
  });

  it('show only the rows of CC cores when that is asked for', () => {
    const rows = shownRows(stack, { ...initialSettings, collectiveRows: true });
    assert.deepEqual(
      rows.map(({ label, profile }) => [label, profile]),
      [0, 1, 2].map(profile => ['CC-core_0', profile]),
    );
  });
});
