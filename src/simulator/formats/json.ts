/**
 * `json`: summary and all events in the shape of the legacy `neuron-profile` JSON: one object of arrays, times in integer
 * nanoseconds, field names as in AWS's captures. Written as chunks, row by row: never one string, so size has no limit.
 *
 * Arrays and fields that the simulator has nothing for are absent, as they are in captures that lack them. Ours beyond
 * AWS's: `instruction.kernel_stack` and `iteration`, `dma.nki_source_location`.
 */
import { activeIntervals } from '../analyze/activeTime';
import { dmaThroughput, pendingDmas } from '../analyze/counters';
import { dmaClass, transposes } from '../analyze/facts';
import { sweep } from '../analyze/intervals';
import { METRICS } from '../analyze/metrics';
import { operandText } from '../analyze/operandText';
import { callStack, framePosition, iterationText } from '../analyze/places';
import { summary } from '../analyze/summary';
import { encodeProfile } from '../profile/codec';
import { DIRECTIONS, type Profile, STALL } from '../profile/profile';
import type { StepSeries } from '../profile/windowCounters';
import { SPACES } from '../program/program';
import { profileId } from './contentHash';
import { programCounters } from './ids';

type Row = Record<string, unknown>;

/** Characters per chunk, about: large enough that writing is not the cost. */
const CHUNK_CHARACTERS = 1 << 16;

export function* jsonChunks(p: Profile): Generator<string> {
  let separator = '{\n';
  for (const [name, rows] of sections(p)) {
    let chunk = `${separator}${JSON.stringify(name)}: [`;
    separator = ',\n';
    let comma = '\n';
    for (const row of rows) {
      chunk += comma + JSON.stringify(row);
      comma = ',\n';
      if (chunk.length > CHUNK_CHARACTERS) {
        yield chunk;
        chunk = '';
      }
    }
    yield `${chunk}]`;
  }
  yield '\n}\n';
}

/** The arrays in writing order; each makes its rows as they are asked for. */
function sections(p: Profile): [name: string, rows: Iterable<Row>][] {
  return [
    ['profile_info', [{ profile_name: p.kernel, profile_type: 'simulated', profile_id: profileId(encodeProfile(p)) }]],
    ['metadata', [metadata(p)]],
    ['summary', [summary(p)]],
    ['summary_groups', [Object.fromEntries(Object.entries(METRICS).map(([name, m]) => [name, m.group]))]],
    ['terminology', [Object.fromEntries(Object.entries(METRICS).map(([name, m]) => [name, m.definition]))]],
    ['instruction', instructionRows(p)],
    ['dma', dmaRows(p)],
    ['active_time', activeTimeRows(p)],
    ['pending_dma', steps(pendingDmas(p), value => ({ value }))],
    ['dma_throughput', throughputRows(p)],
    ['instruction_usage', usageRows(p)],
    ['warnings', p.checks.map(c => ({ category: c.severity, message: c.message, nki_source_location: `${c.file}:${c.line}` }))],
  ];
}

function metadata(p: Profile): Row {
  return {
    is_simulation: p.simulated,
    first_hw_timestamp: 0,
    last_hw_timestamp: Math.round(p.totalTimeNs),
    ticks_per_nanosec: 1,
    num_physical_cores: 1,
    vnc_enabled: false,
    hbm_ddr_bandwidth: p.machine.hbmBytesPerSecond,
    dma_ddr_bandwidth: p.machine.dmaBytesPerSecond,
    instance_type: p.machine.instanceType,
  };
}

/** Start and length in whole nanoseconds such that neighbours stay neighbours: both ends are rounded, not the length. */
function span(startNs: number, endNs: number): { timestamp: number; duration: number } {
  const timestamp = Math.round(startNs);
  return { timestamp, duration: Math.round(endNs) - timestamp };
}

function location(p: Profile, frame: number): string {
  const { file, line } = framePosition(p, frame);
  return `${file}:${line}`;
}

/** What AWS calls the dependence behind a wait; other reasons have no predecessor there. */
const DEPENDENCE: Record<number, string> = {
  [STALL.data]: 'FLOW_DEPENDENCE',
  [STALL.dma]: 'FLOW_DEPENDENCE',
  [STALL.buffer]: 'ANTI_DEPENDENCE',
};

function* instructionRows(p: Profile): Generator<Row> {
  const e = p.instructions;
  const pc = programCounters(p);
  const transposing = transposes(p);
  for (let i = 0; i < e.startNs.length; i++) {
    const track = p.tracks[e.track[i]];
    const opcode = p.opcodes[e.opcode[i]];
    const operands = operandText(p, i);
    const dependence = e.blocker[i] >= 0 ? DEPENDENCE[e.stall[i]] : undefined;
    yield {
      id: i,
      pc: pc[i],
      ...span(e.startNs[i], e.endNs[i]),
      evt_wait_time: Math.round(e.startNs[i] - e.readyNs[i]),
      subgroup: track.engine,
      label: track.name,
      opcode,
      operands,
      instruction_type: transposing[i] ? 'TRANSPOSE' : 'REGULAR',
      nki_source_location: location(p, e.frame[i]),
      kernel_stack: callStack(p, e.frame[i]).map(s => `${s.function} ${s.file}:${s.line}`),
      iteration: iterationText(p, e.iteration[i]),
      predecessors: dependence ? [{ id: e.blocker[i], type: dependence }] : [],
    };
  }
}

