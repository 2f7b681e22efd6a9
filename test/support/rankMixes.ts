/**
 * Random ranks, seeded, that compute and meet: collectives of every kind, over groups of any ranks, in HBM and SBUF, of several dtypes, between
 * instructions that differ from rank to rank. With the values that they are called with.
 */
import assert from 'node:assert/strict';
import type { AttributeValue, Program } from '../../src/simulator/program/program';
import { ProgramBuilder, type Tensor } from './programs';
import { random } from './syntheticProfile';

export interface RankOfMix {
  program: Program;
  inputs: Map<number, Float32Array | Uint32Array>;
  wanted: number[];
}

export const COLLECTIVES = [
  'all_reduce',
  'all_gather',
  'reduce_scatter',
  'all_to_all',
  'collective_permute',
  'collective_permute_implicit',
  'collective_permute_implicit_reduce',
  'all_gather_v',
  'all_to_all_v',
] as const;
type Collective = (typeof COLLECTIVES)[number];

export interface MixOptions {
  ranks: number;
  /** Collectives, with instructions before each. */
  length: number;
  kinds?: readonly Collective[];
  /** Adds an instruction to each turn of a rank: what may go wrong there. */
  more?(rank: number, turn: number, builder: ProgramBuilder): void;
}

const COLUMNS = 6;
const ROWS = 4;

export function randomRanks(seed: number, { ranks, length, kinds = COLLECTIVES, more }: MixOptions): RankOfMix[] {
  const next = random(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)];
  const made = Array.from({ length: ranks }, (_, rank) => new RankBuilder(rank, ranks, next));
  for (let turn = 0; turn < length; turn++) {
    for (const rank of made) {
      for (let works = below(3); works > 0; works--) rank.work(pick(WORKS), next());
      more?.(rank.rank, turn, rank.builder);
    }
    const kind = pick(kinds);
    const lists = groups(ranks, below);
    const meeting = {
      kind,
      lists,
      dtype: pick(['float32', 'bfloat16', 'float32', 'int32']),
      space: kind.endsWith('_v') ? ('hbm' as const) : pick(['hbm', 'sbuf'] as const),
      op: pick(['add', 'maximum', 'minimum']),
      dim: below(2),
      flags: { has_rdispls: next() < 0.5, recv_counts_known: next() < 0.5 },
    };
    // now and then ranks disagree on what they receive
    const isMixed = next() < 0.2;
    for (const list of lists)
      for (const rank of list) made[rank].meet(meeting, list, isMixed && next() < 0.5 ? pick(['float32', 'bfloat16']) : meeting.dtype);
  }
  return made.map(rank => rank.finish());
}

/** Ranks in lists, some of them in none. */
function groups(ranks: number, below: (limit: number) => number): number[][] {
  const order = Array.from({ length: ranks }, (_, rank) => rank);
  for (let k = order.length - 1; k > 0; k--) {
    const other = below(k + 1);
    [order[k], order[other]] = [order[other], order[k]];
  }
  const lists: number[][] = [];
  while (order.length > 0) lists.push(order.splice(0, 1 + below(order.length)));
  return lists.length > 1 && below(4) === 0 ? lists.slice(1) : lists;
}

interface Meeting {
  kind: Collective;
  lists: number[][];
  dtype: string;
  space: 'hbm' | 'sbuf';
  op: string;
  dim: number;
  flags: { has_rdispls: boolean; recv_counts_known: boolean };
}

const WORKS = ['activation', 'tensor_tensor', 'random', 'matmul'] as const;

class RankBuilder {
  readonly builder = new ProgramBuilder({ target: 'trn2' });
  private readonly inputs = new Map<number, Float32Array | Uint32Array>();
  private readonly state: Tensor;
  private readonly rows: number;
  private made = 0;

  constructor(
    readonly rank: number,
    ranks: number,
    private readonly next: () => number,
  ) {
    const b = this.builder;
    this.rows = ranks * ROWS;
    const x = b.hbm('x', [this.rows, COLUMNS], 'float32', 'input');
    this.inputs.set(
      x.index,
      Float32Array.from({ length: this.rows * COLUMNS }, () => 4 * next() - 2),
    );
    this.state = b.sbuf('state', [this.rows, COLUMNS]);
    b.record('nki.isa.dma_copy', { dst: this.state, src: x });
  }

  work(kind: (typeof WORKS)[number], value: number) {
    const { builder: b, state, rows } = this;
    if (kind === 'activation') b.record('nki.isa.activation', { dst: state, data: state }, { op: 'tanh' });
    else if (kind === 'tensor_tensor') {
      const half = rows / 2;
      const [dst, data1, data2] = [state.slice([0, half]), state.slice([half, rows]), state.slice([0, half])];
      b.record('nki.isa.tensor_tensor', { dst, data1, data2 }, { op: 'add' });
    } else if (kind === 'random') {
      const bits = b.sbuf(this.name('bits'), [rows, 1], 'int8');
      b.record('nki.isa.rng', { dst: bits }, { engine: 'Vector' });
      b.record('nki.isa.tensor_scalar', { dst: state.slice(':', [0, 1]), data: bits }, { op0: 'multiply', operand0: value });
    } else {
      const psum = b.psum(this.name('product'), [COLUMNS, COLUMNS]);
      b.record('nki.isa.nc_matmul', { dst: psum, stationary: state, moving: state }, {});
      b.record(
        'nki.isa.activation',
        { dst: state.slice([0, COLUMNS].map(limit => Math.min(limit, rows)) as [number, number]), data: psum },
        { op: 'tanh' },
      );
    }
  }

