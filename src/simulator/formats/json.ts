/**
 * `json`: summary and all events in the shape of the legacy `neuron-profile` JSON: one object of arrays, times in
 * nanoseconds, field names as in AWS's captures. Written as chunks, row by row: never one string, so size has no limit.
 * Times of events are exact: whole numbers where they are whole, as in captures, else with their fraction. What other tools
 * derive from them (busy stretches, counters) is in whole nanoseconds.
 *
 * Arrays and fields that the simulator does not have are absent, as in captures without them. Ours beyond
 * AWS's: `kernel_stack`, `iteration`, `wait_reason`, `blocked_by` of events, `completion`, `packets`, `trigger` of transfers,
 * of simulated profiles also the fields of `OwnFields`, and the section `nki_scope` with the rest of the profile. `capture/legacyJson.ts`
 * reads all of it back.
 */
import { activeIntervals, busyByTrack, engineTracks } from '../analyze/activeTime';
import { dmaThroughput, pendingDmas } from '../analyze/counters';
import { layerOfFrame } from '../analyze/layers';
import { METRICS } from '../analyze/metrics';
import { operandText } from '../analyze/operandText';
import { partitionUsage, SAMPLED_PARTITIONS } from '../analyze/partitionUsage';
import { callStack, iterationText } from '../analyze/places';
import { summary } from '../analyze/summary';
import { transposes } from '../analyze/totals';
import { encodeProfile } from '../profile/codec';
import { byCore } from '../profile/ofCore';
import { type Profile, STALL_REASONS, type Track } from '../profile/profile';
import type { StepSeries } from '../profile/windowCounters';
import { OWN_ANNOTATIONS, OWN_SECTION, type OwnFields, ownMeta } from './capture/ownMeta';
import { profileId } from './contentHash';
import { dependence, labelOf, location, memoryWords, programCounters, queueType } from './neuronWords';
import { remembered } from './remember';
import { said } from './said';

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
      chunk += comma + (typeof row === 'string' ? row : JSON.stringify(row));
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

/** The arrays in writing order. Each makes its rows, or their text, on demand. */
function sections(p: Profile): [name: string, rows: Iterable<Row | string>][] {
  return [
    ['profile_info', [profileInfo(p)]],
    [OWN_SECTION, p.simulated ? [ownMeta(p)] : []],
    // of a capture, too
    [OWN_ANNOTATIONS, (p.annotations ?? []).map(annotation => ({ ...annotation }))],
    ['metadata', [metadata(p)]],
    ['summary', [summary(p)]],
    ['summary_groups', [Object.fromEntries(Object.entries(METRICS).map(([name, m]) => [name, m.group]))]],
    ['terminology', [Object.fromEntries(Object.entries(METRICS).map(([name, m]) => [name, m.definition]))]],
    ['instruction', instructionRows(p)],
    ['dma', dmaRows(p)],
    ['active_time', eachCore(p, activeTimeRows)],
    ['pending_dma', steps(pendingDmas(p), value => ({ value }))],
    ['dma_throughput', throughputRows(p)],
    ['instruction_usage', eachCore(p, usageRows)],
    ['warnings', said(p).map(({ category, message, file, line }) => ({ category, message, nki_source_location: `${file}:${line}` }))],
  ];
}

function profileInfo(p: Profile): Row {
  return {
    profile_name: p.kernel,
    profile_type: p.simulated ? 'simulated' : 'normal',
    profile_id: profileId(encodeProfile(p)),
    ...(p.recorded?.profiler ? { profiler_version: p.recorded.profiler } : {}),
  };
}

function metadata(p: Profile): Row {
  return {
    is_simulation: p.simulated,
    first_hw_timestamp: 0,
    last_hw_timestamp: Math.round(p.totalTimeNs),
    ticks_per_nanosec: 1,
    num_physical_cores: p.machine.cores ?? 1,
    vnc_enabled: (p.machine.cores ?? 1) > 1,
    hbm_ddr_bandwidth: p.machine.hbmBytesPerSecond,
    dma_ddr_bandwidth: p.machine.dmaBytesPerSecond,
    instance_type: p.machine.instanceType,
  };
}

