/**
 * One DMA: who triggers it, how its descriptors come to be, which queue it goes to, and how it is cut into packets on the
 * 16 DMA engines. Partition p belongs to DMA engine p / 8; a packet is a contiguous run inside one partition, at most
 * 4 KiB (costs §5); on v2 it may move a whole row of each of four partitions. Between HBM and HBM, packets go round robin.
 */
import { triggerIssueNs } from '../hardware/machine';
import type { Engine } from '../vocabulary/engines';
import { DGE_MODES, type DgeMode, queueName, type RingUse } from '../vocabulary/queues';
import { SPACES } from '../vocabulary/spaces';
import { ADDRESS_LOAD } from './addressLoads';
import { sameBurstShare } from './bursts';
import { READ, trackOf, WRITE } from './compiled';
import type { CompileContext } from './context';
import { DIRECTIONS } from './directions';
import { COLLECTIVE_WORD } from './operands/words';
import { HBM } from './patterns';

export interface DmaRequest {
  dst: number;
  src: number;
  /** The engine the kernel asked for. */
  engine?: Engine;
  /** `nki.isa.dge_mode` as the kernel wrote it. */
  mode?: string;
  /** What else is read: further sources, indices. */
  reads?: readonly number[];
  /** Values in SBUF that say where a side lies: the engine loads each into a register before it triggers. */
  addresses?: readonly number[];
  /** Sides that indices address: anything of their tensors may be touched. */
  indirect?: readonly number[];
  /** Bytes of a descriptor where the patterns do not tell. */
  descriptorBytes?: number;
  /** Of a copy's rate, where the engines do more than copy (1). */
  speed?: number;
  /** The collective operation that it completes. */
  collective?: string;
}

const ASKED_MODE: Readonly<Record<string, DgeMode>> = { none: 'static', hwdge: 'hardware', swdge: 'software' };
const OPCODE: Readonly<Record<DgeMode, string>> = { static: 'PSEUDO_DMA_TRIGGER', hardware: 'DMA_DIRECT2D', software: 'DMA_DIRECT2D' };

/** Emits the trigger and its transfer. @returns the transfer's number. */
export function emitDma(c: CompileContext, request: DmaRequest): number {
  const { dst, src, engine, reads = [], addresses = [], indirect = [], descriptorBytes } = request;
  const how = chooseMode(c, request);
  const run = descriptorBytes ?? runBytes(c, dst, src);
  const isStore = c.patterns.spaceOf(dst) === HBM && c.patterns.spaceOf(src) !== HBM;
  const by = how === 'software' ? 'GpSimd' : (engine ?? triggeringEngine(c, how, request));
  const trigger = c.machine.dma.triggers[how]!;
  const track = trackOf(by) === 1 ? 0 : trackOf(by);
  for (const address of addresses) loadAddress(c, track, address);
  c.code.begin(track, OPCODE[how], c.origin);
  const touched = (pattern: number) => (indirect.includes(pattern) ? c.patterns.whole(c.patterns.tensor(pattern)) : pattern);
  c.code.access(touched(dst), WRITE);
  for (const read of [src, ...reads, ...addresses]) c.code.access(touched(read), READ);
  const scatters = descriptorBytes !== undefined || indirect.includes(dst);
  const cutting = cut(c, { dst, src, run, speed: speedOf(c, request, run), scatters });
  c.code.cost(triggerIssueNs(trigger, c.code.packetsOf(cutting)), trigger.leadNs.value + trigger.durationNs.value);
  c.code.words('', `elem_size=${run} compute_op=NONE${request.collective ? ` ${COLLECTIVE_WORD}${request.collective}` : ''}`);
  const queue = c.code.queueNumber(queueName(by, how, ringUse(c, dst, src)), by);
  return c.code.transfer(queue, DGE_MODES.indexOf(how), directionOf(c, src, dst), c.patterns.tensor(isStore ? dst : src), cutting);
}

/** Three ALU_OPs and a MOVE: the recordings of EXPERT_LOADS have these around each trigger. */
const ADDRESS_OPERATIONS = 4;

/** The value into a register, and the arithmetic with it, as one instruction. */
function loadAddress({ code, origin, machine: { registers } }: CompileContext, track: number, address: number) {
  code.begin(track, ADDRESS_LOAD, origin);
  code.access(address, READ);
  const takenNs = registers.memoryNs.value + ADDRESS_OPERATIONS * registers.operationNs.value;
  code.cost(takenNs, takenNs);
  code.words('');
}