  meet({ kind, lists, dtype, space, op, dim, flags }: Meeting, list: readonly number[], received: string) {
    const n = list.length;
    const many = n * ROWS;
    const group = { replica_group: lists };
    const wide = kind === 'all_gather' && dim === 1;
    const shapes: Record<string, [src: number[], dst: number[]]> = {
      all_gather: [[ROWS, COLUMNS], wide ? [ROWS, n * COLUMNS] : [many, COLUMNS]],
      reduce_scatter: [
        [many, COLUMNS],
        [ROWS, COLUMNS],
      ],
    };
    const [from, to] = shapes[kind] ?? [
      [many, COLUMNS],
      [many, COLUMNS],
    ];
    const src = this.filled(from, dtype, space);
    const dst = kind.endsWith('_v') ? this.filled(to, received, space) : this.tensor(to, received, space);
    const record = (operands: Record<string, Tensor>, attributes: Record<string, AttributeValue>) =>
      this.builder.record(`nki.collectives.${kind}`, operands, attributes);
    if (kind === 'all_reduce' || kind === 'reduce_scatter') record({ dst, src }, { ...group, op, more: false });
    else if (kind === 'all_gather') record({ dst, src }, { ...group, collective_dim: dim, more: false });
    else if (kind === 'all_to_all') record({ dst, src }, { ...group, more: false });
    else if (kind === 'collective_permute') {
      const pairs = list.map((rank, k) => [rank, list[(k + 1) % n]]);
      record({ dst, src }, { source_target_pairs: pairs });
    } else if (kind === 'collective_permute_implicit') record({ dst, src }, { ...group, more: false, channel: 0 });
    else if (kind === 'collective_permute_implicit_reduce')
      record({ dst, src0: src, src1: this.filled(from, dtype, space) }, { ...group, op, channel: 0 });
    else record({ dst, metadata: this.metadata(n, many * COLUMNS, flags.has_rdispls), src }, { ...group, ...flags });
    this.take(dst, to);
  }

  finish(): RankOfMix {
    const b = this.builder;
    const y = b.hbm('y', [this.rows, COLUMNS], 'float32', 'output');
    b.record('nki.isa.dma_copy', { dst: y, src: this.state });
    const program = b.finish();
    return { program, inputs: this.inputs, wanted: program.outputs.map(({ tensor }) => tensor) };
  }

  private name(kind: string): string {
    return `${kind}${this.made++}`;
  }

  private tensor(shape: number[], dtype: string, space: 'hbm' | 'sbuf'): Tensor {
    const tensor = this.builder[space](this.name(space), shape, dtype);
    if (space === 'hbm' && this.next() < 0.3) this.builder.output(tensor);
    return tensor;
  }

  /** Of the state: [rows, COLUMNS]. */
  private filled(shape: number[], dtype: string, space: 'hbm' | 'sbuf'): Tensor {
    const tensor = this.tensor(shape, dtype, space);
    const loaded = space === 'sbuf' ? tensor : this.builder.sbuf(this.name('loaded'), shape, dtype);
    this.builder.record('nki.isa.tensor_copy', { dst: loaded, src: this.state.slice([0, shape[0]]) });
    if (space === 'hbm') this.builder.record('nki.isa.dma_copy', { dst: tensor, src: loaded });
    return tensor;
  }

  private metadata(n: number, elements: number, isDisplaced: boolean): Tensor {
    const part = elements / n;
    const place = () => Math.floor(this.next() * (elements - part + 1));
    const rows = [() => Math.floor(this.next() * (part + 1)), place, () => 7, ...(isDisplaced ? [place] : [])];
    const tensor = this.builder.hbm(this.name('metadata'), [rows.length, n], 'uint32', 'input');
    this.inputs.set(tensor.index, Uint32Array.from(rows.flatMap(row => Array.from({ length: n }, row))));
    this.builder.output(tensor);
    return tensor;
  }

  /** What was received goes into the state. */
  private take(dst: Tensor, [rows]: number[]) {
    const { builder: b, state } = this;
    const loaded = dst.space === 'sbuf' ? dst : b.sbuf(this.name('received'), [...dst.shape], dst.dtype);
    if (loaded !== dst) b.record('nki.isa.dma_copy', { dst: loaded, src: dst });
    b.record('nki.isa.tensor_copy', { dst: state.slice([0, rows]), src: loaded.slice(':', [0, COLUMNS]) });
  }
}

/** Bit for bit. */
export function assertSameBits(got: readonly (readonly ArrayLike<number>[])[], wanted: readonly (readonly ArrayLike<number>[])[]): void {
  const words = (values: ArrayLike<number>) => {
    const { buffer, byteOffset, length } = values as Float32Array;
    return [values.constructor.name, ...new Uint32Array(buffer, byteOffset, length)].join(' ');
  };
  assert.deepEqual(
    got.map(rank => rank.map(words)),
    wanted.map(rank => rank.map(words)),
  );
}