/** Start and length; the end too where their sum would miss it by a rounding. */
function span(startNs: number, endNs: number): { timestamp: number; duration: number; end?: number } {
  const duration = endNs - startNs;
  return startNs + duration === endNs ? { timestamp: startNs, duration } : { timestamp: startNs, duration, end: endNs };
}

/** The wait; when it became ready too where the difference would miss it by a rounding. */
function wait({ readyNs, startNs }: Events, row: number): Row {
  const waitNs = startNs[row] - readyNs[row];
  return { evt_wait_time: waitNs, ...(startNs[row] - waitNs === readyNs[row] ? {} : { ready: readyNs[row] }) };
}

function* instructionRows(p: Profile): Generator<Row> {
  const e = p.instructions;
  const pc = programCounters(p);
  const transposing = transposes(p);
  const where = whereabouts(p);
  const ids = p.recorded?.ids ?? [];
  const id = (event: number) => ids[event] ?? event;
  for (let i = 0; i < e.startNs.length; i++) {
    const track = p.tracks[e.track[i]];
    const type = e.blocker[i] >= 0 ? dependence(e.stall[i]) : undefined;
    yield {
      id: ids[i] ?? i,
      pc: pc[i],
      ...span(e.startNs[i], e.endNs[i]),
      ...wait(e, i),
      subgroup: track.engine,
      label: labelOf(track),
      opcode: p.opcodes[e.opcode[i]],
      operands: operandText(p, i),
      instruction_type: transposing[i] ? 'TRANSPOSE' : 'REGULAR',
      ...(e.flops[i] > 0 ? { elements: e.flops[i] / 2 } : {}),
      ...where(track, e, i),
      predecessors: type ? [{ id: id(e.blocker[i]), type }] : [],
      ...waited(e, i, id),
      ...ownFields(p, e, i),
      ...(p.simulated ? { operand_list: e.operands[i] } : {}),
    };
  }
}

interface Events {
  readyNs: Float64Array;
  startNs: Float64Array;
  frame: Uint32Array;
  iteration: Int32Array;
  stall: Uint8Array;
  blocker: Int32Array;
  origin: Int32Array;
}

const ofSubgraph = (core: number | undefined): Row => (core === undefined ? {} : { subgraph: `sg${String(core).padStart(2, '0')}` });

/** The source of an event, and its physical core if there are several. */
function whereabouts(p: Profile): (track: Track, events: Events, row: number) => Row {
  const place = remembered((frame: number): Row => {
    const at = location(p, frame);
    return at === null ? {} : { nki_source_location: at, kernel_stack: callStack(p, frame).map(s => `${s.function} ${s.file}:${s.line}`) };
  });
  const loops = remembered((iteration: number) => iterationText(p, iteration));
  const layers = remembered((frame: number): Row => {
    const layer = layerOfFrame(p, frame);
    return layer === '' ? {} : { layer };
  });
  return ({ core }, { frame, iteration }, row) => ({
    ...ofSubgraph(core),
    ...place(frame[row]),
    ...layers(frame[row]),
    iteration: loops(iteration[row]),
  });
}

/** Our own fields: the reason for its wait, and the blocker. */
function waited({ stall, blocker }: Events, row: number, id: (event: number) => string | number): Row {
  return {
    ...(stall[row] > 0 ? { wait_reason: STALL_REASONS[stall[row]] } : {}),
    ...(blocker[row] >= 0 ? { blocked_by: id(blocker[row]) } : {}),
  };
}

/** Rows of the tables in our section, and of the program, which cannot be read back from texts. */
function ownFields(p: Profile, { frame, iteration, origin }: Events, row: number): OwnFields | Record<never, never> {
  return p.simulated ? { frame: frame[row], loop: iteration[row], program_instruction: origin[row] } : {};
}

