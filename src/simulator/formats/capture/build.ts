/**
 * Makes a Profile from a capture. Times and texts are copied. Data that a capture does not have stays unknown: line 0, direction
 * `unknown`, no blocker. It models nothing.
 */
import { FormatError } from '../../columns/container';
import { operandTableOf } from '../../compile/operands/text';
import type { Machine } from '../../hardware/machine';
import { machineFor } from '../../hardware/targets';
import { decodeProfile, encodeProfile } from '../../profile/codec';
import { DIRECTIONS, type OperandTable, type Profile, STALL, STALL_REASONS } from '../../profile/profile';
import { stallOfDependence } from '../neuronWords';
import { PERFORMANCE } from '../said';
import { allocationColumns, makersOf } from './allocations';
import { machineOf, targetOf } from './machine';
import { Semaphores } from './operands';
import { reanchored } from './ownAnnotations';
import { ownOperands, ownTables, withOwnMeta } from './ownMeta';
import { capturedRank, collectiveTransfer, type RankPlace } from './ranks';
import type { Capture, CapturedDma, CapturedInstruction } from './rows';
import { Sources, type SourceText } from './sources';
import { TrackTable } from './tracks';
import { type Grouped, groupTransfers } from './transfers';

const MEASURED = 'Measured on hardware: times as the profiler recorded them.';
/** Limit of the profile's column; far beyond any chip. */
const MAX_OPCODES = 65535;

/** @throws FormatError if the capture has more distinct names than a profile can number. */
export function buildFromCapture(c: Capture, sourceText: SourceText = () => null, place?: RankPlace): Profile {
  const profile = fromEvents(c, sourceText, place);
  // the checks of every profile: the viewer must not get unchecked data of a file
  const checked = decodeProfile(encodeProfile(c.own ? withOwnMeta(profile, c.own) : profile));
  return c.own ? checked : reanchored(checked);
}

function fromEvents(c: Capture, sourceText: SourceText, place: RankPlace | undefined): Profile {
  const target = targetOf(c);
  const machine = machineFor(target);
  const moved = groupTransfers(c.dmas);
  const grouped = { ...moved, transfers: [...moved.transfers, ...c.collectives.map(each => collectiveTransfer(each, c.instructions))] };
  const instructions = c.own ? c.instructions : inProgramOrder(c.instructions);
  const tracks = new TrackTable(instructions, grouped.transfers, c.own?.tracks);
  const sources = new Sources(ownTables(c.own), c.stackOf);
  const events = new Map<string, number>();
  for (const [i, row] of instructions.entries()) events.set(row.id, i);
  for (const [t, row] of grouped.transfers.entries()) events.set(row.id, instructions.length + t);
  const columns = instructionColumns(instructions, c.own?.semaphores, tracks, sources, events);
  const operands = operandColumns(
    columns.operandTexts,
    instructions,
    ownOperands(c.own, text => sources.string(text)),
    machine,
  );
  const transfers = transferColumns(grouped, tracks, sources, events, instructions.length);
  if (c.own) {
    asWritten(columns.instructions, instructions);
    asWritten(transfers, grouped.transfers);
  } else {
    fillBlockers(columns.instructions, columns.instructions, transfers);
    fillBlockers(transfers, columns.instructions, transfers);
  }
  const body = bodyOf(columns, transfers);
  const end = Math.max(0, body.lastNs);
  return {
    kernel: place?.run ?? c.name,
    dialect: c.simulation?.dialect ?? '',
    target,
    pipeline: c.simulation?.pipeline ?? 'literal',
    simulated: c.simulated,
    totalTimeNs: c.totalTimeNs ?? end,
    bodyStartNs: body.startNs,
    bodyEndNs: body.endNs,
    nclUs: (body.endNs - body.startNs + machine.nclOverheadNs.value) / 1000,
    tracks: tracks.list,
    opcodes: columns.opcodes,
    semaphores: columns.semaphores,
    inputs: tensors(c, 'in'),
    outputs: tensors(c, 'out'),
    // what we say of speed is said anew
    checks: c.warnings
      .filter(({ category }) => category !== PERFORMANCE)
      .map(({ message, category }) => ({ severity: severityOf(category), message, file: '', line: 0 })),
    accuracy: c.simulation?.accuracy ?? (c.simulated ? 'Modelled times, read from a file.' : MEASURED),
    machine: machineOf(c, machine),
    ...(place && { rank: capturedRank(c, place, moved.transfers.length) }),
    recorded: {
      summary: c.summary,
      profiler: c.profiler,
      ids: ownIds(instructions),
      ...(c.errors.length > 0 && { errors: c.errors }),
      // of a simulated profile they say what the profile says
      ...(!c.simulated && c.programTables.length > 0 && { tables: c.programTables }),
    },
    instructions: { ...columns.instructions, operands: operands.index },
    ...operands.table,
    waits: columns.waits,
    transfers,
    dmaSlices: slices(grouped),
    allocations: allocationColumns(c.allocations, makersOf(instructions, grouped.transfers), sources),
    ...(c.annotations.length > 0 && { annotations: c.annotations }),
    ...sources.finish(sourceText),
  };
}