/**
 * Descriptors that the kernel does not choose follow the traces and the profile in nki-dma-overview: on machines with descriptor generation,
 * GpSimd's software serves the tensors the kernel was called with, hardware what is the kernel's own (spills, scratch, tiles). Loads of one long row,
 * by kernels of the nki namespace, have static ones. On other machines the pipeline's rules say it.
 */
function chooseMode(c: CompileContext, { dst, src, engine, mode }: DmaRequest): DgeMode {
  const available = (how: DgeMode) => c.machine.dma.triggers[how] !== undefined;
  if (c.options.dge === 'off') return 'static';
  const wanted = ASKED_MODE[mode ?? ''];
  if (wanted && available(wanted)) return wanted;
  if (!available('hardware')) return available(c.rules.withoutHardware) ? c.rules.withoutHardware : 'static';
  if (engine !== undefined) return engine === 'GpSimd' ? 'software' : 'hardware';
  if (c.rules.descriptors === 'static' || isLongRow(c, dst)) return 'static';
  const { scratchDescriptors, argumentDescriptors } = c.policy;
  const isOfKernel = isOwn(c, dst) || isOwn(c, src) || isWithinChip(c, dst, src);
  const chosen = (isOfKernel ? scratchDescriptors : argumentDescriptors).value;
  return available(chosen) ? chosen : 'hardware';
}

/** A load of one row of so many bytes that descriptors made before the kernel runs are the compiler's choice. */
function isLongRow({ patterns, policy, program, rules }: CompileContext, dst: number): boolean {
  if (rules.rewrites || program.dialect !== 'nki' || patterns.spaceOf(dst) === HBM || patterns.partitions(dst) > 1) return false;
  return patterns.freeElements(dst) * patterns.bytesOf(dst) >= policy.staticRowBytes.value;
}

function ringUse(c: CompileContext, dst: number, src: number): RingUse {
  if (isOwn(c, src)) return 'SpillReload';
  return isOwn(c, dst) ? 'SpillSave' : 'IO';
}

function triggeringEngine(c: CompileContext, how: DgeMode, { dst, src }: DmaRequest): Engine {
  const { scratchStoreEngine, triggeringEngines } = c.policy;
  const { load, store, onChip } = triggeringEngines.value[how];
  const [to, from] = [c.patterns.spaceOf(dst), c.patterns.spaceOf(src)];
  if (to !== HBM) return from === HBM ? load : onChip;
  if (from === HBM) return load;
  const isLegacy = how === 'static' ? c.program.dialect === 'neuronxcc' && isOwn(c, dst) : c.rules.rewrites;
  return isLegacy && how !== 'software' ? scratchStoreEngine.value : store;
}

const isWithinChip = ({ patterns }: CompileContext, dst: number, src: number) =>
  patterns.spaceOf(dst) !== HBM && patterns.spaceOf(src) !== HBM;

/** HBM that is neither an input nor an output: scratch of the kernel. */
function isOwn(c: CompileContext, pattern: number): boolean {
  const tensor = c.patterns.tensor(pattern);
  return c.patterns.space(tensor) === HBM && (tensor >= c.patterns.programTensors || c.program.tensors.kind[tensor] === 0);
}

export function directionOf(c: CompileContext, src: number, dst: number): number {
  return Math.max(0, DIRECTIONS.indexOf(`${spaceName(c, src)}->${spaceName(c, dst)}` as (typeof DIRECTIONS)[number]));
}

const spaceName = (c: CompileContext, pattern: number) => SPACES[c.patterns.spaceOf(pattern)];

/** Bytes that lie one after another on both sides. */
function runBytes({ patterns }: CompileContext, dst: number, src: number): number {
  return Math.min(patterns.contiguousElements(dst), patterns.contiguousElements(src)) * patterns.bytesOf(dst);
}

