/**
 * Machine code under construction: appends instructions, accesses and transfers to columns. Lowerings decide which machine instructions
 * an instruction becomes, and dma.ts how a DMA is cut.
 */
import { resized, roomFor } from '../columns/rows';
import type { Engine } from '../vocabulary/engines';
import { type Alternative, type Compiled, type Detail, MAX_QUEUES, type Queue, READ } from './compiled';
import type { Patterns } from './patterns';

const CAPACITY = 256;

/** The cut for each DMA engine, and its totals. */
interface Cut {
  packets: number[];
  bytes: number[];
  speed: number;
  sameBurst: number;
  totalPackets: number;
  totalBytes: number;
  /** Bit k: engine k carries data. */
  engines: number;
}

export class MachineCode {
  readonly opcodes: string[] = [];
  readonly details: Detail[] = [];
  readonly queues: Queue[] = [];
  readonly alternatives: Alternative[] = [];
  private readonly opcodeIndex = new Map<string, number>();
  private readonly alternativeIndex = new Map<string, number>();
  private readonly detailIndex = new Map<string, number>();
  /** Number of writes to each tensor so far: shows if data that an engine loaded from it is stale. */
  private readonly versions: number[] = [];

  private rows = {
    track: new Uint8Array(CAPACITY),
    opcode: new Uint16Array(CAPACITY),
    origin: new Int32Array(CAPACITY),
    issueNs: new Float64Array(CAPACITY),
    durationNs: new Float64Array(CAPACITY),
    flops: new Float64Array(CAPACITY),
    arrayRows: new Uint8Array(CAPACITY),
    transfer: new Int32Array(CAPACITY),
    ports: new Uint8Array(CAPACITY),
    detail: new Uint32Array(CAPACITY),
    alternative: new Uint32Array(CAPACITY),
    accessStart: new Uint32Array(CAPACITY),
  };
  private uses = { pattern: new Uint32Array(CAPACITY), role: new Uint8Array(CAPACITY) };
  private moves = {
    queue: new Uint8Array(CAPACITY),
    mode: new Uint8Array(CAPACITY),
    trigger: new Uint32Array(CAPACITY),
    bytes: new Float64Array(CAPACITY),
    packets: new Uint32Array(CAPACITY),
    engines: new Uint16Array(CAPACITY),
    direction: new Uint8Array(CAPACITY),
    tensor: new Uint32Array(CAPACITY),
    cut: new Uint32Array(CAPACITY),
  };
  private readonly cuts: Cut[] = [];
  private readonly cutIndex = new Map<string, number>();
  instructions = 0;
  transfers = 0;
  private accesses = 0;
  /** Extra dependencies that no data carries: instruction, event, kind. */
  readonly extra: [instruction: number, event: number, kind: number][] = [];

  constructor(private readonly patterns: Patterns) {}

  /** Appends an instruction without accesses; `access` adds them. @returns its number. */
  begin(track: number, opcode: string, origin: number): number {
    this.rows = roomFor(this.rows, this.rows.track.length, this.instructions + 1);
    const { rows, instructions: row } = this;
    rows.accessStart[row] = this.accesses;
    rows.opcode[row] = intern(this.opcodes, this.opcodeIndex, opcode, opcode);
    rows.origin[row] = origin;
    rows.transfer[row] = -1;
    rows.alternative[row] = 0;
    rows.track[row] = track;
    return this.instructions++;
  }

  /** Of the last instruction. */
  access(pattern: number, role: number) {
    this.uses = roomFor(this.uses, this.uses.role.length, this.accesses);
    this.uses.pattern[this.accesses] = pattern;
    this.uses.role[this.accesses++] = role;
    if (role === READ) return;
    const tensor = this.patterns.tensor(pattern);
    this.versions[this.patterns.aliases.home(tensor)] = this.version(tensor) + 1;
  }

  version(tensor: number): number {
    return this.versions[this.patterns.aliases.home(tensor)] ?? 0;
  }

  lastTrack(): number {
    return this.trackOf(this.instructions - 1);
  }

  trackOf(instruction: number): number {
    return this.rows.track[instruction];
  }

  /** Whether it triggers a DMA. */
  hasTransfer(instruction: number): boolean {
    return this.rows.transfer[instruction] >= 0;
  }

