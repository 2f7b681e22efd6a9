import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bounds } from '../../../src/simulator/analyze/bounds';
import { METRICS } from '../../../src/simulator/analyze/metrics';
import { summary } from '../../../src/simulator/analyze/summary';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

describe('summary', () => {
  const flops = 2 * 128 * 128 * 512;
  const p = tinyProfile({
    events: [
      { line: 3, track: 'Tensor', ready: 0, start: 0, end: 100, opcode: 'LDWEIGHTS', operands: 'transpose_mode=DISABLED' },
      { line: 3, track: 'TensorMatrix', ready: 50, start: 50, end: 250, opcode: 'MATMUL', flops },
      { line: 4, track: 'Tensor', ready: 100, start: 100, end: 160, opcode: 'LDWEIGHTS', operands: 'transpose_mode=ENABLED' },
      { line: 4, track: 'TensorMatrix', ready: 250, start: 250, end: 350, opcode: 'MATMUL', flops: flops / 4 },
      { line: 5, track: 'Scalar', ready: 0, start: 0, end: 60, opcode: 'ACTIVATE' },
      { line: 5, track: 'Scalar', ready: 40, start: 40, end: 100, opcode: 'ACTIVATE' },
    ],
    dmas: [
      { line: 2, ready: 0, start: 0, end: 80, bytes: 4096, queue: 'qSyncIO0' },
      { line: 2, ready: 0, start: 40, end: 120, bytes: 8192, queue: 'qSyncDynamicHW' },
      { line: 6, ready: 0, start: 300, end: 400, bytes: 4096, queue: 'qGpSimdDynamic', direction: 'sbuf->hbm' },
    ],
    totalNs: 1000,
  });

  it('counts collective operations by the DMAs that complete them', () => {
    const trigger = (operands: string) => ({
      line: 1,
      track: 'Sync' as const,
      ready: 0,
      start: 0,
      end: 10,
      opcode: 'DMA_DIRECT2D',
      operands,
    });
    const dma = (start: number, of: number) => ({ line: 1, ready: 0, start, end: start + 100, bytes: 64, trigger: of });
    const s = summary(
      tinyProfile({
        events: [trigger('elem_size=64 compute_op=NONE'), trigger('elem_size=64 compute_op=NONE cc_op=all_reduce')],
        dmas: [dma(0, 0), dma(50, 1), dma(100, 1)],
        totalNs: 1000,
      }),
    );
    assert.equal(s.cc_op_count, 2);
    assert.ok(Math.abs((s.cc_op_time as number) - 200e-9) < 1e-15);
    assert.ok(Math.abs((s.cc_op_active_time as number) - 150e-9) < 1e-15);
  });

  it('says nothing of what bounds a profile without events', () => {
    assert.deepEqual(bounds(tinyProfile({ events: [], totalNs: 1000 })).sentences, []);
  });

  it('computes what can be worked out on paper', () => {
    const s = summary(p);
    const expected = {
      total_time: 1e-6,
      total_active_time: 400e-9,
      total_active_time_percent: 0.4,
      neuroncore_cycle_count: 1200,
      hardware_flops: flops * 1.25,
      transpose_flops: flops / 4,
      mm_arithmetic_intensity: flops / 16384,
      tensor_engine_instruction_count: 4,
      tensor_engine_instruction_time: 460e-9,
      tensor_engine_active_time: 350e-9,
      tensor_engine_active_time_percent: 0.35,
      matmul_instruction_count: 2,
      scalar_engine_instruction_time: 120e-9,
      scalar_engine_active_time: 100e-9,
      activate_instruction_count: 2,
      activate_instruction_time: 120e-9,
      mfu_inst_estimated_percent: flops / (79e12 * 1e-6),
      hfu_estimated_percent: (flops * 1.25) / (79e12 * 1e-6),
      hbm_read_bytes: 12288,
      hbm_write_bytes: 4096,
      mbu_estimated_percent: 16384 / (716e9 * 1e-6),
      inputs_and_weights_size_bytes: 1024 * 512 * 4,
      inputs_outputs_weights_size_bytes: 2 * 1024 * 512 * 4,
      dma_active_time: 220e-9,
      dma_packet_time: 260e-9,
      dma_transfer_count: 3,
      dma_transfer_average_bytes: 16384 / 3,
      dma_queue_count: 3,
      static_dma_size: 4096,
      hardware_dynamic_dma_size: 8192,
      hardware_dynamic_dma_size_percent: 0.5,
      software_dynamic_dma_active_time: 100e-9,
      instance_type: 'trn2',
    };
    for (const [name, value] of Object.entries(expected)) {
      if (typeof value === 'string') assert.equal(s[name], value);
      else assert.ok(Math.abs((s[name] as number) - value) <= 1e-12 * Math.max(1, value), `${name}: ${s[name]}, not ${value}`);
    }
  });

  it('leaves out what it does not know instead of printing 0', () => {
    const s = summary(p);
    for (const name of ['input_queue_bytes', 'weight_size_bytes', 'compiler_version', 'throttle_active_nc0_time_ns'])
      assert.ok(!(name in s), name);
    const odd = { ...p, inputs: [{ name: 'x', shape: [4], dtype: 'complex64' }] };
    assert.ok(!('inputs_and_weights_size_bytes' in summary(odd)));
    const empty = summary(tinyProfile({ events: [] }));
    assert.ok(!('mm_arithmetic_intensity' in empty) && !('dma_transfer_average_bytes' in empty));
  });

  it('keeps every fraction of time within 0..1 and every number finite, on any profile', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), (size, seed) => {
        for (const [name, value] of Object.entries(summary(syntheticProfile(size, seed)))) {
          if (typeof value !== 'number') continue;
          assert.ok(Number.isFinite(value) && value >= 0, `${name}: ${value}`);
          if (name.endsWith('time_percent') || name.includes('size_percent')) assert.ok(value <= 1 + 1e-12, `${name}: ${value}`);
        }
      }),
      { seed: 3, numRuns: 40 },
    );
  });

  it('defines every metric in one sentence or more, without a unit left open', () => {
    for (const [name, m] of Object.entries(METRICS)) {
      assert.match(m.definition, /^[A-Za-z(].*\.$/, name);
      assert.match(name, /^[a-z_]+$/);
      if (name.endsWith('_percent')) assert.equal(m.unit, 'fraction', name);
    }
  });
});