/** Of a copy's rate: a row that an index names takes a DMA engine a time of its own, if its bytes take less. */
function speedOf({ patterns, machine: { dma } }: CompileContext, { dst, src, indirect = [], speed = 1 }: DmaRequest, run: number): number {
  if (!indirect.includes(src) || patterns.spaceOf(src) !== HBM) return speed;
  const rowBytes = patterns.spaceOf(dst) === HBM ? run : patterns.freeElements(dst) * patterns.bytesOf(dst);
  const bytesPerNs = Math.min(dma.engineBytesPerNs.value, dma.hbmReadBytesPerNs.value / dma.engines.value);
  return Math.min(speed, rowBytes / (dma.indexedRowNs.value * bytesPerNs));
}

/** `run`: bytes of a descriptor. */
interface Move {
  dst: number;
  src: number;
  run: number;
  speed: number;
  /** Its runs do not lie in HBM as the pattern says. */
  scatters: boolean;
}

/** @returns number of the cut. */
function cut(c: CompileContext, { dst, src, run, speed, scatters }: Move): number {
  const { patterns } = c;
  const elementBytes = patterns.bytesOf(dst);
  const packetsPerRun = Math.ceil(run / c.machine.dma.maxPacketBytes.value);
  const onChip = patterns.spaceOf(dst) === HBM ? src : dst;
  if (patterns.spaceOf(onChip) === HBM) {
    const total = patterns.elements(dst) * elementBytes;
    const sameBurst = scatters ? 0 : sameBurstOf(c, dst, run, 1);
    return cutEvenly(c, { bytes: total, packets: Math.max(1, Math.ceil(total / Math.max(1, run))) * packetsPerRun, speed, sameBurst });
  }
  const bytes = patterns.freeElements(onChip) * elementBytes;
  const packets = Math.max(1, Math.round(bytes / Math.max(1, Math.min(run, bytes)))) * packetsPerRun;
  const together = run < bytes ? 1 : c.machine.dma.packetPartitions.value;
  return cutByPartition(
    c,
    { first: patterns.firstPartition(onChip), step: partitionStep(c, onChip), count: patterns.partitions(onChip) },
    { packets, bytes, speed, sameBurst: scatters ? 0 : sameBurstOf(c, dst, run, together) },
    together,
  );
}

/** `together`: partitions of which one packet writes a run each; they are one run if they lie side by side. */
function sameBurstOf({ patterns, machine: { dma } }: CompileContext, dst: number, run: number, together: number): number {
  if (patterns.spaceOf(dst) !== HBM) return 0;
  const { stepBytes, count } = patterns.nextRun(dst, run);
  const joined = stepBytes === run ? Math.min(together, count) : 1;
  return sameBurstShare({ bytes: run * joined, stepBytes: stepBytes * joined, count: count / joined }, dma.hbmBurstBytes.value);
}

interface Load {
  packets: number;
  bytes: number;
  speed: number;
  /** Share of the packets that are written to the burst of HBM that the packet before was written to. */
  sameBurst: number;
}

/** `load`: of each partition. `together`: partitions of which one packet moves a piece each. */
function cutByPartition(
  c: CompileContext,
  rows: { first: number; step: number; count: number },
  { packets, bytes, speed, sameBurst }: Load,
  together: number,
): number {
  const { engines, partitionsPerEngine } = c.machine.dma;
  const { first, step, count } = rows;
  return c.code.cutNumber(`${first} ${step} ${count} ${packets} ${bytes} ${together}`, { speed, sameBurst }, () => {
    const rowsOf = new Array<number>(engines.value).fill(0);
    for (let row = 0; row < count; row++) rowsOf[Math.floor((first + row * step) / partitionsPerEngine.value) % engines.value]++;
    return { packets: rowsOf.map(n => Math.ceil(n / together) * packets), bytes: rowsOf.map(n => n * bytes) };
  });
}

/** `load`: altogether. */
function cutEvenly(c: CompileContext, { packets, bytes, speed, sameBurst }: Load): number {
  const engines = c.machine.dma.engines.value;
  return c.code.cutNumber(`${packets} ${bytes}`, { speed, sameBurst }, () => {
    const packetsOf = Array.from({ length: engines }, (_, engine) => Math.floor(packets / engines) + (engine < packets % engines ? 1 : 0));
    return { packets: packetsOf, bytes: packetsOf.map(mine => (bytes * mine) / packets) };
  });
}

function partitionStep(c: CompileContext, pattern: number): number {
  const { patterns } = c;
  if (patterns.dims(pattern) === 0) return 1;
  return Math.max(0, Math.round(patterns.strideOf(pattern, 0) / patterns.rowElements(pattern)));
}
