/** The list of stacked profiles: letters, places, limits, and what rows, heads and colours are made of it. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildModel } from '../../src/webview/data/model';
import {
  freeNumber,
  headed,
  letterOf,
  limitsOf,
  MOST_EVENTS,
  MOST_PROFILES,
  movedTo,
  numberFor,
  OWN,
  obstacle,
  onClockOf,
  orderOf,
  ownOf,
  placeIn,
  rowName,
  type Stack,
  type StackedProfile,
  without,
  withProfile,
} from '../../src/webview/data/stack';
import { differenceText, shareText } from '../../src/webview/stack/deltas';
import { initialSettings } from '../../src/webview/state/settings';
import type { Colouring } from '../../src/webview/tracks/colouring';
import { HEAD_PX, headTopsPx, layOutRows } from '../../src/webview/tracks/layout';
import { shownRows } from '../../src/webview/tracks/rows';
import { colourings } from '../../src/webview/tracks/stackColours';
import { syntheticProfile } from '../support/syntheticProfile';

const models = [600, 300, 400].map((events, i) => buildModel(syntheticProfile(events, i + 1)));
const stacked = (number: number, model = models[number % models.length]): StackedProfile => ({
  number,
  key: `key ${number}`,
  title: `profile ${number}`,
  model,
  shiftNs: 0,
});
const three: Stack = [0, 1, 2].map(number => stacked(number));
const letters = (stack: Stack) => stack.map(({ number }) => letterOf(number)).join('');

describe('webview/stack', () => {
  it('gives letters that are free, and takes the first for the page’s own', () => {
    assert.equal(letters(three), 'ABC');
    assert.equal(freeNumber(three), 3);
    assert.equal(freeNumber(without(three, 1)), 1);
    assert.deepEqual(
      [numberFor(three, 'F'), numberFor(three, 'B'), numberFor(three, 'A'), numberFor(three, 'Z'), numberFor(three)],
      [5, 3, 3, 25, 3],
    );
    assert.deepEqual([25, 26, 51, 52].map(letterOf), ['Z', 'AA', 'AZ', 'BA']);
    for (const number of [1, 25, 26, 63]) assert.equal(numberFor(three.slice(0, 1), letterOf(number)), number);
    assert.equal(letters(without(three, OWN)), 'ABC', 'the page’s own stays');
    assert.deepEqual([rowName(OWN, 'Vector'), rowName(2, 'Vector')], ['Vector', 'C · Vector']);
  });

  it('adds above, below, or where it stood', () => {
    const two = without(three, 1);
    assert.equal(letters(withProfile(two, three[1], 2)), 'ACB');
    assert.equal(letters(withProfile(two, three[1], 0)), 'BAC');
    assert.deepEqual(
      [
        ['A', 'B', 'C'],
        ['C', 'A', 'B'],
        ['B', 'C', 'A'],
        ['C', 'A'],
      ].map(order => placeIn(two, 'B', order)),
      [1, 2, 0, null],
    );
    assert.deepEqual(
      [orderOf(two, ['B', 'A', 'C']), orderOf(three, ['A', 'B'])],
      [
        ['B', 'A', 'C'],
        ['A', 'B', 'C'],
      ],
    );
  });

  it('moves one and keeps the rest in order, whatever is moved where', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.integer({ min: -2, max: 5 })), { maxLength: 12 }), moves => {
        let stack = three;
        for (const [number, place] of moves) {
          const rest = letters(stack.filter(p => p.number !== number));
          stack = movedTo(stack, number, place);
          assert.equal(stack.length, 3);
          assert.equal(letters(stack.filter(p => p.number !== number)), rest);
        }
      }),
    );
  });

  it('refuses what shapes and memory have no room for, and says why', () => {
    const full = Array.from({ length: MOST_PROFILES }, (_, i) => stacked(i));
    assert.match(obstacle(full, 'x', 1)!, /^x is not stacked: 8 profiles are/);
    assert.equal(obstacle(full.slice(1), 'x', 1), null);
    const large = [{ ...three[0], model: { ...models[0], events: MOST_EVENTS - 10 } }];
    assert.equal(obstacle(large, 'x', 10), null);
    assert.match(obstacle(large, 'x', 11)!, /would have 10,000,001 events, more than the 10,000,000/);
  });

  it('begins all bodies together, on the clock of the page’s own, and ends with the last', () => {
    const moved = onClockOf(movedTo(three, 2, 0), models[0]);
    for (const { model, shiftNs } of moved) assert.equal(model.profile.bodyStartNs - shiftNs, models[0].profile.bodyStartNs);
    assert.equal(ownOf(moved)!.shiftNs, 0);
    const ends = moved.map(({ model, shiftNs }) => model.profile.totalTimeNs - shiftNs);
    assert.deepEqual(limitsOf(moved), { startNs: 0, endNs: Math.max(...ends) });
  });

  it('has the rows of each under its head, in its place; one alone has none', () => {
    const settings = {
      ...initialSettings,
      pinned: ['B · Sync'],
      foldedProfiles: ['C'],
      rowOrder: ['C · Vector', 'B · Vector', 'B · Tensor'],
    };
    const stack = movedTo(three, 1, 0);
    const layout = layOutRows(shownRows(stack, settings), settings, headed(stack));
    assert.equal(layout.rows[0].name, 'B · Sync');
    assert.deepEqual(
      layout.heads.map(head => head.profile),
      [1, 0, 2],
    );
    assert.deepEqual(
      layout.rows.slice(1, 4).map(row => row.name),
      ['B · Vector', 'B · TensorMatrix', 'B · Tensor'],
    );
    for (const [i, { profile, topPx }] of layout.heads.entries()) {
      const own = layout.rows.filter(row => row.profile === profile && !row.pinned);
      const nextPx = layout.heads[i + 1]?.topPx ?? layout.heightPx;
      for (const row of own) assert.ok(row.topPx >= topPx + HEAD_PX && row.topPx + row.heightPx <= nextPx);
      if (profile === 2) assert.equal(own.length, 0);
    }
    const alone = layOutRows(shownRows([three[0]], { ...settings, foldedProfiles: ['A'] }), settings, headed([three[0]]));
    assert.deepEqual([alone.heads.length, alone.rows.length], [0, 8]);
  });

  it('keeps the head of the rows at the top in sight, until the next pushes it away', () => {
    const layout = layOutRows(shownRows(three, initialSettings), initialSettings, headed(three));
    const [, second] = layout.heads;
    const tops = (scrollTop: number) => headTopsPx(layout, scrollTop).map(Math.round);
    assert.deepEqual(
      tops(0),
      layout.heads.map(head => head.topPx),
    );
    assert.equal(tops(50)[0], 0);
    assert.deepEqual(tops(second.topPx - 10).slice(0, 2), [10 - HEAD_PX, 10]);
    assert.equal(tops(second.topPx + 40)[1], 0);
  });

  it('colours the same thing the same in all', () => {
    const entries = (of: Colouring) => new Map(of.legend.map(({ label, series }) => [label, series]));
    for (const by of ['opcode', 'engine', 'stall'] as const) {
      const [own, ...others] = [...colourings(three, by).values()].map(entries);
      for (const other of others)
        for (const [label, series] of other) if (own.has(label)) assert.equal(series, own.get(label), `${by} ${label}`);
    }
  });

  it('keeps the colours of those that stay when another comes', () => {
    const before = colourings(three.slice(0, 2), 'opcode');
    const after = colourings(three, 'opcode');
    for (const [number, colouring] of before) assert.equal(after.get(number), colouring);
  });

  it('tells differences with their sign', () => {
    assert.deepEqual(
      [
        [100, 112],
        [100, 95.5],
        [100, 100],
        [0, 5],
        [5, 0],
        [0, 0],
      ].map(([base, ns]) => shareText(base, ns)),
      ['+12 %', '−4.5 %', '±0 %', 'new', 'gone', ''],
    );
    assert.deepEqual([differenceText(100, 1300), differenceText(1300, 100), differenceText(7, 7)], ['+1.20 µs', '−1.20 µs', '0']);
  });
});
