/** Makes the Profile of a system's events: a row per thread or core, on the host's clock. It models nothing. */
import { FormatError } from '../../../columns/container';
import { orderOf } from '../../../columns/order';
import { operandTableOf } from '../../../compile/operands/text';
import { machineFor } from '../../../hardware/targets';
import { decodeProfile, encodeProfile } from '../../../profile/codec';
import { NO_SEMAPHORE, type Profile } from '../../../profile/profile';
import { EVENT_SOURCES, type SystemSamples } from '../../../profile/system';
import { rowNamer } from '../../../profile/systemRows';
import { noAllocations } from '../allocations';
import { machineOf, targetOf } from '../machine';
import { emptyCapture, NO_SOURCE } from '../rows';
import { Sources, type SourceText } from '../sources';
import type { SystemEvents } from './events';

/** The name of an event at which host and device clocks were read together. */
const SYNC_POINT = 'timestamp_sync_point';
/** `module.py(42)` in the name of an event of a framework. */
const SOURCE_IN_NAME = /([^\s()]+\.py)\((\d{1,9})\)/;

/** @throws FormatError if there are no events, or too many names */
export function buildSystemProfile(events: SystemEvents, name: string, sourceText: SourceText = () => null): Profile {
  if (events.count === 0) throw new FormatError('the system profile has no events');
  const profile = fromEvents(events, name, sourceText);
  // the checks of every profile: the viewer must not get unchecked data of a file
  return decodeProfile(encodeProfile(profile));
}

function fromEvents(events: SystemEvents, name: string, sourceText: SourceText): Profile {
  const count = events.count;
  const order = orderOf(Float64Array.from(events.startNs));
  let first = events.startNs[order[0]];
  for (const { timesNs } of events.samples.values()) for (const timeNs of timesNs) first = Math.min(first, timeNs);
  const startNs = Float64Array.from(order, e => events.startNs[e] - first);
  const endNs = Float64Array.from(order, (e, i) => startNs[i] + events.durationNs[e]);
  const [trackOf, tracks] = tracksOf(events);
  const sources = new Sources();
  const frames = events.names.map(event => sources.frame(sourceIn(event)));
  const capture = emptyCapture(name);
  const machine = machineFor(targetOf(capture));
  const operands = operandTableOf(events.texts, machine);
  const syncPoint = events.names.indexOf(SYNC_POINT);
  const syncPoints = events.name.filter(event => event === syncPoint).length;
  const lastNs = endNs.reduce((last, ns) => Math.max(last, ns), 0);
  const none = { u8: new Uint8Array(0), u32: new Uint32Array(0), f64: () => new Float64Array(0) };
  return {
    kernel: name,
    dialect: '',
    target: targetOf(capture),
    pipeline: 'literal',
    simulated: false,
    totalTimeNs: lastNs,
    bodyStartNs: 0,
    bodyEndNs: lastNs,
    nclUs: 0,
    tracks,
    opcodes: events.names,
    semaphores: [],
    inputs: [],
    outputs: [],
    checks: [],
    accuracy: `Measured on host and device: times as the Neuron runtime recorded them. ${clockText(events, syncPoints)}${warningText(events)}`,
    machine: machineOf(capture, machine),
    recorded: { summary: {}, profiler: '', ids: [] },
    system: { startUnixNs: events.unixNs(first), syncPoints, samples: samplesOf(events, first) },
    instructions: {
      readyNs: startNs.slice(),
      startNs,
      endNs,
      track: Uint16Array.from(order, e => trackOf[events.row[e]]),
      opcode: Uint16Array.from(order, e => events.name[e]),
      frame: Uint32Array.from(order, e => frames[events.name[e]]),
      iteration: new Int32Array(count).fill(-1),
      stall: new Uint8Array(count),
      blocker: chained(events, order),
      origin: new Int32Array(count).fill(-1),
      flops: new Float32Array(count),
      operands: Uint32Array.from(order, e => operands.lists[events.text[e]]),
      signal: new Uint8Array(count).fill(NO_SEMAPHORE),
    },
    ...operands.table,
    waits: { instruction: none.u32, semaphore: none.u8, value: none.u32 },
    transfers: noTransfers(),
    dmaSlices: { startNs: none.f64(), endNs: none.f64(), engine: none.u8, transfer: none.u32, bytes: new Float32Array(0) },
    allocations: noAllocations(),
    ...sources.finish(sourceText),
  };
}

