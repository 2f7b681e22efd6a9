/** Replays of small recordings made here: a load, an activation, a store, with known times. */
import assert from 'node:assert/strict';
import { FormatError } from '../../../src/simulator/columns/container';
import { captureOfJson, readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { captureOfParquet } from '../../../src/simulator/formats/capture/parquetTables';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { replayCapture } from '../../../src/simulator/replay/replay';

const PACKET = 2048;
/** First packet of the store. */
const STORE_NS = 5954;
const { dma, rules, clockGhz, activationTableLoadNs } = machineFor('trn2');

const row = (subgroup: string, pc: number, timestamp: number, duration: number, opcode: string, operands = '') => ({
  subgraph: 'sg00',
  subgroup,
  pc,
  timestamp,
  duration,
  opcode,
  operands,
});

/** 16 engines, 8 packets each, then the semaphore. */
function packets(queue: number, startNs: number) {
  return Array.from({ length: 16 }, (_, engine) =>
    Array.from({ length: 9 }, (_, k) => ({
      subgraph: 'sg00',
      dma_queue: String(queue),
      dma_engine: String(64 + engine),
      timestamp: startNs + 10 * engine + 80 * k,
      duration: k < 8 ? 80 : 9,
      transfer_size: k < 8 ? PACKET : 4,
    })),
  ).flat();
}

const dmaOperands = (semaphore: number, dst: string) =>
  `semaphore=${semaphore} sem_increment=16  src_elem_size=${PACKET} src_pattern=[${PACKET},1][128,1] dst_addr_imm=${dst} `;

const recording = {
  summary: [{ instance_type: 'trn2.3xlarge' }],
  dma_queues_info: [
    { subgraph: 'sg00', q_idx: 0, q_name: 'qSyncDynamicHW' },
    { subgraph: 'sg00', q_idx: 1, q_name: 'qScalarDynamicHW' },
  ],
  instruction: [
    row('Scalar', 1, 500, 135, 'EVENT_SEMAPHORE', 'setter=0 $S[2]==7 $S[2]++@complete'),
    row('Sync', 4, 1000, 545, 'DMA_DIRECT2D', dmaOperands(8, '0x802000036500')),
    row('Scalar', 5, 1010, 1283, 'ACT_TABLE_LOAD', 'table_sel=0'),
    row(
      'Scalar',
      6,
      4000,
      707,
      'ACTIVATE',
      'S[8] (qSyncDynamicHW)>=16 S[4] (Scalar)++@complete EXP src=fp32@0x4000[1,1,1][512,1,1] dst=fp32@0x8000[1,1,1][512,1,1]',
    ),
    row('Scalar', 7, 4740, 545, 'DMA_DIRECT2D', `S[4] (Scalar)>=1 ${dmaOperands(9, '0x8005c03b0000')}`),
    row('Scalar', 8, 7000, 733, 'DRAIN'),
  ],
  dma: [...packets(0, 2332), ...packets(1, STORE_NS)],
};

const text = (value: unknown) => JSON.stringify(value);
const bytes = (json: string) => [new TextEncoder().encode(json)];
const replayTrace = (json: string) => replayCapture(captureOfJson(bytes(json), 'recording'));

describe('replay', () => {
  const result = replayTrace(text(recording));

  it('measures the recorded body from the first trigger to the last payload', () => {
    assert.equal(result.recordedBodyNs, STORE_NS + 150 + 8 * 80 - 1000);
  });

  it('times each instruction and transfer with the tables', () => {
    const kind = (engine: string, opcode: string) => {
      const found = result.kinds.find(k => k.engine === engine && k.opcode === opcode);
      assert.ok(found, `${engine} ${opcode}`);
      return found;
    };
    assert.equal(kind('Scalar', 'ACT_TABLE_LOAD').modelledNs, activationTableLoadNs.value);
    const exp = rules.activation.fixedNs.value + 512 / clockGhz.Scalar.value;
    assert.ok(Math.abs(kind('Scalar', 'ACTIVATE').modelledNs - exp) < 1e-6);
    assert.deepEqual([kind('Scalar', 'ACTIVATE').count, kind('Scalar', 'ACTIVATE').recordedNs], [1, 707]);
    const store = 8 * (dma.packetNs.value + PACKET / dma.engineBytesPerNs.value) + 15 * dma.engineSkewNs.value;
    assert.ok(Math.abs(kind('qScalarDynamicHW', 'DMA').modelledNs - store) < 20);
  });

  it('follows the semaphores: load, activation, store, one after another', () => {
    const starts = Object.fromEntries(result.events.map(e => [`${e.engine} ${e.opcode}`, e.modelledStartNs]));
    const load = dma.triggers.hardware!.latencyNs.value + dma.completionNs.value;
    assert.ok(starts['Scalar ACTIVATE'] > load);
    assert.ok(starts['Scalar DMA_DIRECT2D'] >= starts['Scalar ACTIVATE'] + 707 - 1);
    assert.ok(Math.abs(result.errorPercent) < 5, `${result.errorPercent} %`);
  });

  it('leaves out what only separates runs', () => {
    assert.ok(!result.kinds.some(k => k.opcode === 'DRAIN' || k.opcode === 'EVENT_SEMAPHORE'));
  });

  it('is the same every time', () => assert.deepEqual(replayTrace(text(recording)), result));

  it('replays both cores of a recording on two, each from where it begins, beside each other', () => {
    const later = 3000;
    const second = <R extends { subgraph: string }>(rows: R[]) => [...rows, ...rows.map(one => ({ ...one, subgraph: 'sg01' }))];
    const shifted = <R extends { subgraph: string; timestamp: number }>(rows: R[]) =>
      second(rows).map(one => (one.subgraph === 'sg01' ? { ...one, timestamp: one.timestamp + later } : one));
    const both = replayTrace(
      text({
        ...recording,
        dma_queues_info: second(recording.dma_queues_info),
        instruction: shifted(recording.instruction),
        dma: shifted(recording.dma),
      }),
    );
    assert.equal(both.recordedBodyNs, result.recordedBodyNs + later);
    assert.equal(both.kinds.length, 2 * result.kinds.length);
    const of = (core: number) => both.events.filter(e => e.engine.endsWith(`(nc${core})`)).map(e => e.recordedStartNs);
    assert.deepEqual(
      of(1),
      of(0).map(start => start + later),
    );
    assert.ok(both.modelledBodyNs >= result.modelledBodyNs + later);
    assert.ok(both.modelledBodyNs < result.modelledBodyNs + later + 100, 'what they share does not limit loads as short as these');
  });

  it('leaves out a core that only starts up', () => {
    const idle = { ...recording.instruction[0], subgraph: 'sg01' };
    const beside = { ...recording, instruction: [idle, ...recording.instruction, ...Array.from({ length: 20 }, () => idle)] };
    assert.deepEqual(replayTrace(text(beside)), result);
  });

  it('refuses what is no recorded profile', () => {
    for (const bad of ['', '[]', '{}', text({ instruction: [{ subgraph: 'sg00', timestamp: 'soon' }] })])
      assert.throws(() => replayTrace(bad), FormatError);
    assert.throws(() => replayTrace(text({ ...recording, instruction: recording.instruction.slice(0, 1) })), /no kernel body/);
  });

  it('refuses an instruction that waits for what comes after it', () => {
    const later = (operands: string) => operands.replace('S[8] (qSyncDynamicHW)', 'S[9] (qScalarDynamicHW)');
    const waits = recording.instruction.map(row => ({ ...row, operands: later(row.operands) }));
    assert.throws(() => replayTrace(text({ ...recording, instruction: waits })), {
      name: 'FormatError',
      message: /semaphores do not lead/,
    });
  });

  it('replays the same capture from Parquet tables, whether its packets end in writes of semaphores or say their transfer', async () => {
    const p = readCaptureJson(bytes(text(recording)), { name: 'recording' });
    const fromTables = replayCapture(await captureOfParquet(new Map(parquetFiles(p)), 'recording'));
    assert.deepEqual(fromTables, result);
    const capture = captureOfJson(bytes(text(recording)), 'recording');
    const packets = capture.dmas.filter(row => row.bytes > 4).map(row => ({ ...row, group: row.queue }));
    const wholes = packets
      .filter((row, k) => packets.findIndex(({ queue }) => queue === row.queue) === k)
      .map(row => ({ ...row, whole: true }));
    assert.deepEqual(replayCapture({ ...capture, dmas: [...wholes, ...packets] }), result);
    assert.throws(() => replayCapture({ ...capture, dmas: packets }), /neither end in a write of a semaphore nor say/);
  });

  it('replays static DMAs, whose transfers name their triggers', () => {
    const capture = captureOfJson(bytes(text(recording)), 'recording');
    const rings: Readonly<Record<string, string>> = { qSyncDynamicHW: 'qSPIO0', qScalarDynamicHW: 'qActIO0' };
    const triggers = capture.instructions.filter(row => row.opcode === 'DMA_DIRECT2D');
    const groups = capture.dmas.filter(row => row.bytes > 4).map(row => ({ ...row, queue: rings[row.queue], group: row.queue }));
    const wholes = Object.keys(rings).map((group, k) => {
      const [first] = groups.filter(row => row.group === group);
      return { ...first, whole: true, trigger: triggers[k].id, from: k === 0 ? 'hbm' : 'sbuf', to: k === 0 ? 'sbuf' : 'hbm' };
    });
    const instructions = capture.instructions.map(row =>
      row.opcode === 'DMA_DIRECT2D'
        ? { ...row, opcode: 'PSEUDO_DMA_TRIGGER', operands: row.operands.replace(/semaphore=(\d+).*/, 'semaphore=$1') }
        : row,
    );
    const replayed = replayCapture({ ...capture, instructions, dmas: [...wholes, ...groups] });
    assert.equal(replayed.recordedBodyNs, result.recordedBodyNs);
    const starts = Object.fromEntries(replayed.events.map(e => [`${e.engine} ${e.opcode}`, e.modelledStartNs]));
    const load = dma.triggers.static!.latencyNs.value + dma.completionNs.value;
    assert.ok(starts['Scalar ACTIVATE'] > load, 'it waits for the load by its semaphore');
    assert.ok(starts['Scalar PSEUDO_DMA_TRIGGER'] >= starts['Scalar ACTIVATE'] + 707 - 1);
    const moved = replayed.kinds.filter(kind => kind.opcode === 'DMA').map(({ engine, count }) => `${count} ${engine}`);
    assert.deepEqual(moved.sort(), ['1 qActIO0', '1 qSPIO0']);
  });

  it('takes the order of starts for that of the programs where a file has no counters', () => {
    const uncounted = recording.instruction.map(({ pc: _, ...row }) => row);
    assert.deepEqual(replayTrace(text({ ...recording, instruction: uncounted })).modelledBodyNs, result.modelledBodyNs);
  });

  it('says why it does not replay what is simulated, does not tell its triggers, or has an instruction that nobody knows', () => {
    assert.throws(() => replayTrace(text({ ...recording, metadata: [{ is_simulation: true }] })), /simulated/);
    const as = (from: string, opcode: string) =>
      text({ ...recording, instruction: recording.instruction.map(row => (row.opcode === from ? { ...row, opcode } : row)) });
    assert.throws(
      () => replayTrace(as('DMA_DIRECT2D', 'WRITE')),
      /no trigger of a DMA: which of its instructions trigger DMAs, the NEFF says/,
    );
    assert.throws(() => replayTrace(as('DMA_DIRECT2D', 'PSEUDO_DMA_TRIGGER')), /does not say which packets each trigger moved/);
    assert.throws(() => replayTrace(as('ACTIVATE', 'OPCODE_5c')), /OPCODE_5c/);
  });
});
