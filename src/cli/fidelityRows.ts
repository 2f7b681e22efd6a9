/**
 * Rows of `fidelity`: a measured time, where it was published, and the run that models it. Reads them, and picks from a
 * profile the figure that a row's metric names.
 */
import fs from 'node:fs';
import path from 'node:path';
import {
  type ArgumentValue,
  aroundBody,
  type CaptureRequest,
  DEFAULT_TARGET,
  firstTriggerNs,
  type Machine,
  machineOf,
  nearestWorkspace,
  type Profile,
  parseArgument,
} from '../simulator/index';
import { InputError } from './errors';

export interface FidelityRun {
  /** Relative to the file of rows. */
  file: string;
  /** Absent: the file is run as a script, and the times of its kernel calls are added. */
  kernel?: string;
  args?: Record<string, string | number | boolean | null>;
  target?: string;
  grid?: number[];
  argv?: string[];
  pipeline?: CaptureRequest['pipeline'];
  dge?: 'auto' | 'off';
  /** Of NKI, that the kernel was written for; absent: today's. */
  nkiVersion?: string;
  /** A kernel of the new dialect, after a legacy one that was measured with the runtimes of its time. */
  legacyRuntime?: boolean;
}

export interface FidelityRow {
  id: string;
  metric: string;
  value: number;
  unit: string;
  source: string;
  /** Which accuracy table it counts for; else pipeline and target of the run. */
  table?: string;
  run?: FidelityRun;
}

/** @throws InputError */
export function readRows(file: string): FidelityRow[] {
  let rows: unknown;
  try {
    rows = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new InputError(`${file}: ${(error as Error).message}`);
  }
  if (!Array.isArray(rows)) throw new InputError(`${file}: not a list of rows`);
  return rows.map((row, k) => checked(row, `${file}: row ${k + 1}`));
}

function checked(row: unknown, where: string): FidelityRow {
  const { id, metric, value, unit, run } = (row ?? {}) as Partial<FidelityRow>;
  if (typeof id !== 'string' || typeof metric !== 'string' || typeof unit !== 'string')
    throw new InputError(`${where}: needs id, metric and unit as text`);
  if (typeof value !== 'number' || !(value > 0)) throw new InputError(`${where} (${id}): value is not a number above zero`);
  if (run === undefined) return row as FidelityRow;
  if (typeof run?.file !== 'string') throw new InputError(`${where} (${id}): run names no file`);
  const read = row as FidelityRow;
  if (measuredNs(read) === undefined) throw new InputError(`${where} (${id}): ${unit} is no unit of time: use ns, us, ms or s`);
  if (!figureOf(read))
    throw new InputError(
      `${where} (${id}): "${metric}" names no time of a whole kernel: say total time, NCL, latency, body or device trace`,
    );
  return read;
}

/** @throws InputError for arguments that cannot be read. */
export function requestOf({ id, run }: FidelityRow, folder: string): CaptureRequest {
  const { file, kernel, args, target, grid, argv, pipeline, dge, nkiVersion } = run!;
  const absolute = path.resolve(folder, file);
  if (!fs.existsSync(absolute)) throw new InputError(`${id}: ${absolute}: no such file`);
  const request: CaptureRequest = {
    ...(run!.legacyRuntime && { machine: machineOfRun(run!) }),
    file: absolute,
    root: nearestWorkspace(absolute),
    target,
    grid,
    argv,
    pipeline,
    dge,
    nkiVersion,
    numerics: 'off',
  };
  return kernel === undefined ? request : { ...request, kernel, args: argumentsOf(id, args ?? {}) };
}

/** The machine with the runtime that a row was measured with. */
export function machineOfRun({ target = DEFAULT_TARGET, legacyRuntime }: Pick<FidelityRun, 'target' | 'legacyRuntime'>): Machine {
  const machine = machineOf({ target });
  return legacyRuntime ? { ...machine, recentSoftwareTrigger: undefined } : machine;
}

function argumentsOf(id: string, args: NonNullable<FidelityRun['args']>): Record<string, ArgumentValue> {
  const parsed = (value: string | number | boolean | null) => (typeof value === 'string' ? parseArgument(value).value : value);
  try {
    return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, parsed(value)]));
  } catch (error) {
    throw new InputError(`${id}: ${(error as Error).message}`);
  }
}

const NS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** Ns. `machine`: of an experiment. */
export type Figure = (p: Profile, machine?: Machine) => number;

/** What the runtime's trace has of an execution: `nc_exec_running`. */
const executionNs: Figure = (p, machine = machineOf(p)) =>
  p.bodyEndNs - p.bodyStartNs + (machine.newRuntime?.traceOverheadNs ?? machine.nclOverheadNs).value;

/** Words of a metric -> what it measures. The first that matches counts. */
const FIGURES: readonly [words: RegExp, figure: Figure][] = [
  [/device trace/i, executionNs],
  [/load trigger/i, (p, machine) => p.bodyEndNs - firstTriggerNs(p, machine)],
  [/body|payload end/i, p => p.bodyEndNs - p.bodyStartNs],
  [/\bNCL\b|latency/i, p => p.nclUs * 1e3],
  [/total.time/i, p => p.totalTimeNs],
];

/** Measured time, ns; undefined when the unit is no time. */
export const measuredNs = ({ value, unit }: FidelityRow): number | undefined => (unit in NS ? value * NS[unit] : undefined);

/** The modelled figure of the metric; undefined when the metric is none of a whole kernel's times. */
export function figureOf({ metric, run }: Pick<FidelityRow, 'metric' | 'run'>): Figure | undefined {
  const figure = FIGURES.find(([words]) => words.test(metric))?.[1];
  return figure && run?.legacyRuntime ? (p, machine = machineOf(p)) => figure(withLegacyRuntime(p, machine), machine) : figure;
}

function withLegacyRuntime(p: Profile, machine: Machine): Profile {
  const { preambleNs, postambleNs, nclOverheadNs } = aroundBody(machine, true);
  const bodyNs = p.bodyEndNs - p.bodyStartNs;
  return { ...p, totalTimeNs: preambleNs + bodyNs + postambleNs, nclUs: (bodyNs + nclOverheadNs) / 1000 };
}