/** Rows of an engine ascend by start; the file's own order when it is one. */
function inProgramOrder(rows: CapturedInstruction[]): CapturedInstruction[] {
  const last = new Map<string, number>();
  for (const { core, label, startNs } of rows) {
    const key = `${core} ${label}`;
    if (startNs < (last.get(key) ?? Number.NEGATIVE_INFINITY)) return [...rows].sort((a, b) => a.startNs - b.startNs);
    last.set(key, startNs);
  }
  return rows;
}

function instructionColumns(rows: CapturedInstruction[], own: unknown, tracks: TrackTable, sources: Sources, events: Map<string, number>) {
  const semaphores = new Semaphores(own);
  const latest = latestIn(events);
  const opcodes = new Interned();
  const parts = rows.map(row => semaphores.parse(row.operands));
  const waits = parts.flatMap(({ waits: own }, instruction) => own.map(wait => ({ instruction, ...wait })));
  const startNs = Float64Array.from(rows, row => row.startNs);
  const columns = {
    readyNs: startNs.slice(),
    startNs,
    endNs: Float64Array.from(rows, row => row.endNs),
    track: Uint16Array.from(rows, tracks.engine),
    opcode: Uint16Array.from(rows, row => opcodes.index(row.opcode)),
    frame: Uint32Array.from(rows, row => sources.frame(row.source)),
    iteration: Int32Array.from(rows, row => sources.iteration(row.source)),
    stall: new Uint8Array(rows.length),
    blocker: Int32Array.from(rows, row => latest(row.predecessors)),
    origin: Int32Array.from(rows, row => row.own.origin),
    flops: Float32Array.from(rows, row => row.flops),
    signal: Uint8Array.from(parts, ({ signal }) => signal),
  };
  if (opcodes.list.length > MAX_OPCODES) throw new FormatError('the capture has too many opcodes');
  const waitsForQueue = (i: number) => parts[i].waits.some(({ semaphore }) => semaphores.list[semaphore].name.startsWith('q'));
  const previousEnd = new Map<number, number>();
  rows.forEach((row, i) => {
    // start-up instructions carry waits from before the profile
    const from = previousEnd.get(columns.track[i]) ?? 0;
    columns.readyNs[i] = Math.min(startNs[i], Math.max(from, startNs[i] - row.waitNs));
    previousEnd.set(columns.track[i], Math.max(from, columns.endNs[i]));
    if (columns.readyNs[i] < startNs[i]) columns.stall[i] = stallOf(row, waitsForQueue(i));
  });
  return {
    instructions: columns,
    opcodes: opcodes.list,
    operandTexts: parts.map(({ own }) => own),
    semaphores: semaphores.list,
    waits: {
      instruction: Uint32Array.from(waits, w => w.instruction),
      semaphore: Uint8Array.from(waits, w => w.semaphore),
      value: Uint32Array.from(waits, w => w.value),
    },
  };
}