  /** Of the last instruction. Ns. */
  cost(issueNs: number, durationNs: number) {
    this.rows.issueNs[this.instructions - 1] = issueNs;
    this.rows.durationNs[this.instructions - 1] = durationNs;
  }

  /** Of the last instruction: the scheduler may give it to this engine instead. */
  setAlternative(alternative: Alternative) {
    const { track, issueNs, durationNs, ports } = alternative;
    const key = `${track} ${issueNs} ${durationNs} ${ports}`;
    this.rows.alternative[this.instructions - 1] = 1 + intern(this.alternatives, this.alternativeIndex, key, alternative);
  }

  setFlops(flops: number) {
    this.rows.flops[this.instructions - 1] = flops;
  }

  /** Of the last MATMUL. */
  setArrayRows(rows: number) {
    this.rows.arrayRows[this.instructions - 1] = rows;
  }

  setPorts(mask: number) {
    this.rows.ports[this.instructions - 1] = mask;
  }

  words(before: string, after = '') {
    const key = `${before}\n${after}`;
    this.rows.detail[this.instructions - 1] = intern(this.details, this.detailIndex, key, { before, after });
  }

  queueNumber(name: string, engine: Engine): number {
    const known = this.queues.findIndex(q => q.name === name);
    if (known >= 0) return known;
    if (this.queues.length === MAX_QUEUES) throw new Error(`more than ${MAX_QUEUES} DMA queues`);
    return this.queues.push({ name, engine }) - 1;
  }

  /** The number of a cut for transfers of this kind; `make` is called once for each key. */
  cutNumber(key: string, kind: Pick<Cut, 'speed' | 'sameBurst'>, make: () => Pick<Cut, 'packets' | 'bytes'>): number {
    const keyed = `${key} ${kind.speed} ${kind.sameBurst}`;
    const known = this.cutIndex.get(keyed);
    if (known !== undefined) return known;
    this.cutIndex.set(keyed, this.cuts.length);
    return this.cuts.push(totalled({ ...make(), ...kind })) - 1;
  }

  packetsOf(cut: number): number {
    return this.cuts[cut].totalPackets;
  }

  /** Makes the last instruction the trigger of a new transfer. @returns the transfer's number. */
  transfer(queue: number, mode: number, direction: number, tensor: number, cut: number): number {
    this.moves = roomFor(this.moves, this.moves.queue.length, this.transfers);
    const { moves, transfers: row } = this;
    this.rows.transfer[this.instructions - 1] = row;
    const { totalBytes, totalPackets, engines } = this.cuts[cut];
    moves.cut[row] = cut;
    moves.bytes[row] = totalBytes;
    moves.packets[row] = totalPackets;
    moves.engines[row] = engines;
    moves.queue[row] = queue;
    moves.mode[row] = mode;
    moves.trigger[row] = this.instructions - 1;
    moves.direction[row] = direction;
    moves.tensor[row] = tensor;
    return this.transfers++;
  }

  finish(): Pick<Compiled, 'opcodes' | 'details' | 'queues' | 'instructions' | 'accesses' | 'transfers' | 'cuts'> {
    this.rows.accessStart[this.instructions] = this.accesses;
    const { accessStart } = resized({ accessStart: this.rows.accessStart }, this.instructions + 1);
    return {
      opcodes: this.opcodes,
      details: this.details,
      queues: this.queues,
      instructions: { ...resized(this.rows, this.instructions), accessStart },
      accesses: resized(this.uses, this.accesses),
      transfers: resized(this.moves, this.transfers),
      cuts: {
        packets: Uint32Array.from(this.cuts.flatMap(cut => cut.packets)),
        bytes: Float64Array.from(this.cuts.flatMap(cut => cut.bytes)),
        speed: Float64Array.from(this.cuts, cut => cut.speed),
        sameBurst: Float64Array.from(this.cuts, cut => cut.sameBurst),
      },
    };
  }
}

function totalled(cut: Omit<Cut, 'totalPackets' | 'totalBytes' | 'engines'>): Cut {
  const { packets, bytes } = cut;
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
  const engines = packets.reduce((mask, n, engine) => (n > 0 ? mask | (1 << engine) : mask), 0);
  return { ...cut, totalPackets: sum(packets), totalBytes: sum(bytes), engines };
}

function intern<T>(list: T[], index: Map<string, number>, key: string, value: T): number {
  const known = index.get(key);
  if (known !== undefined) return known;
  index.set(key, list.length);
  return list.push(value) - 1;
}
