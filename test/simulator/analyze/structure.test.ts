/** Hierarchy, warnings, tensors, memory series, comparison and operand parts: what the timeline's panels are made of. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareTracks } from '../../../src/simulator/analyze/compare/tracks';
import { type HierarchyNode, hierarchy } from '../../../src/simulator/analyze/hierarchy';
import { bankUsage, clockHeldBack, cumulativeBytes, partitionUsage, semaphoreValue } from '../../../src/simulator/analyze/memorySeries';
import { operandParts } from '../../../src/simulator/analyze/operandParts';
import { tensorTraffic } from '../../../src/simulator/analyze/tensorTraffic';
import { warnings } from '../../../src/simulator/analyze/warnings';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

describe('operandParts', () => {
  const withOperands = (operands: string) =>
    tinyProfile({ events: [{ line: 1, track: 'TensorMatrix', ready: 0, start: 0, end: 9, operands }] });
  const text = 'acc_flags=3 fp32_mode=LOW src=bfloat16@0x5600[1,512,0][512,2,1] dst=0x2000000[1,0,0][512,1,1] channels=64 128*96 odd';

  it('names semaphores, words and operands in memory, none left out', () => {
    const p = withOperands(text);
    p.waits = { instruction: Uint32Array.of(0), semaphore: Uint8Array.of(1), value: Uint32Array.of(16) };
    p.instructions.signal[0] = 0;
    const parts = operandParts(p, 0);
    assert.deepEqual(
      parts.map(part => part.name),
      ['waits for S[8] (qSyncIO0)', 'raises S[5] (Tensor)', 'acc_flags', 'fp32_mode', 'src', 'dst', 'channels', 'array', 'odd'],
    );
    assert.deepEqual(
      parts.map(part => part.value).filter(value => value.includes(' at ') || value.startsWith('at ')),
      [
        '+1 at complete',
        'bfloat16 at 0x5600 in SBUF, counts [512,2,1], strides [1,512,0]',
        'at 0x2000000 in PSUM, counts [512,1,1], strides [1,0,0]',
      ],
    );
    assert.ok(parts.every(part => part.about.length > 10));
  });

  it('names the tensor and the memory of what the simulator made', () => {
    const b = new ProgramBuilder({ target: 'trn2' });
    const [x, t] = [b.hbm('x', [128, 64], 'float32', 'input'), b.sbuf('q_tile', [128, 64])];
    b.record('nki.isa.dma_copy', { dst: t, src: x });
    b.record('nki.isa.tensor_tensor', { dst: t, data1: t, data2: t }, { op: 'add' });
    const p = simulate(b.finish());
    const values = Array.from(p.instructions.opcode, (_, i) => operandParts(p, i))
      .flat()
      .map(part => part.value);
    assert.ok(
      values.some(value => /^x: fp32 at 0x0 in HBM, /.test(value)),
      values.join(),
    );
    assert.equal(values.filter(value => /^q_tile: fp32 at 0x0 in SBUF, /.test(value)).length, 4);
  });

  it('takes any text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), any => assert.doesNotThrow(() => operandParts(withOperands(any), 0))),
      { seed: 5 },
    );
  });
});

describe('hierarchy', () => {
  it('gives every event and the whole critical path to the root, and less to no child', () => {
    const p = syntheticProfile(300, 3);
    const root = hierarchy(p);
    assert.equal(root.events, 375);
    const check = (node: HierarchyNode) => {
      if (node.children.length === 0) return;
      assert.ok(node.children.reduce((n, child) => n + child.timeNs, 0) <= node.timeNs + 1e-6);
      assert.equal(
        node.children.reduce((n, child) => n + child.events, 0),
        node.events,
      );
      node.children.forEach(check);
    };
    check(root);
    const loop = root.children.find(child => child.kind === 'loop');
    assert.deepEqual([loop?.name, loop?.line, loop?.iterations], ['for i', 9, 8]);
  });

  it('counts each iteration once for each place of its loop', () => {
    // line 9 is the loop's: a caller above it has the loop below itself, and shares its iterations with the others
    const callers = fc.array(fc.integer({ min: 5, max: 12 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(callers, fc.nat(), (callLines, seed) => {
        const p = syntheticProfile(60, seed);
        const [callees, frames] = [callLines.length, p.frames.line.length];
        const all = { ...p, frames: { ...p.frames } };
        all.frames.parent = Int32Array.of(...p.frames.parent, ...callLines.map(() => -1), ...callLines.map((_, k) => frames + k));
        all.frames.line = Uint32Array.of(...p.frames.line, ...callLines, ...callLines.map(() => 20));
        for (const name of ['file', 'function'] as const) all.frames[name] = new Uint32Array(frames + 2 * callees);
        all.instructions = {
          ...p.instructions,
          frame: p.instructions.frame.map((_, i) => (i % 2 ? i % frames : frames + callees + (i % callees))),
        };
        const loopOf = (frame: number) => {
          const caller = all.frames.parent[frame];
          return caller < 0 || all.frames.line[caller] >= 9 ? 'kernel' : `called in line ${all.frames.line[caller]}`;
        };
        const expected = new Map<string, Set<number>>();
        for (const { frame, iteration } of [all.instructions, all.transfers])
          for (const [row, its] of iteration.entries()) {
            if (its < 0) continue;
            const place = loopOf(frame[row]);
            expected.set(place, (expected.get(place) ?? new Set()).add(its));
          }
        const found = new Map<string, number>();
        const visit = (node: HierarchyNode, place: string) => {
          if (node.kind === 'loop') found.set(place, node.iterations);
          for (const child of node.children) visit(child, child.kind === 'function' ? `called in line ${child.line}` : place);
        };
        visit(hierarchy(all), 'kernel');
        assert.deepEqual(found, new Map([...expected].map(([place, { size }]) => [place, size])));
      }),
      { seed: 2, numRuns: 60 },
    );
  });

  it('puts a helper below the line that calls it', () => {
    const p = tinyProfile({ events: [{ line: [3, 9], track: 'Vector', ready: 0, start: 0, end: 10 }] });
    const [called] = hierarchy(p).children;
    assert.deepEqual([called.kind, called.line, called.children[0].kind, called.children[0].line], ['function', 9, 'line', 3]);
  });
});

describe('warnings', () => {
  const rules = (p: Parameters<typeof warnings>[0]) => new Set(warnings(p).map(warning => warning.rule));

  it('finds packets of a few bytes, but not rows that a tile of few columns has', () => {
    const copied = (shape: number[], run: number) => {
      const b = new ProgramBuilder({ target: 'trn2' });
      const source = b.hbm('in', [...shape.slice(0, -1), 2 * shape.at(-1)!], 'bfloat16', 'input');
      const dst = b.hbm('out', shape, 'bfloat16', 'output');
      b.record('nki.isa.dma_copy', { dst, src: source.slice(...shape.slice(0, -1).map(() => ':' as const), [0, run]) }, {}, { line: 7 });
      return warnings(simulate(b.finish())).filter(({ rule }) => rule === 'short-runs');
    };
    const [found] = copied([128, 128, 1], 1);
    assert.match(found.message, /^1 transfer in packets of 2 B on average/);
    assert.equal(found.position!.line, 7);
    assert.deepEqual([copied([128, 128, 256], 256), copied([128, 64], 64)], [[], []]);
  });

  it('finds small DMAs, few partitions, small free sizes and idle gaps, each with its line', () => {
    const p = tinyProfile({
      events: [
        { line: 4, track: 'Vector', ready: 0, start: 0, end: 10, operands: 'src=fp32@0x0[1,0,0][8,1,1] channels=16' },
        {
          line: 5,
          track: 'Vector',
          ready: 10,
          start: 90,
          end: 100,
          stall: 'dma',
          blocker: 2,
          operands: 'src=fp32@0x0[1,0,0][512,1,1] channels=128',
        },
      ],
      dmas: [{ line: 2, ready: 0, start: 20, end: 80, bytes: 512 }],
    });
    const found = warnings(p);
    const line = (rule: string) => found.find(warning => warning.rule === rule)?.position?.line;
    assert.deepEqual([line('small-dma'), line('partitions'), line('free-size'), line('gap')], [2, 4, 4, 5]);
    const gap = found.find(warning => warning.rule === 'gap');
    assert.deepEqual([gap?.spans.startNs[0], gap?.spans.endNs[0]], [10, 90]);
    assert.ok(rules(p).has('overlap'));
  });

  it('says once what holds of several lines, and names them all', () => {
    const narrow = 'src=fp32@0x0[1,0,0][8,1,1] channels=128';
    const at = (line: number, start: number) => ({ line, track: 'Vector', ready: 0, start, end: start + 10, operands: narrow }) as const;
    const p = tinyProfile({ events: [at(7, 0), at(4, 10), at(9, 20), at(4, 30)] });
    const found = warnings(p).filter(warning => warning.rule === 'free-size');
    assert.equal(found.length, 1);
    const [{ lines, events, share, message }] = found;
    assert.deepEqual(
      lines.map(({ line }) => line),
      [4, 7, 9],
    );
    assert.deepEqual([events, share], [[0, 1, 2, 3], 1]);
    assert.match(message, /of 2 instructions on 8 elements per partition\. 2 more lines are like it\.$/);
  });

  it('keeps silent about a kernel without any of it, and about the load of a register', () => {
    const wide = 'src=fp32@0x0[1,0,0][512,1,1] channels=128';
    const one = 'src=int32@0x0[1,0,0][1,1,1] channels=1';
    const p = tinyProfile({
      events: [
        { line: 4, track: 'Vector', ready: 0, start: 0, end: 100, operands: wide },
        { line: 5, track: 'GpSimd', ready: 0, start: 0, end: 100, opcode: 'TENSOR_LOAD', operands: one },
      ],
      dmas: [{ line: 2, ready: 0, start: 0, end: 100, bytes: 1 << 20 }],
    });
    assert.deepEqual([...rules(p)], []);
  });

  it('finds clock drops, transposes and tensors loaded again and again', () => {
    const transpose = 'transpose_mode=ENABLED src=fp32@0x0[1,0,0][128,1,1] 128*128';
    const p = tinyProfile({
      events: [
        { line: 1, track: 'Tensor', ready: 0, start: 0, end: 10, opcode: 'LDWEIGHTS', operands: transpose },
        { line: 1, track: 'TensorMatrix', ready: 10, start: 40, end: 60, opcode: 'MATMUL', stall: 'clock', flops: 100 },
      ],
      dmas: [0, 1, 2].map(i => ({
        line: 2,
        ready: 0,
        start: i * 10,
        end: i * 10 + 10,
        bytes: 1024 * 512 * 4,
        direction: 'hbm->sbuf' as const,
      })),
    });
    p.transfers.variable.fill(p.strings.indexOf('a'));
    assert.ok(rules(p).has('clock') && rules(p).has('transpose') && rules(p).has('reload'));
    assert.equal(tensorTraffic(p).find(tensor => tensor.name === 'a')?.repeatFactor, 3);
  });
});

describe('memorySeries', () => {
  it('follows allocations by partition and bank, semaphores by id, and bytes so far', () => {
    const p = syntheticProfile(100, 2);
    const at = (series: { timesNs: Float64Array; values: Float64Array }, ns: number) =>
      series.values[series.timesNs.findLastIndex(t => t <= ns)];
    assert.equal(at(partitionUsage(p, 'sbuf', 96), 10), 2048 / p.machine.sbufBytesPerPartition);
    assert.equal(at(bankUsage(p, 0, 8), 1500), 1);
    assert.equal(at(bankUsage(p, 1, 8), 1500), 0);
    const value = semaphoreValue(p, 0);
    assert.equal(value.values.at(-1), [...p.instructions.signal].filter(signal => signal === 0).length);
    assert.ok(value.values.every((v, i) => i === 0 || v > value.values[i - 1]));
    const queue = semaphoreValue(p, 1);
    assert.equal(queue.values.at(-1)! % p.machine.dmaEngines, 0);
    assert.equal(
      cumulativeBytes(p, () => true).values.at(-1),
      p.transfers.bytes.reduce((a, b) => a + b, 0),
    );
    assert.ok(clockHeldBack(p).values.every(v => v >= 0));
  });
});

describe('compareTracks', () => {
  it('puts tracks of the same name beside each other, an absent one as idle', () => {
    const event = (end: number) => ({ line: 1, track: 'Vector' as const, ready: 0, start: 0, end });
    const a = tinyProfile({ events: [event(100)], dmas: [{ line: 2, ready: 0, start: 0, end: 30, bytes: 64 }] });
    const changes = compareTracks([a, tinyProfile({ events: [event(40)] }), a]);
    assert.deepEqual(
      changes.filter(({ timesNs }) => timesNs.some(ns => ns > 0)),
      [
        { name: 'Vector', timesNs: [100, 40, 100] },
        { name: 'qSyncIO0', timesNs: [30, 0, 30] },
      ],
    );
  });
});
