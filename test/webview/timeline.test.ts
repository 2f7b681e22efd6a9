import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Marks } from '../../src/simulator/profile/windowMarks';
import { simulateRanks } from '../../src/simulator/simulateRanks';
import { EventMask } from '../../src/webview/data/eventMask';
import { buildModel } from '../../src/webview/data/model';
import { OWN } from '../../src/webview/data/stack';
import { ticks } from '../../src/webview/math/ticks';
import { COLLECTIVE, STYLE } from '../../src/webview/render/theme';
import { ALL_CORES, COLOURS, type ColourBy, initialSettings, type ViewSettings } from '../../src/webview/state/settings';
import { colouring, rowSeries, seriesWithin } from '../../src/webview/tracks/colouring';
import { hitTest } from '../../src/webview/tracks/hit';
import { barPx, laneTopPx, layOutRows, rowAt } from '../../src/webview/tracks/layout';
import { nextOnTrack } from '../../src/webview/tracks/neighbours';
import { opcodeSeries } from '../../src/webview/tracks/opcodeColours';
import { allRows, inUserOrder, shownRows } from '../../src/webview/tracks/rows';
import { Scene } from '../../src/webview/tracks/scene';
import { rankProgram } from '../support/ranks';
import { syntheticProfile } from '../support/syntheticProfile';
import { tinyProfile } from '../support/tinyProfile';

const profile = syntheticProfile(800, 3);
const model = buildModel(profile);
const lay = (settings: Partial<ViewSettings> = {}) => {
  const all = { ...initialSettings, ...settings };
  return layOutRows(shownRows([{ number: OWN, model }], all), all);
};
const layout = lay();

function build(span: { startNs: number; endNs: number }, mask: EventMask | null = null) {
  const scene = new Scene();
  const body = () => ({ startNs: profile.bodyStartNs, endNs: profile.bodyEndNs });
  const colours = colouring(profile, 'opcode');
  scene.begin();
  scene.build({
    ...{ rows: layout.rows, span, widthPx: 900, topPx: 0, heightPx: 600, scrollTop: 0, ticks: ticks(span, 900), body, mask },
    ...{
      waits: true,
      barText: true,
      colouring: () => colours,
      packets: (_: unknown, piece: number) => model.analysis.packets().of(piece),
      viewport: () => ({ ...span, widthPx: 900 }),
    },
  });
  return scene;
}

