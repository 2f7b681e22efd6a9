/** What went wrong, at its place in time: recorded errors, checks at the first event of their line; and what was spilled. */
import assert from 'node:assert/strict';
import { findings } from '../../../src/simulator/analyze/findings';
import { warnings } from '../../../src/simulator/analyze/warnings';
import { readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

const capture = (sections: object) => readCaptureJson([new TextEncoder().encode(JSON.stringify(sections))], { name: 'x' });
const INSTRUCTION = { subgroup: 'Vector', label: 'Vector', opcode: 'COPY', operands: '', id: 1, subgraph: 'sg00' };

describe('findings', () => {
  const p = tinyProfile({
    events: [
      { line: [3, 8], track: 'Vector', ready: 0, start: 50, end: 90 },
      { line: 3, track: 'Scalar', ready: 0, start: 20, end: 40 },
      { line: 5, track: 'Vector', ready: 90, start: 100, end: 120 },
    ],
  });
  const check = (line: number) => ({ severity: 'warning' as const, message: `line ${line}`, file: p.files[0].path, line });

  it('show a check at the first event of its line, or of what the line calls', () => {
    const checked = { ...p, checks: [check(5), check(3), check(8), check(0), check(77)] };
    assert.deepEqual(
      findings(checked).map(({ message, event, startNs, endNs }) => [message, event, startNs, endNs]),
      [
        ['line 3', 1, 20, 40],
        ['line 8', 0, 50, 90],
        ['line 5', 2, 100, 120],
      ],
    );
    assert.deepEqual(findings(p), []);
  });

  it('show what a capture recorded at its time, with what began last before it', () => {
    const profile = capture({
      instruction: [
        { ...INSTRUCTION, timestamp: 10, duration: 5 },
        { ...INSTRUCTION, id: 2, timestamp: 100, duration: 50 },
      ],
      error: [{ timestamp: 120, type: 'NaN', description: 'not a number in the output' }],
    });
    const [found] = findings(profile);
    assert.deepEqual([found.severity, found.message, found.event, found.startNs], ['error', 'NaN: not a number in the output', 1, 120]);
    assert.deepEqual(decodeProfile(encodeProfile(profile)).recorded, profile.recorded);
    assert.throws(() => capture({ instruction: [], error: [{ timestamp: 'soon' }] }), /error/);
  });
});

describe('the warning about spills', () => {
  const spilled = (p: Parameters<typeof warnings>[0]) => warnings(p).find(({ rule }) => rule === 'spill');

  it('names the bytes of the queues that spill, and their events', () => {
    const dma = { line: 4, ready: 0, start: 0, end: 10 };
    const p = tinyProfile({
      events: [{ line: 1, track: 'Vector', ready: 0, start: 0, end: 10 }],
      dmas: [
        { ...dma, bytes: 1024, queue: 'qSyncSpillSave0' },
        { ...dma, bytes: 2048, queue: 'qSyncSpillReload0' },
        { ...dma, bytes: 4096, queue: 'qSyncIO0' },
      ],
    });
    const found = spilled(p);
    assert.match(found!.message, /^1 KiB were moved out .* 2 KiB loaded back/);
    assert.deepEqual([found!.events, found!.position?.line], [[1, 2], 4]);
  });

  it('takes what a capture recorded, and keeps silent about kernels without any', () => {
    const instruction = [{ ...INSTRUCTION, timestamp: 10, duration: 5 }];
    assert.match(
      spilled(capture({ instruction, summary: [{ spill_save_bytes: 4096, spill_reload_bytes: 0 }] }))!.message,
      /^4 KiB were.* 0 B/,
    );
    assert.equal(spilled(syntheticProfile(100)), undefined);
  });
});
