/**
 * What ranks exchange in a collective: one function for each, over the ranks of a list in its order. All sources are read before anything
 * is written. Reductions are in float32 (integers in their own class), in the order of the list; the result is rounded once.
 * Which instructions are one collective is found by `program/matchCollectives.ts`.
 */
import { ExecutionError } from './errors';
import { TensorMemory, type TensorStorage } from './memory';
import { arithmeticOf } from './semantics/elementwise';
import type { Step } from './step';

/** A rank that takes part, with its instruction loaded. */
export interface Member {
  rank: number;
  step: Step;
}

/** In every class of elements. */
const ELEMENT_BYTES = 4;

type Exchange = (members: readonly Member[]) => void;

/** @throws ExecutionError */
export function exchange(members: readonly Member[]): void {
  const { name } = members[0].step.row;
  const carryOut = EXCHANGES[name.slice(name.lastIndexOf('.') + 1)];
  if (!carryOut) throw new ExecutionError(`${name} is no exchange between ranks`);
  carryOut(members);
}

const EXCHANGES: Readonly<Record<string, Exchange>> = {
  all_reduce: members => {
    const result = reduced(members, sources(members));
    for (const { step } of members) step.writeTo('dst', result);
  },

  all_gather: members => {
    const along = members[0].step.attribute('collective_dim') === 1 ? rowsOf(members[0].step) : 1;
    const result = gathered(sources(members), along);
    for (const { step } of members) step.writeTo('dst', result);
  },

  reduce_scatter: members => {
    const result = reduced(members, sources(members));
    const part = result.length / members.length;
    for (const [r, { step }] of members.entries()) step.writeTo('dst', result.slice(r * part, (r + 1) * part));
  },

  all_to_all: members => {
    const from = sources(members);
    const part = from[0].length / members.length;
    for (const [r, { step }] of members.entries())
      step.writeTo(
        'dst',
        gathered(
          from.map(values => values.subarray(r * part, (r + 1) * part)),
          1,
        ),
      );
  },

  collective_permute: members => {
    const from = sources(members);
    const pairs = members[0].step.attribute('source_target_pairs') as number[][];
    for (const [source, target] of pairs)
      members.find(({ rank }) => rank === target)!.step.writeTo('dst', from[members.findIndex(({ rank }) => rank === source)]);
  },

  collective_permute_implicit: members => toSuccessors(members, sources(members)),

  collective_permute_implicit_reduce: members => {
    const second = sources(members, 'src1');
    const sent = sources(members, 'src0').map((values, r) => combined(members[r].step, values, second[r]));
    toSuccessors(members, sent);
  },

  all_gather_v: members => {
    const [from, metadata] = [sources(members), members.map(tables)];
    const chunks = metadata.map(({ counts, displacements }, r) => chunk(members[r], from[r], displacements[0], counts[0]));
    for (const [r, member] of members.entries()) place(member, metadata[r], chunks);
  },

  all_to_all_v: members => {
    const [from, metadata] = [sources(members), members.map(tables)];
    for (const [r, member] of members.entries()) {
      const chunks = metadata.map(({ counts, displacements }, s) => chunk(members[s], from[s], displacements[r], counts[r]));
      place(member, metadata[r], chunks);
    }
  },
};

const sources = (members: readonly Member[], name = 'src'): TensorStorage[] => members.map(({ step }) => valuesOf(step, name));

/** In arrays of their own: those that a step lends are for one instruction. */
function valuesOf(step: Step, name: string): TensorStorage {
  const count = step.elements(name);
  const values = TensorMemory.array(step.dtype(name), { buffer: new ArrayBuffer(count * ELEMENT_BYTES), offset: 0 }, count);
  step.memory.read(step.operand(name), values);
  return values;
}

function combined(step: Step, a: TensorStorage, b: TensorStorage): TensorStorage {
  const f = arithmeticOf(step.text('op'));
  const result = a.slice();
  for (let i = 0; i < result.length; i++) result[i] = f(a[i], b[i]);
  return result;
}

const reduced = (members: readonly Member[], from: readonly TensorStorage[]): TensorStorage =>
  from.reduce((a, b) => combined(members[0].step, a, b));

const rowsOf = (step: Step): number => (step.counts('src').length > 1 ? step.counts('src')[0] : 1);

/** Row by row the parts of all. */
function gathered(parts: readonly TensorStorage[], rows: number): TensorStorage {
  const width = parts[0].length / rows;
  const result = new (parts[0].constructor as new (length: number) => TensorStorage)(parts[0].length * parts.length);
  for (let row = 0; row < rows; row++)
    for (const [r, part] of parts.entries()) result.set(part.subarray(row * width, (row + 1) * width), (row * parts.length + r) * width);
  return result;
}

function toSuccessors(members: readonly Member[], sent: readonly TensorStorage[]): void {
  for (const [r, values] of sent.entries()) members[(r + 1) % members.length].step.writeTo('dst', values);
}

// -- chunks of variable length -------------------------------------------------------------------------------------------

/** Rows of a member's metadata; a column per rank. */
interface Tables {
  counts: TensorStorage;
  displacements: TensorStorage;
  all: TensorStorage;
  ranks: number;
}

function tables({ step }: Member, _: number, members: readonly Member[]): Tables {
  const all = valuesOf(step, 'metadata');
  const ranks = members.length;
  return { counts: all.subarray(0, ranks), displacements: all.subarray(ranks, 2 * ranks), all, ranks };
}

function chunk({ rank, step }: Member, source: TensorStorage, from: number, size: number): TensorStorage {
  if (from + size > source.length)
    throw new ExecutionError(
      `${step.row.name}: a chunk of ${size} elements at ${from} of src (${source.length}) of rank ${rank} does not fit`,
    );
  return source.subarray(from, from + size);
}

/** The chunks of all ranks where the metadata says, else one part of the destination for each; their sizes into the metadata unless the kernel knows them. */
function place({ rank, step }: Member, { all, ranks }: Tables, chunks: readonly TensorStorage[]): void {
  const target = valuesOf(step, 'dst');
  const isDisplaced = step.attribute('has_rdispls') === true;
  for (const [r, values] of chunks.entries()) {
    const to = isDisplaced ? all[3 * ranks + r] : Math.floor(target.length / ranks) * r;
    if (to + values.length > target.length)
      throw new ExecutionError(
        `${step.row.name}: a chunk of ${values.length} elements at ${to} of dst (${target.length}) of rank ${rank} does not fit`,
      );
    target.set(values, to);
  }
  step.writeTo('dst', target);
  if (step.attribute('recv_counts_known') === true) return;
  for (const [r, values] of chunks.entries()) all[2 * ranks + r] = values.length;
  step.writeTo('metadata', all);
}
