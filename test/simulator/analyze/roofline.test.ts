/** Roofs per dtype and target, and the kernel, its loops and lines as points under them. */
import assert from 'node:assert/strict';
import { hierarchy } from '../../../src/simulator/analyze/hierarchy';
import { KNOWN_TARGETS } from '../../../src/simulator/analyze/machineOf';
import { roofline } from '../../../src/simulator/analyze/roofline';
import { simulate } from '../../../src/simulator/simulate';
import { randomProgram } from '../../support/randomPrograms';
import { tinyProfile } from '../../support/tinyProfile';

const matmul = (line: number, start: number, end: number, flops: number, dtype: string) =>
  ({ line, track: 'TensorMatrix', ready: 0, start, end, opcode: 'MATMUL', flops, operands: `src=${dtype}@0x0[1,0,0][512,1,1]` }) as const;

describe('roofline', () => {
  const p = tinyProfile({
    events: [matmul(3, 0, 100, 1e6, 'fp32'), matmul(4, 100, 200, 3e6, 'bfloat16')],
    dmas: [
      { line: 2, ready: 0, start: 0, end: 80, bytes: 3000 },
      { line: 5, ready: 0, start: 80, end: 90, bytes: 1000, direction: 'sbuf->hbm' },
    ],
  });
  const found = roofline(p, hierarchy(p))!;

  it('has a roof for each width that the target can stream, with the FLOPs that the kernel streams at it', () => {
    assert.deepEqual(
      found.roofs.map(({ width, flopsPerSecond, flops }) => [width, flopsPerSecond / 1e12, flops]),
      [
        ['fp8', 158, 0],
        ['bf16', 79, 3e6],
        ['fp32', 19.75, 1e6],
      ],
    );
  });

  it('slopes at what DMA engines reach with these bytes, not at the peak of HBM', () => {
    // 16 engines of 27.3 bytes/ns
    assert.ok(found.bytesPerSecond > 350e9 && found.bytesPerSecond <= 16 * 27.3e9 + 1, String(found.bytesPerSecond));
    assert.ok(found.bytesPerSecond < p.machine.hbmBytesPerSecond);
  });

  it('has the kernel and its matmul lines as points, each with its share of the peak of its own dtype', () => {
    const [kernel, bf16, fp32] = found.points;
    assert.deepEqual([kernel.kind, kernel.intensity], ['kernel', 1000]);
    assert.ok(Math.abs(kernel.flopsPerSecond - 4e6 / 200e-9) < 1);
    const peakNs = 1e6 / 19.75e3 + 3e6 / 79e3;
    assert.ok(Math.abs(kernel.peakShare - peakNs / 200) < 1e-9);
    assert.deepEqual([bf16.line, fp32.line], [4, 3]);
    assert.ok(Math.abs(fp32.peakShare - 1e6 / 19.75e3 / 100) < 1e-9);
  });

  it('shows the roofs of another target, and the same points', () => {
    const other = roofline(p, hierarchy(p), 'trn1')!;
    assert.equal(other.roofs.find(roof => roof.width === 'bf16')!.flopsPerSecond, 92e12);
    assert.deepEqual(other.points, found.points);
  });

  it('is null without matmuls, or without traffic', () => {
    const vector = { line: 1, track: 'Vector', ready: 0, start: 0, end: 100 } as const;
    for (const none of [tinyProfile({ events: [vector] }), tinyProfile({ events: [matmul(1, 0, 9, 1e3, 'fp32')] })])
      assert.equal(roofline(none, hierarchy(none)), null);
  });

  it('bounds every point of what is simulated', () => {
    let points = 0;
    for (let seed = 1; seed <= 12; seed++)
      for (const target of KNOWN_TARGETS) {
        const simulated = simulate(randomProgram(seed, 60, target));
        for (const { name, peakShare, flopsPerSecond, intensity, kind } of roofline(simulated, hierarchy(simulated))?.points ?? []) {
          points++;
          assert.ok(peakShare > 0 && peakShare <= 1 + 1e-6, `${name} of program ${seed} on ${target}: ${peakShare}`);
          const slope = roofline(simulated, hierarchy(simulated))!.bytesPerSecond * intensity;
          if (kind === 'kernel') assert.ok(flopsPerSecond <= slope * (1 + 1e-6), `${name} of program ${seed} on ${target}`);
        }
      }
    assert.ok(points > 10, `only ${points} points`);
  });
});