describe('webview/tracks', () => {
  it('gives a row in the overview the colour that fills most of it, not that of its first event', () => {
    const tiny = tinyProfile({
      events: [
        { line: 1, track: 'Vector', opcode: 'RECIPROCAL', ready: 0, start: 0, end: 10 },
        { line: 2, track: 'Vector', opcode: 'TENSOR_TENSOR', ready: 10, start: 10, end: 400 },
      ],
    });
    const { lanes } = buildModel(tiny).tracks.find(({ track }) => tiny.tracks[track].name === 'Vector')!;
    const [first, second] = opcodeSeries(['RECIPROCAL', 'TENSOR_TENSOR']);
    assert.notEqual(first, second);
    assert.equal(rowSeries(lanes, colouring(tiny, 'opcode')), second);
  });

  it('gives each place of a row in the overview the colour of what lies longest there', () => {
    const tiny = tinyProfile({
      events: [
        { line: 1, track: 'Vector', opcode: 'RECIPROCAL', ready: 0, start: 0, end: 100 },
        { line: 2, track: 'Vector', opcode: 'TENSOR_TENSOR', ready: 100, start: 100, end: 110 },
        { line: 3, track: 'Vector', opcode: 'RECIPROCAL', ready: 110, start: 110, end: 112 },
      ],
    });
    const { lanes } = buildModel(tiny).tracks.find(({ track }) => tiny.tracks[track].name === 'Vector')!;
    const [first, second] = opcodeSeries(['RECIPROCAL', 'TENSOR_TENSOR']);
    const at = (startNs: number, endNs: number) => seriesWithin(lanes, colouring(tiny, 'opcode'), { startNs, endNs });
    assert.equal(at(0, 50), first);
    assert.equal(at(98, 112), second, 'of the long one before it 2 ns lie there');
    assert.equal(at(100, 110), second, 'what ends there does not lie there');
    assert.equal(at(111, 112), first);
    assert.equal(at(200, 300), null);
  });

  it('has the rows of one physical core where that is asked for, and all of a run that has no such core', () => {
    const tracks = profile.tracks.map((track, k) => ({ ...track, core: k % 2 }));
    const two = buildModel({ ...profile, machine: { ...profile.machine, cores: 2 }, tracks });
    const coresShown = (core: number, of = two) => {
      const rows = shownRows([{ number: OWN, model: of }], { ...initialSettings, idleRows: true, core });
      return new Set(rows.filter(({ track }) => track >= 0).map(({ track }) => of.profile.tracks[track].core ?? 0));
    };
    assert.deepEqual([...coresShown(1)], [1]);
    assert.deepEqual([...coresShown(0)], [0]);
    for (const core of [ALL_CORES, 7]) assert.deepEqual([...coresShown(core)].sort(), [0, 1]);
    assert.deepEqual([...coresShown(1, model)], [0]);
  });

  it('orders engines as AWS does, then queues, without overlap', () => {
    const names = layout.rows.map(row => row.name);
    assert.deepEqual(names, ['Tensor', 'TensorMatrix', 'Vector', 'Scalar', 'GpSimd', 'Sync', 'qSyncIO0', 'qScalarIO0']);
    for (let i = 1; i < layout.rows.length; i++) assert.ok(layout.rows[i].topPx >= layout.rows[i - 1].topPx + layout.rows[i - 1].heightPx);
    const folded = lay({ collapsed: ['Vector'] });
    assert.ok(folded.heightPx < layout.heightPx && folded.rows[2].collapsed);
  });

  it('hides, pins, moves and scales rows, and keeps pinned ones from scrolling', () => {
    const made = lay({ hidden: ['GpSimd'], pinned: ['Sync'], rowOrder: ['Vector', 'Tensor'], rowScale: { Scalar: 2 } });
    assert.deepEqual(
      made.rows.map(row => row.name),
      ['Sync', 'Vector', 'TensorMatrix', 'Tensor', 'Scalar', 'qSyncIO0', 'qScalarIO0'],
    );
    assert.equal(made.pinnedPx, made.rows[0].heightPx);
    assert.ok(made.rows[4].heightPx > layout.rows[3].heightPx);
    assert.equal(rowAt(made, 2, 500)?.name, 'Sync');
    assert.equal(rowAt(made, made.pinnedPx + 1, made.rows[3].topPx - made.pinnedPx)?.name, 'Tensor');
  });

  it('puts moved rows where they were put, and loses none', () => {
    const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'));
    fc.assert(
      fc.property(names, names, (rows, order) => {
        const result = inUserOrder(
          rows.map(name => ({ name })),
          order,
        ).map(row => row.name);
        assert.deepEqual([...result].sort(), [...rows].sort());
        const placed = order.filter(name => rows.includes(name));
        assert.deepEqual(
          result.filter(name => placed.includes(name)),
          placed,
        );
      }),
    );
  });

  it('shows single DMA engines: every slice once, none overlapping in a lane', () => {
    const engines = allRows(model, 'engine').filter(row => row.kind === 'dma');
    assert.equal(
      engines.reduce((n, row) => n + row.events, 0),
      profile.dmaSlices.engine.length,
    );
    for (const { lanes } of engines)
      for (const lane of lanes) for (let i = 1; i < lane.length; i++) assert.ok(lane.startNs(i) >= lane.endNs(i - 1));
  });

  it('draws every event of the whole run, merged or not', () => {
    assert.equal(build(model.limits).shownEvents, model.events);
  });

  it('makes a merged pixel as high as it is busy', () => {
    const { rects } = build({ startNs: 0, endNs: profile.totalTimeNs * 50 });
    const [lane] = layout.rows[0].lanes;
    const nsPerPx = (profile.totalTimeNs * 50) / 900;
    const inFirst = lane.firstStartingFrom(nsPerPx);
    const top = laneTopPx(layout.rows[0], 0, 0);
    const bottom = top + barPx(layout.rows[0]);
    const first = [...rects.style.subarray(0, rects.length).keys()].find(
      i =>
        rects.style[i] >= STYLE.bar && rects.style[i] < STYLE.dimmed && rects.xPx[i] === 0 && rects.yPx[i] >= top && rects.yPx[i] < bottom,
    );
    assert.ok(first !== undefined);
    assert.ok(Math.abs(rects.heightPx[first] / barPx(layout.rows[0]) - lane.busyBeforeNs(inFirst) / nsPerPx) < 1e-4);
  });

  it('hits the event whose bar is under the pointer', () => {
    const span = { startNs: 10_000, endNs: 16_000 };
    const scratch = new Marks();
    let hits = 0;
    for (const row of layout.rows)
      for (const [index, lane] of row.lanes.entries())
        for (let i = 0; i < lane.length; i++) {
          const middle = (lane.startNs(i) + lane.endNs(i)) / 2;
          if (middle < span.startNs || middle > span.endNs) continue;
          const x = ((middle - span.startNs) / 6000) * 900;
          const hit = hitTest(
            layout,
            () => ({ ...span, widthPx: 900 }),
            { xPx: x, yPx: laneTopPx(row, index, 0) + barPx(row) / 2, scrollTop: 0 },
            scratch,
          );
          assert.equal(hit?.event, lane.id(i));
          assert.equal(hit?.merged, 1);
          hits++;
        }
    assert.ok(hits > 20);
  });

  it('says how many events a pixel stands for', () => {
    const row = layout.rows[0];
    const scratch = new Marks();
    const view = { startNs: 0, endNs: profile.totalTimeNs * 200, widthPx: 900 };
    const hit = hitTest(layout, () => view, { xPx: 1, yPx: laneTopPx(row, 0, 0) + 3, scrollTop: 0 }, scratch);
    const nsPerPx = view.endNs / 900;
    assert.equal(hit?.merged, row.lanes[0].firstStartingFrom(nsPerPx));
  });

  it('dims everything but the marked events, and counts them in merged pixels', () => {
    const ids = Uint32Array.of(5, 17, 200);
    const mask = new EventMask(model.events, ids, model.tracks);
    const { rects } = build(model.limits, mask);
    const styles = rects.style.subarray(0, rects.length);
    assert.ok(styles.filter(s => s === STYLE.marked).length >= 1);
    assert.ok(styles.some(s => s >= STYLE.dimmed && s < STYLE.density));
    const total = model.tracks.flatMap(t => t.lanes).reduce((sum, lane) => sum + mask.countIn(lane, 0, lane.length), 0);
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

  it('gives an opcode its colour for good, whatever else a profile has and however long it takes', () => {
    const colours = (of: typeof profile) => new Map(colouring(of, 'opcode').legend.map(({ label, series }) => [label, series]));
    const before = colours(profile);
    const reversed = profile.opcodes.map((_, i) => profile.opcodes.length - 1 - i);
    // the same events under other names: what took longest takes least
    const after = colours({ ...profile, opcodes: reversed.map(i => profile.opcodes[i]) });
    assert.deepEqual(new Map([...after].sort()), new Map([...before].sort()));
    const series = colouring(profile, 'line').legend.map(entry => entry.series);
    assert.ok(
      [...before.values()].every(colour => !series.includes(colour)),
      'lines have other colours',
    );
  });

  it('has a colour for collectives that nothing else has, in place of that of DMA', () => {
    const whole = rankProgram(['work', ['all_reduce', 0, 1]]);
    const [p] = simulateRanks([0, 1].map(() => ({ whole, cores: [whole] })));
    const collective = p.instructions.startNs.length + p.rank!.collectives[0].transfer;
    for (const by of ['opcode', 'type'] as const) {
      const { legend, seriesOf } = colouring(p, by);
      assert.equal(seriesOf(collective), COLLECTIVE);
      assert.deepEqual(
        legend.filter(({ series }) => series === COLLECTIVE).map(({ label }) => label),
        ['collectives'],
      );
      assert.ok(legend.some(({ label, series }) => label === 'DMA' && series !== COLLECTIVE));
    }
    const none = colouring(profile, 'opcode').legend;
    assert.ok(!none.some(({ label }) => label === 'collectives'), 'a kernel of one rank has none');
  });

  it('has more than eight colours for opcodes, and one for a name that it has never heard of', () => {
    const work = [
      'DMA',
      'MATMUL',
      'LDWEIGHTS',
      'ACTIVATE',
      'TENSOR_SCALAR',
      'TENSOR_TENSOR',
      'TENSOR_REDUCE',
      'COPY',
      'MEMSET',
      'RECIPROCAL',
    ];
    assert.equal(new Set(opcodeSeries(work)).size, work.length);
    assert.deepEqual(opcodeSeries(['OPCODE_5c']), opcodeSeries(['OPCODE_5c']));
    const quiet = opcodeSeries(['EVENT_SEMAPHORE', 'NOP']);
    for (let i = 0; i < 256; i++) assert.ok(!quiet.includes(opcodeSeries([`OPCODE_${i.toString(16)}`])[0]), 'not the colour of waiting');
  });

  it('gives no colour twice to the calls and operations of a script, in whatever order they come', () => {
    const names = ['double', 'transpose', 'add', 'exp', 'Execute', 'matmul', 'maximum', 'divide', 'subtract', 'reduce.max', 'reduce.sum'];
    const colours = opcodeSeries(names);
    assert.equal(new Set(colours).size, names.length);
    assert.deepEqual(opcodeSeries([...names].reverse()), [...colours].reverse());
    const unseen = ['nrt_load', 'nrt_tensor_write', 'nrt_tensor_read', 'Python', 'nrt_unload', 'first', 'second'];
    const seen = opcodeSeries([...unseen, ...names], i => i >= unseen.length).slice(unseen.length);
    assert.equal(new Set(seen).size, names.length, 'what takes no time takes no colour from what does');
    const [dma, trigger] = opcodeSeries(['DMA', 'PSEUDO_TRIGGER_COLLECTIVE_2']);
    assert.notEqual(dma, trigger);
    const twenty = opcodeSeries(Array.from({ length: 20 }, (_, i) => `kernel_${i}`));
    assert.ok(Math.max(...twenty) < opcodeSeries(['EVENT_SEMAPHORE'])[0], 'more kernels than colours');
  });

  it('gives each colour choice a legend that covers all events', () => {
    for (const by of Object.keys(COLOURS) as ColourBy[]) {
      const { seriesOf, legend } = colouring(profile, by);
      const used = new Set(Array.from({ length: model.events }, (_, id) => seriesOf(id)));
      assert.deepEqual(new Set(legend.map(entry => entry.series)), used, by);
    }
  });
});