/** The operand lists of our own file's table, else those parsed from the texts; and the list of each instruction. */
function operandColumns(texts: readonly string[], rows: readonly CapturedInstruction[], own: OperandTable | null, machine: Machine) {
  if (own) return { table: own, index: Uint32Array.from(rows, row => row.own.operandList) };
  const { table, lists } = operandTableOf(texts, machine);
  return { table, index: lists };
}

const isStall = (reason: string | null): reason is keyof typeof STALL => reason !== null && Object.hasOwn(STALL, reason);

/** The reason for its wait: from the file, else from the kind of semaphore that it names. */
function stallOf({ reason, predecessors }: CapturedInstruction | CapturedDma, waitsForQueue: boolean): number {
  if (isStall(reason)) return STALL[reason];
  if (waitsForQueue) return STALL.dma;
  return predecessors.length > 0 ? stallOfDependence(predecessors[0].type) : STALL.data;
}

type Predecessors = CapturedInstruction['predecessors'];

/** The predecessor that is last in the file's order; -1 if none is known. Rows may share a list, which is read once. */
function latestIn(events: ReadonlyMap<string, number>): (predecessors: Predecessors) => number {
  const known = new Map<Predecessors, number>();
  return predecessors => {
    let last = known.get(predecessors);
    if (last === undefined) {
      last = predecessors.reduce((most, { id }) => Math.max(most, events.get(id) ?? -1), -1);
      known.set(predecessors, last);
    }
    return last;
  };
}

function transferColumns(
  { transfers, packets, transferOf }: Grouped,
  tracks: TrackTable,
  sources: Sources,
  events: Map<string, number>,
  first: number,
) {
  const latest = latestIn(events);
  const engines = new Uint16Array(transfers.length);
  packets.forEach((packet, k) => {
    engines[transferOf[k]] |= 1 << (packet.engine & 15);
  });
  const direction = (row: CapturedDma) => {
    const at = DIRECTIONS.indexOf(`${row.from}->${row.to}` as (typeof DIRECTIONS)[number]);
    return at < 0 ? DIRECTIONS.indexOf('unknown->unknown') : at;
  };
  return {
    readyNs: Float64Array.from(transfers, t => Math.max(0, t.startNs - t.waitNs)),
    startNs: Float64Array.from(transfers, t => t.startNs),
    endNs: Float64Array.from(transfers, t => t.endNs),
    doneNs: Float64Array.from(transfers, t => t.doneNs),
    track: Uint16Array.from(transfers, tracks.queue),
    frame: Uint32Array.from(transfers, t => sources.frame(t.source)),
    iteration: Int32Array.from(transfers, t => sources.iteration(t.source)),
    stall: Uint8Array.from(transfers, t => (t.waitNs > 0 ? stallOf(t, false) : STALL.none)),
    blocker: Int32Array.from(transfers, t => latest(t.predecessors)),
    origin: Int32Array.from(transfers, t => t.own.origin),
    trigger: Int32Array.from(transfers, t => {
      const at = t.trigger === null ? -1 : (events.get(t.trigger) ?? -1);
      return at < first ? at : -1;
    }),
    bytes: Float64Array.from(transfers, t => t.bytes),
    packets: Uint32Array.from(transfers, t => t.packets),
    engines: Uint16Array.from(transfers, ({ own }, t) => own.engines ?? engines[t]),
    variable: Uint32Array.from(transfers, t => sources.string(t.variable)),
    direction: Uint8Array.from(transfers, direction),
  };
}

/** Our own files have each event's ready time and wait reason, so nothing is derived. */
function asWritten({ readyNs, startNs, stall }: Blocked, rows: readonly (CapturedInstruction | CapturedDma)[]) {
  for (const [i, { own, waitNs, reason }] of rows.entries()) {
    readyNs[i] = own.readyNs ?? startNs[i] - waitNs;
    stall[i] = isStall(reason) ? STALL[reason] : STALL.none;
  }
}

