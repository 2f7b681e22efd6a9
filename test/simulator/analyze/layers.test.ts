/** Named layers: their sums as a tree, their visits as spans, and that every format that has layers keeps them. */
import assert from 'node:assert/strict';
import { criticalPath } from '../../../src/simulator/analyze/criticalPath';
import { eventCount, eventValue } from '../../../src/simulator/analyze/eventAccess';
import { layerSpans } from '../../../src/simulator/analyze/layerSpans';
import { layerAtDepth, layerDepth, layerOfFrame, layerRows } from '../../../src/simulator/analyze/layers';
import { FormatError } from '../../../src/simulator/columns/container';
import { readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { jsonChunks } from '../../../src/simulator/formats/json';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import type { Profile } from '../../../src/simulator/profile/profile';
import { runOfLaunches } from '../../support/launches';
import { syntheticProfile } from '../../support/syntheticProfile';

const PATHS = ['model', 'model/mlp/up', 'head'];
/** With those that only lie around others. */
const ALL = [...PATHS, 'model/mlp'];

/** Frames in layers by turns; the first is in none, and the profile has four. */
function layered(events = 400): Profile {
  const p = syntheticProfile(events);
  return { ...p, layers: { paths: PATHS, ofFrame: Array.from(p.frames.line, (_, frame) => (frame % (PATHS.length + 1)) - 1) } };
}

describe('layers', () => {
  it('counts each event for its layer and all around it, once', () => {
    const p = layered();
    const rows = layerRows(p);
    for (const path of ALL) {
      const row = rows.find(one => one.path === path)!;
      const inside = (event: number) => {
        const layer = layerOfFrame(p, eventValue(p, event, 'frame'));
        return layer === path || layer.startsWith(`${path}/`);
      };
      const events = Array.from({ length: eventCount(p) }, (_, event) => event).filter(inside);
      assert.equal(row.instructions + row.transfers, events.length);
      assert.equal(row.startNs, Math.min(...events.map(event => eventValue(p, event, 'startNs'))));
      assert.equal(row.endNs, Math.max(...events.map(event => eventValue(p, event, 'endNs'))));
      const walked = criticalPath(p);
      const time = [...walked.event.keys()].filter(s => walked.event[s] >= 0 && inside(walked.event[s]));
      const sum = time.reduce((ns, s) => ns + walked.endNs[s] - walked.startNs[s], 0);
      assert.ok(Math.abs(row.timeNs - sum) < 1e-6);
    }
  });

  it('lists a layer before those in it', () => {
    const paths = layerRows(layered()).map(({ path }) => path);
    assert.deepEqual([...paths].sort(), [...ALL].sort());
    for (const path of paths)
      if (path.includes('/')) assert.ok(paths.indexOf(layerAtDepth(path, path.split('/').length - 1)) < paths.indexOf(path));
  });

  it('has FLOPs over the peak as MFU, and the bytes of calls of a run', () => {
    const rows = layerRows(runOfLaunches());
    assert.deepEqual(
      rows.map(({ path, depth }) => [path, depth]),
      [0, 1].flatMap(i => [
        [`block.${i}`, 1],
        [`block.${i}/mlp`, 2],
      ]),
    );
    assert.ok(rows.every(({ bytes, flops, mfu }) => bytes > 0 && flops > 0 && mfu > 0 && mfu < 1));
    assert.ok(Math.abs(rows.filter(({ depth }) => depth === 1).reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
  });

  it('has a span for each visit, and all of a layer’s events lie in its spans', () => {
    const p = layered();
    const spans = layerSpans(p);
    assert.equal(Math.max(...spans.depth), layerDepth(p));
    for (let event = 0; event < eventCount(p); event++) {
      if (eventValue(p, event, 'origin') < 0) continue;
      const layer = layerOfFrame(p, eventValue(p, event, 'frame'));
      for (let depth = 1; layer !== '' && depth <= layer.split('/').length; depth++) {
        const name = spans.names.indexOf(layerAtDepth(layer, depth));
        const holds = [...spans.name.keys()].some(
          s =>
            spans.depth[s] === depth &&
            spans.name[s] === name &&
            spans.startNs[s] <= eventValue(p, event, 'startNs') &&
            spans.endNs[s] >= eventValue(p, event, 'endNs'),
        );
        assert.ok(holds, `event ${event} in ${layer}`);
      }
    }
  });

  it('has none without layers', () => {
    const p = syntheticProfile(50);
    assert.deepEqual(layerRows(p), []);
    assert.equal(layerSpans(p).depth.length, 0);
  });

  it('are kept by the container and by JSON, and damaged ones are refused', () => {
    const p = layered();
    assert.deepEqual(decodeProfile(encodeProfile(p)).layers, p.layers);
    const text = [...jsonChunks(p)].join('');
    assert.match(text, /"layer":"model\/mlp\/up"/);
    for (const ofFrame of [p.layers!.ofFrame.slice(1), p.layers!.ofFrame.map(() => 99), p.layers!.ofFrame.map(() => 0.5)])
      assert.throws(() => decodeProfile(encodeProfile({ ...p, layers: { paths: PATHS, ofFrame } })), FormatError);
  });

  it('of a framework are read from a capture’s rows', () => {
    const row = { subgroup: 'Vector', opcode: 'COPY', duration: 10, nki_source_location: 'k.py:3' };
    const rows = ['', 'layer_1', 'layer_2/mlp'].map((layer, id) => ({ ...row, id, timestamp: 100 * id, layer }));
    const p = readCaptureJson([new TextEncoder().encode(JSON.stringify({ instruction: rows }))], { name: 'x' });
    assert.deepEqual(
      Array.from(p.instructions.frame, frame => layerOfFrame(p, frame)),
      ['', 'layer_1', 'layer_2/mlp'],
    );
    assert.deepEqual(
      layerRows(p).map(({ path, position }) => [path, position.line]),
      [
        ['layer_1', 3],
        ['layer_2', 3],
        ['layer_2/mlp', 3],
      ],
    );
  });
});
