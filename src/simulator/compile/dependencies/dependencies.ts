/**
 * Dependences: flow, anti and output dependences from overlapping accesses of a tensor, and from tensors that reuse the addresses of
 * others. For each engine row an event waits only for the latest event that it depends on, because rows complete in order, as semaphores
 * count. For transfers it waits for each one, because queues may be filled in another order than the program's.
 *
 * Where the program's order is kept, a function's table is loaded when the DMAs have ended that the function waits for
 * (nki-dma-intro-3.png and -5.png). The load does not wait for engines: in the recordings of chenhzhu/asst4-trainium2 it is long before
 * TensorE has written the operand.
 *
 * The instruction that triggers a DMA waits for the DMA's data. The transfer completes the access.
 */
import { resized, roomFor } from '../../columns/rows';
import {
  type Accesses,
  type Allocation,
  BUFFER,
  type Compiled,
  type Dependencies,
  FLOW,
  type MachineInstructions,
  type MachineTransfers,
  QUEUE_LANE,
  READ,
  TABLE,
  TENSOR_MATRIX,
  WRITE,
} from '../compiled';
import { HBM, type Patterns } from '../patterns';
import { Boxes } from './boxes';
import { Regions } from './regions';

type Code = Pick<Compiled, 'instructions' | 'accesses' | 'transfers'>;

export function dependencies(
  patterns: Patterns,
  boxes: Boxes,
  code: Code,
  allocation: Allocation,
  extra: readonly [instruction: number, event: number, kind: number][] = [],
  tablesWait = false,
): Dependencies {
  return new Tracker(patterns, boxes, code, { places: allocation, enginesInOrder: true }).run(
    extra,
    tablesWait ? loadOf(extra) : undefined,
  );
}

/** The ACT_TABLE_LOAD of each function that needs one -> the function's instruction. */
function loadOf(extra: readonly [instruction: number, event: number, kind: number][]): Map<number, number> {
  return new Map(extra.filter(([, , kind]) => kind === TABLE).map(([user, load]) => [load, user]));
}

/**
 * All dependences through data, for any order of engines. A new order of the code must respect them.
 * @param places of tensors that have their addresses already; absent: any addresses
 */
export function dataDependencies(patterns: Patterns, code: Code, places?: Places): Dependencies {
  return new Tracker(patterns, new Boxes(patterns), code, { places, enginesInOrder: false }).run([]);
}

/** Whose places tensors take. */
type Places = Pick<Allocation, 'reuseStart' | 'reused'>;

class Tracker {
  private readonly instructions: MachineInstructions;
  private readonly accesses: Accesses;
  private readonly transfers: MachineTransfers;
  private readonly regions: Regions;
  private readonly start: Uint32Array;
  private edges = { event: new Uint32Array(1024), kind: new Uint8Array(1024) };
  private count = 0;
  /** Latest event of each engine row the current instruction waits for, -1: none. */
  private readonly latest = new Int32Array(QUEUE_LANE).fill(-1);
  private readonly latestKind = new Uint8Array(QUEUE_LANE);
  /** Transfers the current instruction waits for, and why. */
  private readonly transfersWaited = new Map<number, number>();
  /** Last instruction that writes each tensor, -1: none does. */
  private readonly lastWrite: Int32Array;
  /** Lane of the current access. */
  private lane = 0;
  private role = READ;

  constructor(
    private readonly patterns: Patterns,
    boxes: Boxes,
    { instructions, accesses, transfers }: Code,
    /** `enginesInOrder`: each engine row does its work in the order of the code. */
    private readonly given: { readonly places: Places | undefined; readonly enginesInOrder: boolean },
  ) {
    this.instructions = instructions;
    this.accesses = accesses;
    this.transfers = transfers;
    this.regions = new Regions(patterns, boxes);
    this.start = new Uint32Array(instructions.track.length + 1);
    this.lastWrite = new Int32Array(patterns.tensors).fill(-1);
    for (let i = 0; i < instructions.track.length; i++)
      for (let a = instructions.accessStart[i]; a < instructions.accessStart[i + 1]; a++)
        if (accesses.role[a] !== READ) this.lastWrite[patterns.aliases.home(patterns.tensor(accesses.pattern[a]))] = i;
  }

