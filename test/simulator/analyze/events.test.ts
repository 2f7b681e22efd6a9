import assert from 'node:assert/strict';
import { describeEvent } from '../../../src/simulator/analyze/events';
import { bytesText, percentText, timeText } from '../../../src/simulator/analyze/format';
import { STALL_REASONS } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

describe('event descriptions', () => {
  const p = tinyProfile({
    events: [
      { line: 2, track: 'Sync', ready: 0, start: 0, end: 20, opcode: 'DMA_DIRECT2D' },
      { line: [4, 7], track: 'Scalar', ready: 1588, start: 1900, end: 2000, stall: 'dma', blocker: 2, opcode: 'ACTIVATE', operands: 'EXP' },
    ],
    dmas: [{ line: 2, ready: 20, start: 1300, end: 1500, done: 1850, bytes: 4096, stall: 'descriptor', trigger: 0 }],
    source: 'a\nload(x)\nc\n  exp(x)\n\n\nhelper()\n',
  });

  it('tells of an instruction: times, why it waited and for whose line, call stack', () => {
    const e = describeEvent(p, 1);
    assert.equal(e.stallText, 'waited 312 ns for the DMA of line 2');
    assert.deepEqual([e.opcode, e.operands, e.track, e.waitNs, e.durationNs], ['ACTIVATE', 'EXP', 'Scalar', 312, 100]);
    assert.deepEqual(e.blockerPosition, { file: '/kernels/tiled.py', line: 2 });
    assert.deepEqual(
      e.stack.map(s => s.line),
      [4, 7],
    );
    assert.equal(e.sourceText, 'exp(x)');
    assert.equal(e.dma, null);
  });

  it('tells of a DMA: bytes, rate, engines, direction and who triggered it', () => {
    const e = describeEvent(p, 2);
    assert.deepEqual(e.dma, {
      bytes: 4096,
      bytesPerSecond: (4096 / 200) * 1e9,
      packets: 1,
      engines: [0],
      variable: 'a',
      direction: 'hbm->sbuf',
      trigger: 0,
    });
    assert.equal(e.stallText, 'waited 1.28 µs for its descriptors and the start of the transfer');
    assert.equal(e.visibleNs, 1850);
  });

  it('has words for every stall reason, with and without a blocker', () => {
    for (const stall of STALL_REASONS) {
      for (const blocker of [0, -1]) {
        const event = { line: 4, track: 'Scalar' as const, ready: 0, start: 100, end: 110, stall, blocker };
        const text = describeEvent(
          tinyProfile({ events: [{ line: 3, track: 'Vector', ready: 0, start: 0, end: 90 }, event] }),
          1,
        ).stallText;
        if (stall === 'none') assert.equal(text, '');
        else assert.match(text, blocker < 0 ? /^waited 100 ns \w[^3]*$/ : /^waited 100 ns .*line 3/);
      }
    }
  });

  it('names the loop iteration, outermost first', () => {
    const nested = syntheticProfile(4);
    nested.strings.push('j');
    nested.iterations = {
      parent: Int32Array.of(-1, 0),
      name: Uint32Array.of(1, 5),
      value: Int32Array.of(3, 1),
      line: Uint32Array.of(8, 9),
    };
    nested.instructions.iteration.fill(1);
    assert.equal(describeEvent(nested, 0).iteration, 'i=3, j=1');
    nested.instructions.iteration.fill(-1);
    assert.equal(describeEvent(nested, 0).iteration, '');
  });

  it('writes numbers as people read them', () => {
    assert.deepEqual([0, 7, 7.25, 312.4, 999.7, 23_400, 1_212_000, 2.5e9].map(timeText), [
      '0 ns',
      '7 ns',
      '7.25 ns',
      '312 ns',
      '1.00 µs',
      '23.4 µs',
      '1.21 ms',
      '2.50 s',
    ]);
    assert.deepEqual([512, 65536, 7.5 * 2 ** 20].map(bytesText), ['512 B', '64 KiB', '7.50 MiB']);
    assert.deepEqual([0, 0.004, 0.045, 0.453, 1].map(percentText), ['0 %', '0.4 %', '4.5 %', '45 %', '100 %']);
  });
});