/** Words of Neuron's `source` and `dest`: a tensor's role on the HBM side, SB or PSUM on chip. */
function memoryWord(p: Profile, side: string, variable: string): string {
  if (side !== 'hbm') return side === 'sbuf' ? 'SB' : 'PSUM';
  if (p.inputs.some(t => t.name === variable)) return 'INPUT';
  return p.outputs.some(t => t.name === variable) ? 'OUTPUT' : 'DRAM';
}

/** One `aggregated: yes` row per transfer and a `no` row per stretch of a single DMA engine, linked by packet_aggregation_id. */
function* dmaRows(p: Profile): Generator<Row> {
  const t = p.transfers;
  const first = p.instructions.startNs.length;
  const describe = (i: number) => {
    const [from, to] = DIRECTIONS[t.direction[i]].split('->');
    const variable = p.strings[t.variable[i]];
    return {
      packet_aggregation_id: first + i,
      variable,
      source: [[memoryWord(p, from, variable)]],
      dest: [memoryWord(p, to, variable)],
      dma_queue: p.tracks[t.track[i]].name,
      queue_type: QUEUE_TYPES[dmaClass(p.tracks[t.track[i]].name)],
      is_cc_dma: 'no',
      nki_source_location: location(p, t.frame[i]),
    };
  };
  for (let i = 0; i < t.startNs.length; i++)
    yield {
      id: first + i,
      aggregated: 'yes',
      ...describe(i),
      ...moved(t.startNs[i], t.endNs[i], t.bytes[i]),
      evt_wait_time: Math.round(t.startNs[i] - t.readyNs[i]),
    };
  const s = p.dmaSlices;
  for (let i = 0; i < s.startNs.length; i++)
    yield {
      id: first + t.startNs.length + i,
      aggregated: 'no',
      ...describe(s.transfer[i]),
      ...moved(s.startNs[i], s.endNs[i], s.bytes[i]),
      dma_engine: String(s.engine[i]),
      subgroup: `${p.tracks[t.track[s.transfer[i]]].name}-E${s.engine[i]}`,
    };
}

const QUEUE_TYPES = { static: 'data', software_dynamic: 'software_dynamic', hardware_dynamic: 'hardware_dynamic' } as const;

function moved(startNs: number, endNs: number, bytes: number): Row {
  const rate = endNs > startNs ? (bytes / (endNs - startNs)) * 1e9 : 0;
  return { ...span(startNs, endNs), transfer_size: bytes, read_size: bytes, write_size: bytes, transfer_rate: Math.round(rate) };
}

function* activeTimeRows(p: Profile): Generator<Row> {
  for (const engine of new Set(p.tracks.filter(t => t.kind === 'engine').map(t => t.engine))) {
    const tracks = p.tracks.flatMap((t, i) => (t.kind === 'engine' && t.engine === engine ? [i] : []));
    const { startNs, endNs } = activeIntervals(p, tracks);
    for (let i = 0; i < startNs.length; i++) {
      const { timestamp, duration } = span(startNs[i], endNs[i]);
      yield { engine: engine.toLowerCase(), start_ts: timestamp, end_ts: timestamp + duration, duration_ns: duration, pcore_idx: 0 };
    }
  }
}

function* steps({ timesNs, values }: StepSeries, row: (value: number) => Row): Generator<Row> {
  for (let i = 0; i < timesNs.length; i++) yield { timestamp: Math.round(timesNs[i]), ...row(values[i]) };
}

/** The rate from each moment on, and the bytes moved until then. */
function* throughputRows(p: Profile): Generator<Row> {
  const { timesNs, values } = dmaThroughput(p);
  let bytes = 0;
  for (let i = 0; i < timesNs.length; i++) {
    if (i > 0) bytes += (values[i - 1] * (timesNs[i] - timesNs[i - 1])) / 1e9;
    yield { timestamp: Math.round(timesNs[i]), transfer_rate: Math.round(values[i]), total_transfer_bytes: Math.round(bytes) };
  }
}

/** Partitions whose use captures report. */
const SAMPLED_PARTITIONS = [0, 32, 64, 96];

/** SBUF in use, as fractions of single partitions; `usage_avg` is their mean. */
function* usageRows(p: Profile): Generator<Row> {
  const a = p.allocations;
  const sbuf = SPACES.indexOf('sbuf');
  const usedBytes = SAMPLED_PARTITIONS.map(() => 0);
  const rows: Row[] = [];
  const change = (row: number, sign: 1 | -1) => {
    SAMPLED_PARTITIONS.forEach((partition, k) => {
      const within = partition >= a.partitionStart[row] && partition < a.partitionStart[row] + a.partitions[row];
      if (within) usedBytes[k] += sign * a.sizeBytes[row];
    });
  };
  const note = (timeNs: number) => {
    const used = usedBytes.map(bytes => bytes / p.machine.sbufBytesPerPartition);
    const named = Object.fromEntries(used.map((usage, k) => [`partition_${SAMPLED_PARTITIONS[k]}_usage`, usage]));
    const timestamp = Math.round(timeNs);
    if (rows.at(-1)?.timestamp === timestamp) rows.pop();
    rows.push({ timestamp, type: 'sb', usage_avg: used.reduce((x, y) => x + y, 0) / used.length, ...named });
  };
  const step = (sign: 1 | -1) => (row: number, timeNs: number) => {
    if (a.space[row] !== sbuf) return;
    change(row, sign);
    note(timeNs);
  };
  sweep(a, step(1), step(-1));
  yield* rows;
}
