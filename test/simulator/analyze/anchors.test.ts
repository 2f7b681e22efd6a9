/** Events found again by line, call path and iteration: in the same profile, and in those of changed kernels. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anchoredTimeNs, anchorOf, findAnchored } from '../../../src/simulator/analyze/anchors';
import { eventCount, eventValue } from '../../../src/simulator/analyze/eventAccess';
import type { Profile } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';
import { oneByOne, tinyProfile } from '../../support/tinyProfile';

const anchorsOf = (p: Profile, events: readonly number[]) => events.map(event => anchorOf(p, event, eventValue(p, event, 'startNs')));

/** The profile of the same kernel with lines added in front of its code. */
function movedDown(p: Profile, lines: number): Profile {
  const files = p.files.map(file => ({ ...file, text: '# new\n'.repeat(lines) + file.text }));
  return { ...p, files, frames: { ...p.frames, line: p.frames.line.map(line => line + lines) } };
}

describe('anchors of events', () => {
  it('find each event again in its own profile, and in one whose lines have moved', () => {
    const size = fc.record({ seed: fc.nat(1e6), events: fc.integer({ min: 1, max: 120 }), lines: fc.nat(5) });
    fc.assert(
      fc.property(size, ({ seed, events, lines }) => {
        const profile = syntheticProfile(events, seed);
        const all = Array.from({ length: eventCount(profile) }, (_, event) => event);
        const anchors = anchorsOf(profile, all);
        assert.deepEqual(findAnchored(profile, anchors), all);
        assert.deepEqual(findAnchored(movedDown(profile, lines), anchors), all);
      }),
      { seed: 20, numRuns: 30 },
    );
  });

  it('keep the distance from the nearer end of the event', () => {
    const [before, after] = [oneByOne('add(x)\nmul(x)\n', [100, 300]), oneByOne('add(x)\nmul(x)\n', [500, 900])];
    const anchors = [90, 120, 295].map((timeNs, i) => anchorOf(before, i === 0 ? 0 : 1, timeNs));
    const events = findAnchored(after, anchors);
    assert.deepEqual(
      anchors.map((anchor, i) => anchoredTimeNs(after, anchor, events[i])),
      [490, 520, 895],
    );
  });

  it('tell lines with the same text apart by their order', () => {
    const before = oneByOne('copy(a)\ncopy(a)\n', [10, 20]);
    const after = oneByOne('# first\ncopy(a)\ncopy(a)\n', [30, 40], 2);
    assert.deepEqual(findAnchored(after, anchorsOf(before, [0, 1])), [0, 1]);
  });

  it('are found among very many lines with one text', () => {
    const lines = 300_000;
    const before = oneByOne('copy(a)\n'.repeat(lines), [10, 20, 30], lines - 3);
    assert.deepEqual(findAnchored(before, anchorsOf(before, [0, 1, 2])), [0, 1, 2]);
  });

  it('of a file that has more than can be compared count as missing', () => {
    const p = tinyProfile({
      source: 'add(x)\nmul(x)\n',
      events: Array.from({ length: 4000 }, (_, k) => ({ line: 2, track: 'Vector', ready: k, start: k, end: k + 1 })),
    });
    const [anchor] = anchorsOf(p, [5]);
    // each stands at a line of its own that was changed, so each is compared with every event there
    const changed = (k: number) => ({
      ...anchor,
      stack: anchor.stack.map((line, at) => ({ ...line, text: at === anchor.stack.length - 1 ? `${k}` : line.text })),
    });
    const found = findAnchored(
      p,
      Array.from({ length: 10_000 }, (_, k) => changed(k)),
    );
    assert.deepEqual(new Set(found), new Set([-1]));
    assert.notDeepEqual(findAnchored(p, [changed(0)]), [-1]);
  });

  it('know a changed line by the line above it, if it asks for the same instruction', () => {
    const before = oneByOne('add(x)\nmul(x, 2)\n', [10, 20]);
    const anchors = anchorsOf(before, [1]);
    assert.deepEqual(findAnchored(oneByOne('add(x)\nmul(x, 3)\n', [10, 20]), anchors), [1]);
    assert.deepEqual(findAnchored(oneByOne('sub(x)\nmul(x, 3)\n', [10, 20]), anchors), [-1], 'both lines are others');
    const other = tinyProfile({
      source: 'add(x)\nexp(x)\n',
      events: [{ line: 2, track: 'Scalar', opcode: 'ACTIVATE', ready: 0, start: 0, end: 9 }],
    });
    assert.deepEqual(findAnchored(other, anchors), [-1], 'another instruction');
  });

  it('do not find what the code no longer has: the line, the caller, the pass', () => {
    const source = 'call()\ncall2()\nadd(x)\n';
    const at = (line: number[]) => tinyProfile({ source, events: [{ line, track: 'Vector', ready: 0, start: 0, end: 9 }] });
    const anchors = anchorsOf(at([3, 1]), [0]);
    assert.deepEqual(findAnchored(at([3, 1]), anchors), [0]);
    assert.deepEqual(findAnchored(at([3, 2]), anchors), [-1], 'called from another line');
    assert.deepEqual(findAnchored(at([3]), anchors), [-1], 'not called');
    const looped = syntheticProfile(60, 3);
    const event = Array.from(looped.instructions.iteration).findIndex(iteration => iteration >= 0);
    const pass = anchorsOf(looped, [event]);
    assert.match(pass[0].iteration, /=\d/);
    const fewer = { ...looped, iterations: { ...looped.iterations, value: looped.iterations.value.map(value => value + 100) } };
    assert.deepEqual(findAnchored(fewer, pass), [-1]);
  });

  it('follow an instruction to another engine', () => {
    const on = (track: 'Vector' | 'GpSimd') =>
      tinyProfile({ source: 'add(x)\n', events: [{ line: 1, track, ready: 0, start: 0, end: 9 }] });
    assert.deepEqual(findAnchored(on('GpSimd'), anchorsOf(on('Vector'), [0])), [0]);
  });
});
