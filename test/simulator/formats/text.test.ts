import assert from 'node:assert/strict';
import { METRICS } from '../../../src/simulator/analyze/metrics';
import { jsonChunks } from '../../../src/simulator/formats/json';
import { summaryJson } from '../../../src/simulator/formats/summaryJson';
import { summaryText, terminologyText } from '../../../src/simulator/formats/summaryText';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

type Rows = Record<string, Record<string, unknown>[]>;

describe('text formats', () => {
  const p = syntheticProfile(80);

  it('writes summary-json with one key that names the content', () => {
    const [first, again, other] = [p, syntheticProfile(80), syntheticProfile(81)].map(profile => JSON.parse(summaryJson(profile)));
    const [key] = Object.keys(first);
    assert.match(key, /^n_[0-9a-f]{16}$/);
    assert.equal(Object.keys(first).length, 1);
    assert.deepEqual(Object.keys(again), [key]);
    assert.notDeepEqual(Object.keys(other), [key]);
    assert.equal(first[key].total_time, p.totalTimeNs * 1e-9);
  });

  it('writes summary-text with every metric it knows, in people’s units', () => {
    const text = summaryText(p);
    const [metrics] = Object.values(JSON.parse(summaryJson(p))) as object[];
    for (const [name, value] of Object.entries(metrics))
      if (['number', 'string'].includes(typeof value)) assert.match(text, new RegExp(`^ +${name} +\\S`, 'm'));
    assert.match(text, /^tiled on trn2 \(simulated\)\n/);
    assert.match(text, /Synthetic: for tests only\.\n$/);
    assert.ok(
      Math.max(
        ...text
          .split('\n')
          .slice(0, -4)
          .map(line => line.length),
      ) <= 100,
    );
  });

  it('explains every metric', () => {
    const text = terminologyText();
    for (const [name, { unit, definition }] of Object.entries(METRICS))
      assert.ok(text.includes(`${name} [${unit}]\n      ${definition}\n`), name);
  });

  it('writes json in chunks that make one object of arrays with every event', () => {
    const chunks = [...jsonChunks(syntheticProfile(5000))];
    assert.ok(chunks.length > 10 && Math.max(...chunks.map(c => c.length)) < 1 << 18);
    const json: Rows = JSON.parse(chunks.join(''));
    const transfers = 1250;
    assert.equal(json.instruction.length, 5000);
    assert.equal(json.dma.filter(d => d.aggregated === 'yes').length, transfers);
    assert.equal(json.dma.filter(d => d.aggregated === 'no').length, transfers * 16);
    assert.equal(json.metadata[0].is_simulation, true);
    for (const [name, rows] of Object.entries(json)) assert.ok(Array.isArray(rows), name);
  });

  it('gives an instruction and a DMA the fields of a neuron-profile capture', () => {
    const tiny = tinyProfile({
      events: [
        { line: 2, track: 'Sync', ready: 0, start: 0, end: 20.4, opcode: 'DMA_DIRECT2D' },
        {
          line: [4, 7],
          track: 'Scalar',
          ready: 20,
          start: 1899.625,
          end: 2000,
          stall: 'dma',
          blocker: 2,
          opcode: 'ACTIVATE',
          operands: 'EXP',
        },
      ],
      dmas: [{ line: 2, ready: 20, start: 1300, end: 1500, done: 1850, bytes: 4096, queue: 'qSyncDynamicHW' }],
    });
    const json: Rows = JSON.parse([...jsonChunks(tiny)].join(''));
    assert.deepEqual(json.instruction[1], {
      id: 1,
      pc: 0,
      timestamp: 1899.625,
      duration: 100.375,
      evt_wait_time: 1879.625,
      subgroup: 'Scalar',
      label: 'Scalar',
      opcode: 'ACTIVATE',
      operands: 'EXP',
      instruction_type: 'REGULAR',
      nki_source_location: '/kernels/tiled.py:4',
      kernel_stack: ['tiled /kernels/tiled.py:4', 'tiled /kernels/tiled.py:7'],
      iteration: '',
      predecessors: [{ id: 2, type: 'FLOW_DEPENDENCE' }],
      wait_reason: 'dma',
      blocked_by: 2,
      frame: 2,
      loop: -1,
      program_instruction: 1,
      operand_list: 1,
    });
    const [transfer, slice] = json.dma;
    assert.deepEqual(
      [transfer.transfer_size, transfer.queue_type, transfer.source, transfer.dest, transfer.variable, transfer.transfer_rate],
      [4096, 'hardware_dynamic', [['INPUT']], ['SB'], 'a', 20480000000],
    );
    assert.equal(slice.packet_aggregation_id, transfer.id);
    assert.deepEqual(json.active_time[0], { engine: 'scalar', start_ts: 1900, end_ts: 2000, duration_ns: 100, pcore_idx: 0 });
    assert.equal(json.dma_throughput.at(-1)!.total_transfer_bytes, 4096);
    assert.deepEqual(json.pending_dma, [
      { timestamp: 0, value: 0 },
      { timestamp: 20, value: 1 },
      { timestamp: 1850, value: 0 },
    ]);
  });

  it('reports SBUF use of single partitions over time', () => {
    const json: Rows = JSON.parse([...jsonChunks(p)].join(''));
    const usage = 2048 / p.machine.sbufBytesPerPartition;
    const all = (value: number) => ({
      type: 'sb',
      usage_avg: value,
      partition_0_usage: value,
      partition_32_usage: value,
      partition_64_usage: value,
      partition_96_usage: value,
    });
    assert.deepEqual(json.instruction_usage, [
      { timestamp: 0, ...all(usage) },
      { timestamp: Math.round(p.allocations.endNs[0]), ...all(0) },
    ]);
  });

  it('writes the same bytes twice', () => {
    assert.equal([...jsonChunks(p)].join(''), [...jsonChunks(syntheticProfile(80))].join(''));
  });
});
