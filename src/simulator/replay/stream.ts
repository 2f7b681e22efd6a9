/**
 * A recorded profile's kernel as instruction streams for our scheduler: costs from our tables, order from the recorded
 * program counters, dependences from the semaphores, DMAs cut into the packets that were recorded. It computes no times.
 */
import { FormatError } from '../columns/container';
import { FLOW, type Schedulable, TENSOR, TRACK_ENGINE, trackOf } from '../compile/compiled';
import { DIRECTIONS } from '../compile/directions';
import { CostModel } from '../hardware/costModel';
import { type Machine, triggerIssueNs } from '../hardware/machine';
import type { Engine } from '../vocabulary/engines';
import { ENGINES } from '../vocabulary/engines';
import { DGE_MODES, type DgeMode } from '../vocabulary/queues';
import { costOf } from './costs';
import { dmaRaises, dmaRuns, matmulRows, OperandReader, type RecordedOperands, wordValue } from './operands';
import { isStaticTrigger, isTrigger, LOADED_TRIGGER, type Trace, type TraceInstruction } from './recording';
import { type RecordedTransfer, recordedTransfers } from './transfers';

/** With its operands taken apart. */
type RecordedInstruction = Omit<TraceInstruction, 'operands'> & { operands: RecordedOperands };

export interface RecordedStream {
  code: Schedulable;
  /** Index: instruction of the code. */
  recorded: RecordedInstruction[];
  /** Index: transfer. */
  transfers: RecordedTransfer[];
  /** First DMA trigger to last payload. */
  bodyStartNs: number;
  bodyEndNs: number;
}

/** @throws FormatError when the profile holds no DMA trigger: then there is no kernel body. */
export function streamOf(trace: Trace, machine: Machine): RecordedStream {
  const triggers = trace.instructions.filter(isTrigger);
  if (triggers.length === 0) throw new FormatError(noBody(trace));
  const bodyStartNs = triggers.reduce((least, t) => Math.min(least, t.startNs), Number.POSITIVE_INFINITY);
  const { body: recorded, before } = kernelInstructions(trace, bodyStartNs, new CostModel(machine));
  const transfers = recordedTransfers(trace, recorded.filter(isTrigger), machine.dma);
  return {
    code: assemble(machine, recorded, transfers, before),
    recorded,
    transfers,
    bodyStartNs,
    bodyEndNs: transfers.reduce((most, t) => Math.max(most, t.endNs), Number.NEGATIVE_INFINITY),
  };
}

/** Why it is none. */
function noBody({ instructions }: Trace): string {
  const isLoaded = instructions.some(({ opcode }) => opcode === LOADED_TRIGGER);
  const why = isLoaded ? ': which of its instructions trigger DMAs, the NEFF says (the file of the same name, or -n)' : '';
  return `no kernel body to replay: the profile holds no trigger of a DMA${why}`;
}

const cost = { issueNs: 0, durationNs: 0 };

/**
 * Instructions of the body, engine by engine in program order, without those that only separate runs. `before`: those that compute before the
 * first trigger. They raise semaphores that the body waits for. Barriers around runs raise some, too, and clear them.
 */
function kernelInstructions(trace: Trace, bodyStartNs: number, costs: CostModel) {
  const reader = new OperandReader(costs.machine);
  const first = new Map<string, number>();
  for (const i of trace.instructions)
    if (i.startNs >= bodyStartNs) first.set(i.engine, Math.min(first.get(i.engine) ?? Number.POSITIVE_INFINITY, i.pc));
  const firstOf = (engine: string) => first.get(engine) ?? Number.POSITIVE_INFINITY;
  const all = trace.instructions.filter(({ engine }) => ENGINES.includes(engine as Engine));
  const isCosted = (i: RecordedInstruction) => costOf(costs, i.engine as Engine, i.opcode, i.operands, cost);
  const body = all
    .filter(i => i.pc >= firstOf(i.engine))
    .map(i => ({ ...i, operands: reader.read(readable(i)) }))
    .filter(i => isTrigger(i) || (isOrdered(i) && isCosted(i)))
    .sort((a, b) => ENGINES.indexOf(a.engine as Engine) - ENGINES.indexOf(b.engine as Engine) || a.pc - b.pc);
  const before = all
    .filter(i => i.pc < firstOf(i.engine) && i.opcode !== 'EVENT_SEMAPHORE')
    .map(i => ({ ...i, operands: reader.read(i.operands) }))
    .filter(isCosted);
  return { body, before };
}

/** @throws FormatError for an instruction of the body whose opcode only has a number: it takes a time that no table knows */
function readable({ opcode, operands }: TraceInstruction): string {
  if (/^(OPCODE_[0-9a-f]+|UNKNOWN)$/.test(opcode))
    throw new FormatError(`the kernel has an instruction whose opcode is not known (${opcode}): it cannot be timed`);
  return operands;
}

/** EVENT_SEMAPHOREs of the kernel wait for a value; those of the barriers around it compare (`$S[2]==8`). */
const isOrdered = (i: RecordedInstruction) => i.opcode !== 'EVENT_SEMAPHORE' || i.operands.waits.length > 0;