/** One `aggregated: yes` row per transfer and a `no` row per stretch of a single DMA engine, linked by packet_aggregation_id. */
function* dmaRows(p: Profile): Generator<Row | string> {
  const t = p.transfers;
  const first = p.instructions.startNs.length;
  const ids = p.recorded?.ids ?? [];
  const id = (event: number) => ids[event] ?? event;
  const where = whereabouts(p);
  const describe = remembered((i: number) => {
    const { source, dest } = memoryWords(p, i);
    const track = p.tracks[t.track[i]];
    return {
      packet_aggregation_id: first + i,
      variable: p.strings[t.variable[i]],
      source: [[source]],
      dest: [dest],
      dma_queue: labelOf(track),
      queue_type: queueType(track.name),
      is_cc_dma: 'no',
      ...where(track, t, i),
    };
  });
  for (let i = 0; i < t.startNs.length; i++)
    yield {
      id: first + i,
      aggregated: 'yes',
      ...describe(i),
      ...moved(t.startNs[i], t.endNs[i], t.bytes[i]),
      ...wait(t, i),
      completion: t.doneNs[i],
      packets: t.packets[i],
      ...(t.trigger[i] >= 0 ? { trigger: id(t.trigger[i]) } : {}),
      ...waited(t, i, id),
      ...(p.simulated ? { engines: t.engines[i] } : {}),
      ...ownFields(p, t, i),
    };
  yield* stretchRows(
    p,
    remembered(i => JSON.stringify(describe(i)).slice(1, -1)),
  );
}

/** Most rows of a file are these. They are written as text, with a part that is shared by all rows of a transfer. */
function* stretchRows(p: Profile, inTransfer: (transfer: number) => string): Generator<string> {
  const { startNs, endNs, engine, transfer, bytes } = p.dmaSlices;
  const first = p.instructions.startNs.length + p.transfers.startNs.length;
  const labels = p.tracks.map(labelOf);
  for (let i = 0; i < startNs.length; i++) {
    const { timestamp, duration, end } = span(startNs[i], endNs[i]);
    const size = bytes[i];
    const label = JSON.stringify(`${labels[p.transfers.track[transfer[i]]]}-E${engine[i]}`);
    yield `{"id":${first + i},"aggregated":"no",${inTransfer(transfer[i])},"timestamp":${timestamp},"duration":${duration}${end === undefined ? '' : `,"end":${end}`},"transfer_size":${size},"read_size":${size},"write_size":${size},"transfer_rate":${rate(size, duration)},"dma_engine":"${engine[i]}","subgroup":${label}}`;
  }
}

function moved(startNs: number, endNs: number, bytes: number): Row {
  const at = span(startNs, endNs);
  return { ...at, transfer_size: bytes, read_size: bytes, write_size: bytes, transfer_rate: rate(bytes, at.duration) };
}

/** Bytes per second. */
const rate = (bytes: number, ns: number) => (ns > 0 ? Math.round((bytes / ns) * 1e9) : 0);

/** Writes the tables of all cores one after the other. */
function* eachCore(p: Profile, rows: (part: Profile, core: number | undefined) => Iterable<Row>): Generator<Row> {
  const parts = byCore(p);
  for (const { core, part } of parts) yield* rows(part, parts.length > 1 ? core : undefined);
}

function* activeTimeRows(p: Profile, core = 0): Generator<Row> {
  const busy = busyByTrack(p);
  for (const engine of new Set(p.tracks.filter(t => t.kind === 'engine').map(t => t.engine))) {
    const { startNs, endNs } = activeIntervals(p, engineTracks(p, engine), busy);
    for (let i = 0; i < startNs.length; i++) {
      const [start, end] = [Math.round(startNs[i]), Math.round(endNs[i])];
      yield { engine: engine.toLowerCase(), start_ts: start, end_ts: end, duration_ns: end - start, pcore_idx: core };
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

function* usageRows(p: Profile, core?: number): Generator<Row> {
  for (const { timeNs, used } of partitionUsage(p)) {
    const named = Object.fromEntries(used.map((usage, k) => [`partition_${SAMPLED_PARTITIONS[k]}_usage`, usage]));
    yield {
      timestamp: Math.round(timeNs),
      type: 'sb',
      usage_avg: used.reduce((x, y) => x + y, 0) / used.length,
      ...named,
      ...ofSubgraph(core),
    };
  }
}
