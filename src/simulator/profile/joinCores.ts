/**
 * The profiles of cores that ran side by side -> the one profile of their run. Each core has its tracks, with its number (`Tensor (nc1)`, as
 * Neuron Explorer names them), its semaphores, its partitions in the memory views and its DMA engines, numbered core after core. Programs
 * of one recording share files, frames, iterations and tensors, so the joined profile has them once. Times are not changed.
 */
import { gathered } from '../columns/rows';
import type { OperandTable } from '../compile/operands/table';
import { joinOperands } from './joinOperands';
import { joinTiming } from './joinTiming';
import { CORE_PARTITIONS, NO_SEMAPHORE, type Profile } from './profile';

/** Positions of a core's instructions in the whole program: (position, count) pairs, in the core's order. */
export type CorePlaces = readonly (readonly [position: number, count: number])[];

/** An instruction of one core waited for an event of another. Both numbers are rows of the cores' own profiles. */
export interface AcrossCores {
  core: number;
  instruction: number;
  byCore: number;
  /** Event. */
  by: number;
}

/**
 * @param cores profiles of one recording, on one clock, each with the times of the run in its meta
 * @param barriers of each core, the instructions as compiled that wait for the other cores; absent: the run is not timed again
 * @param places one entry per core; absent: events keep the numbers of their core's instructions
 */
export function joinCores(
  cores: readonly Profile[],
  across: readonly AcrossCores[],
  places?: readonly CorePlaces[],
  barriers?: readonly (readonly number[])[],
): Profile {
  const { timing: _, ...first } = cores[0];
  const timings = cores.flatMap(({ timing }) => (timing && barriers ? [timing] : []));
  const parts = partsOf(cores, places);
  return {
    ...first,
    tracks: cores.flatMap(({ tracks }, core) => tracks.map(track => ({ ...track, name: nameOf(track.name, core), core }))),
    strings: parts.strings.list,
    opcodes: parts.opcodes.list,
    ...parts.operands,
    semaphores: cores.flatMap(({ semaphores }, core) => semaphores.map(one => ({ ...one, name: nameOf(one.name, core) }))),
    checks: distinct(cores.flatMap(({ checks }) => checks)),
    machine: { ...first.machine, cores: cores.length },
    instructions: instructions(parts, across),
    waits: waits(parts),
    transfers: transfers(parts),
    dmaSlices: dmaSlices(parts),
    allocations: allocations(parts),
    ...(timings.length === cores.length && { timing: joinTiming(timings, barriers!) }),
  };
}

const nameOf = (name: string, core: number) => `${name} (nc${core})`;

const distinct = (checks: Profile['checks']) => {
  const known = new Set<string>();
  return checks.filter(({ file, line, message }) => {
    const key = `${file}:${line} ${message}`;
    return !known.has(key) && known.add(key);
  });
};

/** A table with each text once, and for each core the new indices of its texts. */
interface Texts {
  list: string[];
  at: Uint32Array[];
}

function merged(lists: readonly (readonly string[])[]): Texts {
  const index = new Map<string, number>();
  const list: string[] = [];
  const at = lists.map(texts =>
    Uint32Array.from(texts, text => {
      let place = index.get(text);
      if (place === undefined) {
        place = list.push(text) - 1;
        index.set(text, place);
      }
      return place;
    }),
  );
  return { list, at };
}

/** One core's profile, and the offsets of its numbers in the joined profile. */
interface Part {
  profile: Profile;
  core: number;
  track: number;
  semaphore: number;
  instruction: number;
  transfer: number;
  /** Counts over all cores. */
  instructions: number;
  texts: { strings: Uint32Array; opcodes: Uint32Array; operands: Uint32Array };
  /** New numbers of program instructions; null: unchanged. */
  origin: Int32Array | null;
}

interface Parts {
  strings: Texts;
  opcodes: Texts;
  operands: OperandTable;
  of: Part[];
}

function partsOf(cores: readonly Profile[], places: readonly CorePlaces[] | undefined): Parts {
  const strings = stringsOf(cores);
  const opcodes = merged(cores.map(p => p.opcodes));
  const operands = joinOperands(cores, strings.at);
  const sizes = cores.map(p => ({
    track: p.tracks.length,
    semaphore: p.semaphores.length,
    instruction: p.instructions.startNs.length,
    transfer: p.transfers.startNs.length,
  }));
  const before = (core: number, what: keyof (typeof sizes)[number]) => sizes.slice(0, core).reduce((sum, size) => sum + size[what], 0);
  const of = cores.map((profile, core) => ({
    profile,
    core,
    track: before(core, 'track'),
    semaphore: before(core, 'semaphore'),
    instruction: before(core, 'instruction'),
    transfer: before(core, 'transfer'),
    instructions: before(cores.length, 'instruction'),
    texts: { strings: strings.at[core], opcodes: opcodes.at[core], operands: operands.at[core] },
    origin: places ? positions(places[core]) : null,
  }));
  return { strings, opcodes, operands: operands.table, of };
}