function assemble(
  machine: Machine,
  recorded: readonly RecordedInstruction[],
  transfers: readonly RecordedTransfer[],
  before: readonly RecordedInstruction[],
): Schedulable {
  const costs = new CostModel(machine);
  const engines = machine.dma.engines.value;
  const queues = [...new Set(transfers.map(t => t.queue))].map(name => ({ name, engine: 'Sync' as Engine }));
  const count = recorded.length;
  const track = new Uint8Array(count);
  const issueNs = new Float64Array(count);
  const durationNs = new Float64Array(count);
  const arrayRows = new Uint8Array(count);
  const transfer = new Int32Array(count).fill(-1);
  const sequenced = new Uint8Array(count);
  const trigger: number[] = [];
  for (const [i, row] of recorded.entries()) {
    const engine = row.engine as Engine;
    track[i] = engine === 'Tensor' && row.opcode !== 'MATMUL' ? TENSOR : trackOf(engine);
    sequenced[i] = isSequenced(row) ? 1 : 0;
    if (isTrigger(row)) {
      const how = machine.dma.triggers[modeOf(row)];
      if (!how) throw new FormatError(`${row.engine} triggers a DMA in a way that NeuronCore-${machine.generation} has not`);
      issueNs[i] = triggerIssueNs(how, dmaRuns(row.operands));
      durationNs[i] = how.leadNs.value + how.durationNs.value;
      transfer[i] = trigger.push(i) - 1;
    } else {
      costOf(costs, engine, row.opcode, row.operands, cost);
      [issueNs[i], durationNs[i]] = [cost.issueNs, cost.durationNs];
      const rows = row.opcode === 'MATMUL' ? matmulRows(row.operands) : 0;
      arrayRows[i] = rows < machine.partitions.value ? rows : 0;
    }
  }
  return {
    machine,
    queues,
    opcodes: [],
    instructions: {
      track,
      issueNs,
      durationNs,
      transfer,
      opcode: new Uint16Array(count),
      origin: new Int32Array(count),
      flops: new Float64Array(count),
      arrayRows,
      ports: new Uint8Array(count),
      detail: new Uint32Array(count),
      alternative: new Uint32Array(count),
      accessStart: new Uint32Array(count + 1),
    },
    transfers: {
      queue: Uint8Array.from(transfers, t => queues.findIndex(q => q.name === t.queue)),
      mode: Uint8Array.from(trigger, i => DGE_MODES.indexOf(modeOf(recorded[i]))),
      trigger: Uint32Array.from(trigger),
      bytes: Float64Array.from(transfers, t => t.bytes),
      packets: Uint32Array.from(transfers, t => t.packets),
      engines: new Uint16Array(transfers.length).fill(2 ** engines - 1),
      direction: Uint8Array.from(trigger, (i, t) => DIRECTIONS.indexOf(transfers[t].direction ?? directionOf(recorded[i]))),
      tensor: new Uint32Array(transfers.length),
      cut: Uint32Array.from(transfers.keys()),
    },
    cuts: {
      packets: Uint32Array.from(transfers.flatMap(t => t.packetsOf)),
      bytes: Float64Array.from(transfers.flatMap(t => t.bytesOf)),
      speed: new Float64Array(transfers.length).fill(1),
      sameBurst: Float64Array.from(transfers, t => t.sameBurst),
    },
    sequenced,
    dependencies: dependences(recorded, transfer, engines, raises(before)),
    streams: ENGINES.map((_, stream) => Uint32Array.from([...track.keys()].filter(i => TRACK_ENGINE[track[i]] === stream))),
  };
}

/** Recorded semaphores and triggers begin while their engine still computes. GpSimd writes the descriptors of its DMAs itself. */
function isSequenced(row: RecordedInstruction): boolean {
  return row.opcode === 'EVENT_SEMAPHORE' || (isTrigger(row) && modeOf(row) !== 'software');
}

/** Unless they are static, software generates the descriptors of GpSimd's DMAs, and hardware those of other engines. */
function modeOf(row: RecordedInstruction): DgeMode {
  if (isStaticTrigger(row)) return 'static';
  return row.engine === 'GpSimd' ? 'software' : 'hardware';
}

/** Rows of SBUF lie an address partition apart; the traces' HBM rows do not. */
function directionOf(row: RecordedInstruction): (typeof DIRECTIONS)[number] {
  const target = wordValue(row.operands, 'dst_addr_imm');
  return target !== undefined && isOnChip(target) ? 'hbm->sbuf' : 'sbuf->hbm';
}

/** Engine addresses of the traces: SBUF and PSUM lie at 0x8020…, tensors in HBM elsewhere or in a table. */
const isOnChip = (address: string) => address.startsWith('0x8020');

/** Of each semaphore, how often these raise it. */
function raises(instructions: readonly RecordedInstruction[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { operands } of instructions) counts.set(operands.raises, (counts.get(operands.raises) ?? 0) + 1);
  return counts;
}

/** The event that raised each semaphore to the value that an instruction waits for. @param startValues of semaphores where the body begins */
function dependences(
  recorded: readonly RecordedInstruction[],
  transfer: Int32Array,
  perDma: number,
  startValues: ReadonlyMap<number, number>,
): Schedulable['dependencies'] {
  const count = recorded.length;
  const raisedBy = new Map<number, { event: number; value: number }[]>();
  const add = (id: number, event: number, by: number) => {
    const list = raisedBy.get(id) ?? [];
    list.push({ event, value: (list.at(-1)?.value ?? startValues.get(id) ?? 0) + by });
    raisedBy.set(id, list);
  };
  for (const [i, row] of recorded.entries()) {
    if (row.operands.raises >= 0) add(row.operands.raises, i, 1);
    const done = dmaRaises(row.operands);
    if (done && transfer[i] >= 0) add(done.id, count + transfer[i], done.value || perDma);
  }
  const start = new Uint32Array(count + 1);
  const event: number[] = [];
  for (const [i, row] of recorded.entries()) {
    for (const wait of row.operands.waits) {
      if (wait.value <= (startValues.get(wait.id) ?? 0)) continue;
      const by = raisedBy.get(wait.id)?.find(r => r.value >= wait.value);
      if (by && by.event !== i) event.push(by.event);
    }
    start[i + 1] = event.length;
  }
  return { start, event: Uint32Array.from(event), kind: new Uint8Array(event.length).fill(FLOW) };
}
