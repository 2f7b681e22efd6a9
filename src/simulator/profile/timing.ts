/**
 * The input of the scheduler, as columns of a profile: enough to time the same machine code again with other costs, waits or machines
 * (`experiments/`), without the kernel's source. It has only data that is not in the profile's other columns. Instructions and transfers
 * have the numbers of the compiler, because the scheduler breaks ties by that order.
 */

import { type Column, type Columns, FormatError } from '../columns/container';
import { checkAmounts, checkRange, checkRows, flattenGroups, type GroupTable, readGroups } from '../columns/groups';
import { gathered } from '../columns/rows';
import { type Compiled, TABLE } from '../compile/compiled';
import { DGE_MODES } from '../vocabulary/queues';
import type { EventOrder } from './eventOrder';
import { MOST_AMOUNT } from './limits';

export interface ProfileTiming {
  /** The distinct costs of instructions. */
  costs: {
    /** Start to start of independent instructions; of TensorE at full clock. */
    issueNs: Float64Array;
    /** Start to result visible. */
    durationNs: Float64Array;
    /** Bit k: it uses `machine.sharedPorts[k]` while it streams. */
    ports: Uint8Array;
  };
  /** One row per instruction, in the compiler's numbering. */
  instructions: {
    /** Its row in the profile's `instructions`. */
    row: Uint32Array;
    /** Index in `costs`. */
    cost: Uint32Array;
    /** Number of its rows in `dependencies`. They follow those of the instruction before. */
    dependencies: Uint32Array;
  };
  dependencies: {
    /** An instruction, or the number of instructions plus a transfer, in the compiler's numbering. */
    event: Uint32Array;
    /** FLOW, BUFFER or TABLE of `compile/compiled.ts`. */
    kind: Uint8Array;
  };
  /** One row per transfer, in the compiler's numbering. */
  transfers: {
    /** Its row in the profile's `transfers`. */
    row: Uint32Array;
    /** Index in DGE_MODES. */
    mode: Uint8Array;
    /** Index in `speeds`. Its parts are rows of `cuts`, one for each DMA engine. */
    cut: Uint32Array;
  };
  /** The work of each DMA engine, for each distinct cut. */
  cuts: { packets: Uint32Array; bytes: Float64Array };
  /** The rate of each cut, as a fraction of that of a copy. */
  speeds: { speed: Float64Array };
  /** Where products use a part of the PE array: of each cost, the rows that a MATMUL uses; 0: all of them. */
  products?: { arrayRows: Uint8Array };
  /** Where packets wait for others because they are written to one burst of HBM: of each cut, the share of those that wait. */
  bursts?: { sameBurst: Float64Array };
  /**
   * Of a run of several cores, whose events are numbered core after core: instructions that wait for the other cores, the k-th of each
   * core for one another.
   */
  barriers?: { instruction: Uint32Array };
}

export const TIMING_COLUMNS = {
  costs: { issueNs: 'f64', durationNs: 'f64', ports: 'u8' },
  instructions: { row: 'u32', cost: 'u32', dependencies: 'u32' },
  dependencies: { event: 'u32', kind: 'u8' },
  transfers: { row: 'u32', mode: 'u8', cut: 'u32' },
  cuts: { packets: 'u32', bytes: 'f64' },
  speeds: { speed: 'f64' },
} as const satisfies GroupTable;

/** Only of profiles that need them. */
const OPTIONAL_COLUMNS = {
  products: { arrayRows: 'u8' },
  bursts: { sameBurst: 'f64' },
  barriers: { instruction: 'u32' },
} as const satisfies GroupTable;

/** Prefix of the names of its columns in the container. */
const PREFIX = 'timing.';

export function buildTiming({ instructions, transfers, cuts, dependencies }: Compiled, order: EventOrder): ProfileTiming {
  const { costs, cost, arrayRows } = distinctCosts(instructions);
  return {
    costs,
    instructions: { row: inverse(order.instructions), cost, dependencies: lengths(dependencies.start) },
    dependencies: { event: dependencies.event, kind: dependencies.kind },
    transfers: { row: inverse(order.transfers), mode: transfers.mode, cut: transfers.cut },
    cuts: { packets: Uint32Array.from(cuts.packets), bytes: cuts.bytes },
    speeds: { speed: cuts.speed },
    ...(arrayRows.some(rows => rows > 0) && { products: { arrayRows } }),
    ...(cuts.sameBurst.some(share => share > 0) && { bursts: { sameBurst: cuts.sameBurst } }),
  };
}

/** Of each cut, the share of its packets that wait for the one before. */
export const sameBurstOf = ({ bursts, speeds }: ProfileTiming): Float64Array => bursts?.sameBurst ?? new Float64Array(speeds.speed.length);

/** Of each cost, the rows of the PE array that a MATMUL uses; 0: all. */
export const arrayRowsOf = ({ products, costs }: ProfileTiming): Uint8Array => products?.arrayRows ?? new Uint8Array(costs.issueNs.length);