  /** `users`: instructions whose operands another one waits for already. */
  run(extra: readonly [number, number, number][], users?: ReadonlyMap<number, number>): Dependencies {
    const { accessStart, track, transfer } = this.instructions;
    let nextExtra = 0;
    for (let i = 0; i < track.length; i++) {
      const moved = transfer[i];
      const event = moved < 0 ? i : track.length + moved;
      const lane = moved < 0 ? track[i] : QUEUE_LANE + this.transfers.queue[moved];
      this.lane = lane;
      for (let a = accessStart[i]; a < accessStart[i + 1]; a++) this.wait(a);
      const user = users?.get(i);
      if (user !== undefined) {
        for (let a = accessStart[user]; a < accessStart[user + 1]; a++) this.wait(a);
        this.latest.fill(-1);
      }
      for (let a = accessStart[i]; a < accessStart[i + 1]; a++) this.remember(i, a, event, lane);
      this.flush();
      for (; nextExtra < extra.length && extra[nextExtra][0] === i; nextExtra++)
        this.add(this.eventOf(extra[nextExtra][1]), extra[nextExtra][2]);
      this.start[i + 1] = this.count;
    }
    return { start: this.start, ...resized(this.edges, this.count) };
  }

  /** The event that completes an instruction: its transfer, if it has one. */
  private eventOf(instruction: number): number {
    const moved = this.instructions.transfer[instruction];
    return moved < 0 ? instruction : this.instructions.track.length + moved;
  }

  private wait(access: number) {
    const pattern = this.accesses.pattern[access];
    const tensor = this.patterns.tensor(pattern);
    const { aliases } = this.patterns;
    if (this.lastWrite[aliases.home(tensor)] < 0) return;
    this.role = this.accesses.role[access];
    const fresh = this.regions.conflicts(pattern, this.role !== READ, this.consider);
    // Tensors that share bytes were compared byte by byte above.
    if (fresh && this.role !== READ && this.patterns.space(tensor) !== HBM && !aliases.shares(tensor)) this.waitForReused(tensor);
  }

  /** The tensor took the place of others: their last users must be done. */
  private waitForReused(tensor: number) {
    if (!this.given.places) return;
    const { reuseStart, reused } = this.given.places;
    for (let r = reuseStart[tensor]; r < reuseStart[tensor + 1]; r++) this.regions.each(reused[r], this.consider);
  }

  /** The access conflicts with an earlier one, by an event of lane `by`. */
  private readonly consider = (event: number, by: number, found: number) => {
    const { lane, role } = this;
    const kind = role === WRITE ? BUFFER : found;
    if (!this.given.enginesInOrder) {
      this.transfersWaited.set(event, kind);
      return;
    }
    // One engine row works in order: what it overwrites, it has read; and the PE array accumulates in its pipeline.
    if (by === lane && by < QUEUE_LANE && (kind === BUFFER || (role !== READ && by === TENSOR_MATRIX))) return;
    // If the result of an event is both read and overwritten, the dependence is a flow dependence.
    if (by >= QUEUE_LANE) {
      if (kind === FLOW || !this.transfersWaited.has(event)) this.transfersWaited.set(event, kind);
    } else if (event > this.latest[by] || (event === this.latest[by] && kind === FLOW)) {
      this.latest[by] = event;
      this.latestKind[by] = kind;
    }
  };

  private remember(instruction: number, access: number, event: number, lane: number) {
    const pattern = this.accesses.pattern[access];
    const tensor = this.patterns.tensor(pattern);
    const last = this.lastWrite[this.patterns.aliases.home(tensor)];
    if (last < 0) return;
    const writes = this.accesses.role[access] !== READ;
    if (this.given.enginesInOrder) this.regions.add(pattern, writes, event, lane);
    // Without an order of engines every use counts, but a read only if a later instruction overwrites its tensor, or takes its place.
    else if (writes || instruction < last || this.given.places) this.regions.add(pattern, writes, event, QUEUE_LANE);
  }

  private flush() {
    for (let lane = 0; lane < QUEUE_LANE; lane++) {
      if (this.latest[lane] < 0) continue;
      this.add(this.latest[lane], this.latestKind[lane]);
      this.latest[lane] = -1;
    }
    if (this.transfersWaited.size === 0) return;
    for (const [event, kind] of this.transfersWaited) this.add(event, kind);
    this.transfersWaited.clear();
  }

  private add(event: number, kind: number) {
    this.edges = roomFor(this.edges, this.edges.event.length, this.count);
    this.edges.event[this.count] = event;
    this.edges.kind[this.count++] = kind;
  }
}
