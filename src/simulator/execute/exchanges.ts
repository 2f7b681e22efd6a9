/**
 * What ranks exchange in a collective: one function for each, over the ranks of a list in its order. All sources are read before anything
 * is written. Reductions are in float32 (integers in their own class), in the order of the list; the result is rounded once.
 * Which instructions are one collective is found by `program/matchCollectives.ts`.
 */
import type { Dtype } from '../vocabulary/dtypes';
import { ExecutionError } from './errors';
import type { Instruction } from './instruction';
import { TensorMemory, type TensorStorage } from './memory';
import { arithmeticOf } from './semantics/elementwise';
import type { Step } from './step';

/** A rank that takes part, with its instruction loaded. Its values may be in another thread (`remoteExchanges.ts`). */
export interface Member {
  rank: number;
  instruction: Instruction;
  /** An operand's values, in an array of their own. Only what `operandsRead` names. */
  read(name: string): TensorStorage;
  /** @param values may be those of other members, too */
  write(name: string, values: TensorStorage): void;
}

/** In every class of elements. */
const ELEMENT_BYTES = 4;

interface Exchange {
  /** Operands whose values have a part in it. */
  reads: readonly string[];
  carryOut(members: readonly Member[]): void;
}

/** @throws ExecutionError */
export function exchange(members: readonly Member[]): void {
  exchangeOf(members[0].instruction).carryOut(members);
}

/** Operands of a collective that its exchange reads. @throws ExecutionError */
export const operandsRead = (instruction: Instruction): readonly string[] => exchangeOf(instruction).reads;

/** A member whose values are in this thread. */
export function memberOf(rank: number, step: Step): Member {
  return {
    rank,
    instruction: step,
    read: name => valuesOf(step, name),
    write: (name, values) => step.writeTo(name, isNarrowed(step.dtype(name)) ? values.slice() : values),
  };
}

function exchangeOf({ row: { name } }: Instruction): Exchange {
  const found = EXCHANGES[name.slice(name.lastIndexOf('.') + 1)];
  if (!found) throw new ExecutionError(`${name} is no exchange between ranks`);
  return found;
}

/** Values that are written are rounded in place. */
const isNarrowed = ({ name, class: kind }: Dtype) => kind === 'float' && name !== 'float32';

/** In arrays of their own: those that a step lends are for one instruction. */
function valuesOf(step: Step, name: string): TensorStorage {
  const count = step.elements(name);
  const values = TensorMemory.array(step.dtype(name), { buffer: new ArrayBuffer(count * ELEMENT_BYTES), offset: 0 }, count);
  step.memory.read(step.operand(name), values);
  return values;
}

const SOURCE = ['src'];
const CHUNKS = ['src', 'metadata', 'dst'];

const EXCHANGES: Readonly<Record<string, Exchange>> = {
  all_reduce: {
    reads: SOURCE,
    carryOut: members => {
      const result = reduced(members, sources(members));
      for (const member of members) member.write('dst', result);
    },
  },

  all_gather: {
    reads: SOURCE,
    carryOut: members => {
      const [{ instruction }] = members;
      const result = gathered(sources(members), instruction.attribute('collective_dim') === 1 ? rowsOf(instruction) : 1);
      for (const member of members) member.write('dst', result);
    },
  },

  reduce_scatter: {
    reads: SOURCE,
    carryOut: members => {
      const result = reduced(members, sources(members));
      const part = result.length / members.length;
      for (const [r, member] of members.entries()) member.write('dst', result.slice(r * part, (r + 1) * part));
    },
  },

  all_to_all: {
    reads: SOURCE,
    carryOut: members => {
      const from = sources(members);
      const part = from[0].length / members.length;
      for (const [r, member] of members.entries()) {
        const parts = from.map(values => values.subarray(r * part, (r + 1) * part));
        member.write('dst', gathered(parts, 1));
      }
    },
  },

  collective_permute: {
    reads: SOURCE,
    carryOut: members => {
      const from = sources(members);
      const pairs = members[0].instruction.attribute('source_target_pairs') as number[][];
      for (const [source, target] of pairs)
        members.find(({ rank }) => rank === target)!.write('dst', from[members.findIndex(({ rank }) => rank === source)]);
    },
  },

  collective_permute_implicit: { reads: SOURCE, carryOut: members => toSuccessors(members, sources(members)) },

  collective_permute_implicit_reduce: {
    reads: ['src0', 'src1'],
    carryOut: members => {
      const second = sources(members, 'src1');
      const sent = sources(members, 'src0').map((values, r) => combined(members[r], values, second[r]));
      toSuccessors(members, sent);
    },
  },

  all_gather_v: {
    reads: CHUNKS,
    carryOut: members => {
      const [from, metadata] = [sources(members), members.map(tables)];
      const chunks = metadata.map(({ counts, displacements }, r) => chunk(members[r], from[r], displacements[0], counts[0]));
      for (const [r, member] of members.entries()) place(member, metadata[r], chunks);
    },
  },

  all_to_all_v: {
    reads: CHUNKS,
    carryOut: members => {
      const [from, metadata] = [sources(members), members.map(tables)];
      for (const [r, member] of members.entries()) {
        const chunks = metadata.map(({ counts, displacements }, s) => chunk(members[s], from[s], displacements[r], counts[r]));
        place(member, metadata[r], chunks);
      }
    },
  },
};