interface Blocked {
  startNs: Float64Array;
  readyNs: Float64Array;
  stall: Uint8Array;
  blocker: Int32Array;
}

/** Ignores a blocker that began later, and the blocker of an event that did not wait. */
function fillBlockers(own: Blocked, instructions: Blocked, transfers: Blocked) {
  const count = instructions.startNs.length;
  for (let i = 0; i < own.blocker.length; i++) {
    const blocker = own.blocker[i];
    if (blocker < 0) continue;
    const began = blocker < count ? instructions.startNs[blocker] : transfers.startNs[blocker - count];
    if (began > own.startNs[i] || own.stall[i] === STALL.none) own.blocker[i] = -1;
    else if (blocker >= count && STALL_REASONS[own.stall[i]] === 'data') own.stall[i] = STALL.dma;
  }
}

function slices({ packets, transferOf }: Grouped): Profile['dmaSlices'] {
  return {
    startNs: Float64Array.from(packets, p => p.startNs),
    endNs: Float64Array.from(packets, p => p.endNs),
    engine: Uint8Array.from(packets, p => p.engine),
    transfer: transferOf,
    bytes: Float32Array.from(packets, p => p.bytes),
  };
}

/** First DMA trigger to last payload of the kernel's own queues; the whole span of events if there are none. */
function bodyOf({ instructions, opcodes }: ReturnType<typeof instructionColumns>, transfers: Profile['transfers']) {
  const { startNs, endNs, opcode } = instructions;
  const trigger = opcodes.map(name => name.startsWith('DMA_') || name === 'PSEUDO_DMA_TRIGGER');
  let [start, last, payload] = [Number.POSITIVE_INFINITY, 0, 0];
  let first = Number.POSITIVE_INFINITY;
  for (let i = 0; i < startNs.length; i++) {
    if (trigger[opcode[i]] && startNs[i] < start) start = startNs[i];
    if (startNs[i] < first) first = startNs[i];
    if (endNs[i] > last) last = endNs[i];
  }
  for (let t = 0; t < transfers.startNs.length; t++) {
    if (transfers.startNs[t] < first) first = transfers.startNs[t];
    if (transfers.endNs[t] > payload) payload = transfers.endNs[t];
  }
  const startOr = Number.isFinite(start) ? start : Number.isFinite(first) ? first : 0;
  const endNsBody = payload > startOr ? payload : Math.max(startOr, last);
  return { startNs: startOr, endNs: endNsBody, lastNs: Math.max(last, payload) };
}

function tensors(c: Capture, role: 'in' | 'out'): Profile['inputs'] {
  return c.tensors
    .filter(t => t.role === role)
    .map(({ name, shape, dtype, bytes }) => ({ name, shape, dtype: dtype ?? dtypeBySize(shape, bytes) }));
}

/** Captures give bytes and shape, from which only the element's width follows. */
function dtypeBySize(shape: readonly number[], bytes: number | null): string {
  const elements = shape.reduce((n, d) => n * d, 1);
  const width = bytes === null || elements === 0 ? 0 : bytes / elements;
  return width > 0 && Number.isInteger(width) ? `${8 * width}-bit` : 'unknown';
}

const severityOf = (category: string): 'error' | 'warning' | 'info' => (category === 'error' || category === 'warning' ? category : 'info');

/** Ids of the instructions when they are not just their row numbers. */
function ownIds(rows: readonly CapturedInstruction[]): string[] {
  return rows.every(({ id }, i) => id === String(i)) ? [] : rows.map(({ id }) => id);
}

class Interned {
  readonly list: string[] = [];
  private readonly known = new Map<string, number>();

  index(text: string): number {
    let at = this.known.get(text);
    if (at === undefined) {
      at = this.list.push(text) - 1;
      this.known.set(text, at);
    }
    return at;
  }
}