/** Kernels have few distinct costs, because most instructions repeat in other iterations. */
function distinctCosts({ issueNs, durationNs, ports, arrayRows }: Compiled['instructions']): {
  costs: ProfileTiming['costs'];
  cost: Uint32Array;
  arrayRows: Uint8Array;
} {
  const numbers = new Map<string, number>();
  const first: number[] = [];
  const cost = new Uint32Array(issueNs.length);
  for (let i = 0; i < cost.length; i++) {
    const key = `${issueNs[i]} ${durationNs[i]} ${ports[i]} ${arrayRows[i]}`;
    let number = numbers.get(key);
    if (number === undefined) {
      number = first.push(i) - 1;
      numbers.set(key, number);
    }
    cost[i] = number;
  }
  const rows = Uint32Array.from(first);
  const costs = { issueNs: gathered(issueNs, rows), durationNs: gathered(durationNs, rows), ports: gathered(ports, rows) };
  return { costs, cost, arrayRows: gathered(arrayRows, rows) };
}

function inverse(order: Uint32Array): Uint32Array {
  const result = new Uint32Array(order.length);
  for (let row = 0; row < order.length; row++) result[order[row]] = row;
  return result;
}

function lengths(start: Uint32Array): Uint32Array {
  const result = new Uint32Array(start.length - 1);
  for (let i = 0; i < result.length; i++) result[i] = start[i + 1] - start[i];
  return result;
}

/** `group.column` -> column. */
export const timingColumnsByName = (timing: ProfileTiming): Columns => flattenGroups(timingGroups(Object.keys(timing)), timing);

/** The groups of a profile that has these. @param names of groups, or of columns, which begin with their group's */
export function timingGroups(names: readonly string[]): GroupTable {
  const there = new Set(names.map(name => name.split('.')[0]));
  const optional = Object.entries(OPTIONAL_COLUMNS).filter(([group]) => there.has(group));
  return { ...TIMING_COLUMNS, ...Object.fromEntries(optional) };
}

/** Its columns in the profile's container. */
export function timingColumns(timing: ProfileTiming): Columns {
  return Object.fromEntries(Object.entries(timingColumnsByName(timing)).map(([name, column]) => [PREFIX + name, column]));
}

/** By its name in the profile's container. */
export const isTimingColumn = (name: string): boolean => name.startsWith(PREFIX);

/**
 * @param columns of the profile's container
 * @returns undefined if the container has none: a capture, or a profile of an older version
 * @throws FormatError unless the columns fit that many instructions and transfers
 */
export function readTiming(columns: Columns, instructions: number, transfers: number): ProfileTiming | undefined {
  const own = Object.entries(columns).filter(([name]) => isTimingColumn(name));
  if (own.length === 0) return undefined;
  const flat: Columns = Object.fromEntries(own.map(([name, column]) => [name.slice(PREFIX.length), column]));
  const groups = readGroups(timingGroups(Object.keys(flat)), flat, 'profile');
  for (const [group, its] of Object.entries(groups)) checkRows(PREFIX + group, its);
  const timing = groups as unknown as ProfileTiming;
  checkPermutation('timing.instructions.row', timing.instructions.row, instructions);
  checkPermutation('timing.transfers.row', timing.transfers.row, transfers);
  checkRange('timing.instructions.cost', timing.instructions.cost, timing.costs.issueNs.length);
  checkRange('timing.dependencies.event', timing.dependencies.event, instructions + transfers);
  checkRange('timing.dependencies.kind', timing.dependencies.kind, DEPENDENCY_KINDS);
  checkRange('timing.transfers.mode', timing.transfers.mode, DGE_MODES.length);
  checkRange('timing.transfers.cut', timing.transfers.cut, timing.speeds.speed.length);
  for (const name of ['issueNs', 'durationNs'] as const) checkAmounts(`timing.costs.${name}`, timing.costs[name], MOST_AMOUNT);
  checkAmounts('timing.cuts.bytes', timing.cuts.bytes, MOST_AMOUNT);
  checkAmounts('timing.speeds.speed', timing.speeds.speed, 1);
  if (timing.products) checkArrayRows(timing.products.arrayRows, timing.costs.issueNs.length);
  if (timing.bursts) checkShares(timing.bursts.sameBurst, timing.speeds.speed.length);
  checkSum(timing);
  if (timing.barriers) checkRange('timing.barriers.instruction', timing.barriers.instruction, instructions);
  return timing;
}

/** FLOW, BUFFER, TABLE. */
const DEPENDENCY_KINDS = TABLE + 1;

function checkPermutation(name: string, rows: Column, count: number) {
  if (rows.length !== count) throw new FormatError(`${name} has ${rows.length} rows: there are ${count}`);
  checkRange(name, rows, count);
  const met = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    if (met[rows[i]]) throw new FormatError(`${name}[${i}] is ${rows[i]} for the second time`);
    met[rows[i]] = 1;
  }
}

function checkArrayRows(rows: Uint8Array, costs: number) {
  if (rows.length !== costs) throw new FormatError(`timing.products.arrayRows has ${rows.length} rows: there are ${costs} costs`);
}

function checkShares(shares: Float64Array, cuts: number) {
  if (shares.length !== cuts) throw new FormatError(`timing.bursts.sameBurst has ${shares.length} rows: there are ${cuts} cuts`);
  checkAmounts('timing.bursts.sameBurst', shares, 1);
}

function checkSum({ instructions, dependencies }: ProfileTiming) {
  const sum = instructions.dependencies.reduce((all, own) => all + own, 0);
  if (sum !== dependencies.event.length)
    throw new FormatError(`timing.dependencies has ${dependencies.event.length} rows: its instructions name ${sum}`);
}