describe('bounds', () => {
  const matmul = (bytes: number, flops = 1e6) =>
    bounds(
      tinyProfile({
        events: [{ line: 3, track: 'TensorMatrix', ready: 0, start: 120, end: 200, stall: 'dma', blocker: 1, opcode: 'MATMUL', flops }],
        dmas: [{ line: 2, ready: 0, start: 0, end: 80, done: 100, bytes }],
      }),
    );

  it('says who bounds the kernel, the busiest engine, what the critical path is made of, and what the matmuls reach', () => {
    const b = matmul(4e4);
    assert.deepEqual(b.busiest, { engine: 'Tensor', activeNs: 80, share: 0.4 });
    assert.deepEqual(
      b.path.map(({ name, kind, ns }) => [name, kind, ns]),
      [
        ['DMA', 'run', 100],
        ['Tensor', 'run', 80],
        ['DMA', 'wait', 20],
      ],
    );
    assert.deepEqual(b.verdict, { bound: 'HBM', share: 0.5 });
    assert.deepEqual(b.sentences, [
      'HBM-bound: DMAs move data for 50 % of the critical path; its HBM traffic alone takes 46 % of the body at the rate of all DMA engines.',
      "Tensor is the busiest engine, 40 % of the kernel's body; DMA moves data for 40 %. The critical path is DMA 50 %, Tensor 40 %, waiting (DMA) 10 %.",
      "The matmuls' FLOPs take 6.3 % of the body at peak (bf16: 79 TFLOP/s), 25.0 FLOPs per byte of HBM traffic.",
    ]);
    assert.deepEqual(matmul(400).verdict, { bound: 'DMA', share: 0.5 });
  });

  it('is bound by whoever runs on the critical path, whatever its intensity', () => {
    const dmas = [{ line: 2, ready: 0, start: 0, end: 90, bytes: 4e4 }];
    const flops = 0.99 * (79e12 / 4) * 100e-9;
    const fp32 = 'src=fp32@0x0[1,0,0][512,1,1]';
    const tensor = { line: 3, track: 'TensorMatrix' as const, ready: 0, start: 0, end: 100, opcode: 'MATMUL', flops, operands: fp32 };
    const atPeak = bounds(tinyProfile({ events: [tensor], dmas }));
    assert.deepEqual(atPeak.verdict, { bound: 'TensorE', share: 1 });
    assert.equal(atPeak.sentences[0], 'TensorE-bound: it runs for 100 % of the critical path.');
    assert.match(atPeak.sentences[2], /^The matmuls' FLOPs take 99 % of the body at peak \(fp32: 19.8 TFLOP\/s\), /);
    const vector = { line: 4, track: 'Vector' as const, ready: 0, start: 0, end: 100 };
    const few = { ...tensor, end: 20, flops: 1e6 };
    assert.equal(bounds(tinyProfile({ events: [few, vector], dmas })).verdict.bound, 'VectorE');
  });

  it('is bound by waiting, or by dependences, where nothing runs for half of the path', () => {
    const at = (start: number, blocker = -1) =>
      ({ line: 3, track: 'Vector', ready: start - 60, start, end: start + 20, stall: 'data', blocker }) as const;
    const b = bounds(tinyProfile({ events: [{ ...at(0), ready: 0, stall: 'none' }, at(80, 0), at(160, 1)] }));
    assert.equal(b.verdict.bound, 'waiting');
    assert.equal(b.sentences[0], 'Bound by waiting: waits are 67 % of the critical path.');
    const turn = (track: 'Vector' | 'Scalar' | 'GpSimd', start: number, end: number, blocker = -1) =>
      ({ line: 3, track, ready: 0, start, end, stall: blocker < 0 ? 'none' : 'data', blocker }) as const;
    const turns = bounds(tinyProfile({ events: [turn('Vector', 0, 40), turn('Scalar', 40, 75, 0), turn('GpSimd', 75, 100, 1)] }));
    assert.deepEqual(turns.verdict, { bound: 'Dependence', share: 0.4 });
    assert.equal(turns.sentences[0], 'Dependence-bound: engines take turns on the critical path, the longest for 40 % of it.');
  });

  it("counts DMA of the body only: a recording's start-up moves bytes too", () => {
    const dma = { line: 2, ready: 0, bytes: 64 };
    const recorded = tinyProfile({
      events: [{ line: 1, track: 'Vector', ready: 0, start: 100, end: 200 }],
      dmas: [
        { ...dma, start: 0, end: 90 },
        { ...dma, start: 90, end: 120 },
      ],
      body: [100, 200],
    });
    assert.deepEqual(bounds(recorded).dma, { activeNs: 20, share: 0.2 });
  });

  it('has path shares that sum to 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(), (size, seed) => {
        const sum = bounds(syntheticProfile(size, seed)).path.reduce((n, part) => n + part.share, 0);
        assert.ok(Math.abs(sum - 1) < 1e-9, String(sum));
      }),
      { seed: 8, numRuns: 30 },
    );
  });
});