/**
 * First the strings of the first core, with unchanged indices, because frames and iterations refer to them. Then the additional ones of
 * other cores.
 */
function stringsOf(cores: readonly Profile[]): Texts {
  const list = [...cores[0].strings];
  const index = new Map(list.map((text, place) => [text, place]));
  const at = cores.map(({ strings }) =>
    Uint32Array.from(strings, (text, place) => {
      if (list[place] === text) return place;
      const known = index.get(text) ?? list.push(text) - 1;
      index.set(text, known);
      return known;
    }),
  );
  return { list, at };
}

function positions(places: CorePlaces): Int32Array {
  const result = new Int32Array(places.reduce((sum, [, count]) => sum + count, 0));
  let next = 0;
  for (const [position, count] of places) for (let k = 0; k < count; k++) result[next++] = position + k;
  return result;
}

type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;

/** Concatenates the columns of all cores. `change` converts the columns that it has an entry for. */
function joined<G extends object>(
  parts: readonly Part[],
  group: (p: Profile) => G,
  change: { [K in keyof G]?: (value: number, part: Part) => number } = {},
): G {
  const names = Object.keys(group(parts[0].profile)) as (keyof G)[];
  const columns = names.map(name => {
    const all = parts.map(({ profile }) => group(profile)[name] as Column);
    const Type = all[0].constructor as new (length: number) => Column;
    const result = new Type(all.reduce((sum, column) => sum + column.length, 0));
    let at = 0;
    for (const [k, column] of all.entries()) {
      const by = change[name];
      if (by) for (let row = 0; row < column.length; row++) result[at + row] = by(column[row], parts[k]);
      else result.set(column, at);
      at += column.length;
    }
    return [name, result];
  });
  return Object.fromEntries(columns) as G;
}

/** Events are numbered instructions first, then transfers. */
function event(value: number, { profile, instruction, transfer, instructions: all }: Part): number {
  if (value < 0) return value;
  const own = profile.instructions.startNs.length;
  return value < own ? value + instruction : all + transfer + value - own;
}

const origin = (value: number, part: Part) => (value < 0 || !part.origin ? value : part.origin[value]);
const track = (value: number, part: Part) => value + part.track;
const semaphore = (value: number, part: Part) => value + part.semaphore;

function instructions({ of }: Parts, across: readonly AcrossCores[]): Profile['instructions'] {
  const all = joined(of, p => p.instructions, {
    track,
    opcode: (value, { texts }) => texts.opcodes[value],
    operands: (value, { texts }) => texts.operands[value],
    blocker: event,
    origin,
    signal: (value, part) => (value === NO_SEMAPHORE ? value : semaphore(value, part)),
  });
  for (const { core, instruction, byCore, by } of across) all.blocker[instruction + of[core].instruction] = event(by, of[byCore]);
  return all;
}

function waits({ of }: Parts): Profile['waits'] {
  return joined(of, p => p.waits, { instruction: event, semaphore });
}

function transfers({ of }: Parts): Profile['transfers'] {
  return joined(of, p => p.transfers, {
    track,
    blocker: event,
    trigger: event,
    origin,
    variable: (value, { texts }) => texts.strings[value],
  });
}

/** Sorted by start, as in every profile. */
function dmaSlices({ of }: Parts): Profile['dmaSlices'] {
  const all = joined(of, p => p.dmaSlices, {
    engine: (value, { core, profile }) => value + core * profile.machine.dmaEngines,
    transfer: (value, part) => value + part.transfer,
  });
  const order = mergedOrder(of.map(({ profile }) => profile.dmaSlices.startNs));
  return {
    startNs: gathered(all.startNs, order),
    endNs: gathered(all.endNs, order),
    engine: gathered(all.engine, order),
    transfer: gathered(all.transfer, order),
    bytes: gathered(all.bytes, order),
  };
}

/** Merges concatenated ascending columns: the order of all their rows. */
function mergedOrder(columns: readonly Float64Array[]): Uint32Array {
  const first = columns.map((_, k) => columns.slice(0, k).reduce((sum, column) => sum + column.length, 0));
  const head = columns.map(() => 0);
  const order = new Uint32Array(columns.reduce((sum, column) => sum + column.length, 0));
  const startOf = (k: number) => (head[k] < columns[k].length ? columns[k][head[k]] : Number.POSITIVE_INFINITY);
  for (let row = 0; row < order.length; row++) {
    let least = 0;
    for (let k = 1; k < columns.length; k++) if (startOf(k) < startOf(least)) least = k;
    order[row] = first[least] + head[least]++;
  }
  return order;
}

function allocations({ of }: Parts): Profile['allocations'] {
  return joined(of, p => p.allocations, {
    partitionStart: (value, { core }) => value + core * CORE_PARTITIONS,
    name: (value, { texts }) => texts.strings[value],
  });
}