const sources = (members: readonly Member[], name = 'src'): TensorStorage[] => members.map(member => member.read(name));

function combined({ instruction }: Member, a: TensorStorage, b: TensorStorage): TensorStorage {
  const f = arithmeticOf(instruction.text('op'));
  const result = a.slice();
  for (let i = 0; i < result.length; i++) result[i] = f(a[i], b[i]);
  return result;
}

const reduced = (members: readonly Member[], from: readonly TensorStorage[]): TensorStorage =>
  from.reduce((a, b) => combined(members[0], a, b));

const rowsOf = (instruction: Instruction): number => (instruction.counts('src').length > 1 ? instruction.counts('src')[0] : 1);

/** Row by row the parts of all. */
function gathered(parts: readonly TensorStorage[], rows: number): TensorStorage {
  const width = parts[0].length / rows;
  const result = new (parts[0].constructor as new (length: number) => TensorStorage)(parts[0].length * parts.length);
  for (let row = 0; row < rows; row++)
    for (const [r, part] of parts.entries()) result.set(part.subarray(row * width, (row + 1) * width), (row * parts.length + r) * width);
  return result;
}

function toSuccessors(members: readonly Member[], sent: readonly TensorStorage[]): void {
  for (const [r, values] of sent.entries()) members[(r + 1) % members.length].write('dst', values);
}

// -- chunks of variable length -------------------------------------------------------------------------------------------

/** Rows of a member's metadata; a column per rank. */
interface Tables {
  counts: TensorStorage;
  displacements: TensorStorage;
  all: TensorStorage;
  ranks: number;
}

function tables(member: Member, _: number, members: readonly Member[]): Tables {
  const all = member.read('metadata');
  const ranks = members.length;
  return { counts: all.subarray(0, ranks), displacements: all.subarray(ranks, 2 * ranks), all, ranks };
}

function chunk({ rank, instruction }: Member, source: TensorStorage, from: number, size: number): TensorStorage {
  if (from + size > source.length)
    throw new ExecutionError(
      `${instruction.row.name}: a chunk of ${size} elements at ${from} of src (${source.length}) of rank ${rank} does not fit`,
    );
  return source.subarray(from, from + size);
}

/** The chunks of all ranks where the metadata says, else one part of the destination for each; their sizes into the metadata unless the kernel knows them. */
function place(member: Member, { all, ranks }: Tables, chunks: readonly TensorStorage[]): void {
  const { rank, instruction } = member;
  const target = member.read('dst');
  const isDisplaced = instruction.attribute('has_rdispls') === true;
  for (const [r, values] of chunks.entries()) {
    const to = isDisplaced ? all[3 * ranks + r] : Math.floor(target.length / ranks) * r;
    if (to + values.length > target.length)
      throw new ExecutionError(
        `${instruction.row.name}: a chunk of ${values.length} elements at ${to} of dst (${target.length}) of rank ${rank} does not fit`,
      );
    target.set(values, to);
  }
  member.write('dst', target);
  if (instruction.attribute('recv_counts_known') === true) return;
  for (const [r, values] of chunks.entries()) all[2 * ranks + r] = values.length;
  member.write('metadata', all);
}