/** How events of the device came to stand on the host's clock. */
function clockText({ rows }: SystemEvents, syncPoints: number): string {
  if (!rows.some(({ source }) => source === 'neuron_hw')) return 'All rows are on the clock of the host.';
  return syncPoints > 0
    ? `All rows are on the clock of the host: the runtime moved events of the device there, by ${syncPoints} points at which it read both clocks.`
    : 'Rows of the device: the file has no point at which both clocks were read, so how far they are from the clock of the host is not known.';
}

/** Of each warning as much as a sentence takes: a file may be anything. */
const MOST_CHARACTERS = 300;
const MOST_WARNINGS = 8;

/** Such as events that the runtime dropped. */
function warningText({ warnings }: SystemEvents): string {
  const said = [...new Set(warnings.map(text => text.trim().slice(0, MOST_CHARACTERS)).filter(Boolean))].slice(0, MOST_WARNINGS);
  return said.map(text => ` The profiler warns: ${text}`).join('');
}

/** Tracks in the order of instance, process, source, core and thread; and the track of each row. */
function tracksOf({ rows }: SystemEvents): [trackOf: number[], tracks: Profile['tracks']] {
  const rank = (row: number) => {
    const { source, instanceId, processId, ncIdx, coreIdx, threadId, streamId } = rows[row];
    return [instanceId, processId, String(EVENT_SOURCES.indexOf(source)), ncIdx, coreIdx, threadId, streamId];
  };
  const ordered = rows.map((_, row) => row).sort((a, b) => compareIds(rank(a), rank(b)));
  const nameOf = rowNamer(rows, 'default');
  const names = new Map<string, number>();
  const trackOf = new Array<number>(rows.length);
  const tracks: Profile['tracks'] = [];
  for (const row of ordered) {
    // rows may differ in what their name does not say
    const name = nameOf(rows[row]);
    const repeated = names.get(name) ?? 0;
    names.set(name, repeated + 1);
    trackOf[row] =
      tracks.push({ kind: 'system', name: repeated > 0 ? `${name} #${repeated + 1}` : name, engine: '', system: rows[row] }) - 1;
  }
  return [trackOf, tracks];
}

function compareIds(a: readonly string[], b: readonly string[]): number {
  for (const [i, id] of a.entries()) {
    const order = Number(id) - Number(b[i]) || (id < b[i] ? -1 : id > b[i] ? 1 : 0);
    if (order !== 0) return order;
  }
  return 0;
}

/** The event that each follows in a flow or, without flows, in its execution: host before device. */
function chained(events: SystemEvents, order: ArrayLike<number>): Int32Array {
  const place = new Int32Array(events.count);
  for (let i = 0; i < order.length; i++) place[order[i]] = i;
  const before = new Int32Array(events.count).fill(-1);
  const link = (from: number, to: number) => {
    if (from < to && from > before[to]) before[to] = from;
  };
  for (const chain of events.flows.values()) {
    const places = chain.map(event => place[event]).sort((a, b) => a - b);
    for (let i = 1; i < places.length; i++) link(places[i - 1], places[i]);
  }
  for (const chain of events.executions.values()) {
    const places = chain.map(event => place[event]).sort((a, b) => a - b);
    let host = -1;
    for (const at of places) {
      const isDevice = events.rows[events.row[order[at]]].source === 'neuron_hw';
      if (!isDevice) host = at;
      else if (host >= 0 && before[at] < 0) before[at] = host;
    }
  }
  return before;
}

function samplesOf({ samples }: SystemEvents, first: number): SystemSamples[] {
  return [...samples.values()].map(({ name, unit, timesNs, values }) => {
    const order = timesNs.map((_, i) => i).sort((a, b) => timesNs[a] - timesNs[b]);
    return { name, unit, timesNs: order.map(i => timesNs[i] - first), values: order.map(i => values[i]) };
  });
}

function sourceIn(event: string): typeof NO_SOURCE {
  const found = SOURCE_IN_NAME.exec(event.slice(0, 1000));
  return found ? { stack: [{ file: found[1], line: Number(found[2]), function: '' }], loops: [] } : NO_SOURCE;
}

function noTransfers(): Profile['transfers'] {
  const times = () => new Float64Array(0);
  const whole = () => new Int32Array(0);
  return {
    readyNs: times(),
    startNs: times(),
    endNs: times(),
    doneNs: times(),
    track: new Uint16Array(0),
    frame: new Uint32Array(0),
    iteration: whole(),
    stall: new Uint8Array(0),
    blocker: whole(),
    origin: whole(),
    trigger: whole(),
    bytes: times(),
    packets: new Uint32Array(0),
    engines: new Uint16Array(0),
    variable: new Uint32Array(0),
    direction: new Uint8Array(0),
  };
}
