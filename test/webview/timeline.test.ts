import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Marks } from '../../src/simulator/profile/windowMarks';
import { EventMask } from '../../src/webview/data/eventMask';
import { buildModel } from '../../src/webview/data/model';
import { ticks } from '../../src/webview/math/ticks';
import { STYLE } from '../../src/webview/render/theme';
import { colouring } from '../../src/webview/tracks/colouring';
import { hitTest } from '../../src/webview/tracks/hit';
import { barPx, laneTopPx, layOutRows } from '../../src/webview/tracks/layout';
import { nextOnTrack } from '../../src/webview/tracks/neighbours';
import { Scene } from '../../src/webview/tracks/scene';
import { syntheticProfile } from '../support/syntheticProfile';

const profile = syntheticProfile(800, 3);
const model = buildModel(profile);
const layout = layOutRows(profile, model.tracks, []);

function build(span: { startNs: number; endNs: number }, mask: EventMask | null = null) {
  const scene = new Scene();
  const body = { startNs: profile.bodyStartNs, endNs: profile.bodyEndNs };
  const colours = colouring(profile, 'opcode');
  scene.build({ layout, span, widthPx: 900, heightPx: 600, scrollTop: 0, ticks: ticks(span, 900), body, colouring: colours, mask });
  return scene;
}

describe('webview/tracks', () => {
  it('orders engines as AWS does, then queues, without overlap', () => {
    const names = layout.rows.map(row => row.name);
    assert.deepEqual(names, ['Tensor', 'TensorMatrix', 'Vector', 'Scalar', 'GpSimd', 'Sync', 'qSyncIO0', 'qScalarIO0']);
    for (let i = 1; i < layout.rows.length; i++) assert.ok(layout.rows[i].topPx >= layout.rows[i - 1].topPx + layout.rows[i - 1].heightPx);
    const folded = layOutRows(profile, model.tracks, ['Vector']);
    assert.ok(folded.heightPx < layout.heightPx && folded.rows[2].collapsed);
  });

  it('draws every event of the whole run, merged or not', () => {
    assert.equal(build(model.limits).shownEvents, model.events);
  });

  it('makes a merged pixel as high as it is busy', () => {
    const { rects } = build({ startNs: 0, endNs: profile.totalTimeNs * 50 });
    const { busyBeforeNs, startNs } = layout.rows[0].lanes[0];
    const nsPerPx = (profile.totalTimeNs * 50) / 900;
    const inFirst = startNs.filter(t => t < nsPerPx).length;
    const top = laneTopPx(layout.rows[0], 0);
    const bottom = top + barPx(layout.rows[0]);
    const first = [...rects.style.subarray(0, rects.length).keys()].find(
      i =>
        rects.style[i] >= STYLE.bar && rects.style[i] < STYLE.dimmed && rects.xPx[i] === 0 && rects.yPx[i] >= top && rects.yPx[i] < bottom,
    );
    assert.ok(first !== undefined);
    assert.ok(Math.abs(rects.heightPx[first] / barPx(layout.rows[0]) - busyBeforeNs[inFirst] / nsPerPx) < 1e-4);
  });

  it('hits the event whose bar is under the pointer', () => {
    const span = { startNs: 10_000, endNs: 16_000 };
    const scratch = new Marks();
    let hits = 0;
    for (const row of layout.rows)
      for (const [index, lane] of row.lanes.entries())
        for (let i = 0; i < lane.ids.length; i++) {
          const middle = (lane.startNs[i] + lane.endNs[i]) / 2;
          if (middle < span.startNs || middle > span.endNs) continue;
          const x = ((middle - span.startNs) / 6000) * 900;
          const hit = hitTest(layout, { ...span, widthPx: 900 }, x, laneTopPx(row, index) + barPx(row) / 2, scratch);
          assert.equal(hit?.event, lane.ids[i]);
          assert.equal(hit?.merged, 1);
          hits++;
        }
    assert.ok(hits > 20);
  });

  it('says how many events a pixel stands for', () => {
    const row = layout.rows[0];
    const scratch = new Marks();
    const view = { startNs: 0, endNs: profile.totalTimeNs * 200, widthPx: 900 };
    const hit = hitTest(layout, view, 1, laneTopPx(row, 0) + 3, scratch);
    const nsPerPx = view.endNs / 900;
    assert.equal(hit?.merged, row.lanes[0].startNs.filter(t => t < nsPerPx).length);
  });

  it('dims everything but the marked events, and counts them in merged pixels', () => {
    const ids = Uint32Array.of(5, 17, 200);
    const mask = new EventMask(model.events, ids, model.tracks);
    const { rects } = build(model.limits, mask);
    const styles = rects.style.subarray(0, rects.length);
    assert.ok(styles.filter(s => s === STYLE.marked).length >= 1);
    assert.ok(styles.some(s => s >= STYLE.dimmed && s < STYLE.density));
    const total = model.tracks.flatMap(t => t.lanes).reduce((sum, lane) => sum + mask.countIn(lane, 0, lane.ids.length), 0);
    assert.equal(total, ids.length);
  });

  it('steps through a row in order of start, there and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: model.events - 1 }), id => {
        const next = nextOnTrack(model, id, 1);
        if (next !== null) assert.equal(nextOnTrack(model, next, -1), id);
        else assert.ok(nextOnTrack(model, id, -1) !== null);
      }),
    );
  });

  it('gives each colour choice a legend that covers all events', () => {
    for (const by of ['opcode', 'engine', 'stall', 'line'] as const) {
      const { seriesOf, legend } = colouring(profile, by);
      const used = new Set(Array.from({ length: model.events }, (_, id) => seriesOf(id)));
      assert.deepEqual(new Set(legend.map(entry => entry.series)), used, by);
    }
  });
});
