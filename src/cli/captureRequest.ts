/**
 * From the options of `capture` to a request: kernel and case, arguments, inputs, grid, target. Knows where a case file is
 * searched (upward from the Python file) and what the command line overrides.
 */
import fs from 'node:fs';
import path from 'node:path';
import {
  type ArgumentValue,
  CASE_FILE,
  type CaptureRequest,
  type CaseFile,
  casesOf,
  type KernelCase,
  MOST_RANKS,
  NEWEST_NKI,
  NKI_VERSIONS,
  PIPELINE_CHOICES,
  parseArgument,
  parseCaseFile,
  pinnedNki,
  placeOfCase,
  TARGETS,
  TOPOLOGY_NAMES,
} from '../simulator/index';
import { UsageError } from './errors';
import { choice, list, type OptionTable, type Parsed, pairs, text } from './options';
import { cwdOf, foldersAround, rootOf } from './rootOption';
import { statOf } from './stat';

export const CAPTURE_OPTIONS: OptionTable = {
  kernel: { type: 'string' },
  case: { type: 'string' },
  arg: { type: 'string', multiple: true },
  input: { type: 'string', multiple: true },
  root: { type: 'string' },
  fill: { type: 'string' },
  grid: { type: 'string' },
  ranks: { type: 'string', short: 'r' },
  'collectives-workers-per-node': { type: 'string' },
  topology: { type: 'string' },
  jobs: { type: 'string' },
  'multi-input': { type: 'string', short: 'm' },
  target: { type: 'string' },
  'nki-version': { type: 'string' },
  numerics: { type: 'string' },
  pipeline: { type: 'string' },
  dge: { type: 'string' },
  python: { type: 'string' },
  'explain-compile': { type: 'boolean' },
  'host-time': { type: 'boolean' },
  'precision-report': { type: 'boolean' },
  reference: { type: 'string', multiple: true },
  'save-profiles': { type: 'string', multiple: true },
  'session-file': { type: 'string', short: 's' },
  json: { type: 'boolean' },
};

/** @throws UsageError */
export function captureRequest({ values, positionals, rest }: Parsed): CaptureRequest {
  const file = pythonFile(positionals);
  const [ownArguments, inputs] = [argumentsOf(values), inputsOf(values)];
  const bare = Object.keys(ownArguments).length + Object.keys(inputs).length === 0 && values['multi-input'] === undefined;
  const { kernel, known } = whichKernel(file, { kernel: text(values, 'kernel'), caseName: text(values, 'case'), bare });
  const args = { ...known?.args, ...ownArguments };
  for (const name of Object.keys(inputs)) delete args[name];
  const given = [...Object.keys(args), ...Object.keys(inputs)];
  if (kernel === undefined && given.length > 0)
    throw new UsageError(`capture: --arg and --input need --kernel NAME, to say whose parameter ${given[0]} is`);
  const ofCase = known ? placeOfCase(known) : {};
  const ranks = ranksOf(values) ?? ofCase.ranks;
  const rankInputs = rankInputsOf(values, ranks);
  if ((ranks ?? 1) > 1 && (values.reference !== undefined || values['precision-report'] === true))
    throw new UsageError('capture: --reference and --precision-report are for one rank');
  if (kernel === undefined && rankInputs)
    throw new UsageError('capture: --multi-input needs --kernel NAME, to say whose parameters they are');
  const root = rootOf(values, file);
  const precisionReport = values['precision-report'] === true;
  const references = referencesOf(values, kernel);
  const request: CaptureRequest = {
    file,
    root,
    cwd: cwdOf(root),
    // of zeros nothing can be said
    fill: choice(values, 'fill', ['zeros', 'random']) ?? (precisionReport || references.referenceFunction ? 'random' : undefined),
    grid: gridOf(values) ?? ofCase.grid,
    ranks,
    recorders: recordersOf(values),
    topology: choice(values, 'topology', TOPOLOGY_NAMES) ?? ofCase.topology,
    target: targetOf(values) ?? ofCase.target ?? environmentTarget(),
    nkiVersion: nkiVersionOf(values, file, root),
    numerics: choice(values, 'numerics', ['on', 'off', 'auto']),
    pipeline: choice(values, 'pipeline', PIPELINE_CHOICES),
    dge: choice(values, 'dge', ['auto', 'off']),
    precisionReport: precisionReport || undefined,
    ...references,
    explainCompile: values['explain-compile'] === true ? true : undefined,
    hostTime: values['host-time'] === true ? true : undefined,
    python: pythonPath(values),
    stdin: 'inherit',
    argv: rest,
    profileFolders: profileFoldersOf(values),
  };
  return kernel === undefined ? request : { ...request, kernel, args, inputs, rankInputs };
}

export function pythonFile(positionals: string[]): string {
  if (positionals.length === 0) throw new UsageError('name a Python file, for example: capture kernel.py');
  if (positionals.length > 1)
    throw new UsageError(`one Python file at a time; arguments of the script come after --: -- ${positionals[1]}`);
  const file = path.resolve(positionals[0]);
  const stat = statOf(file, positionals[0]);
  if (!stat) throw new UsageError(`${positionals[0]}: no such file${kernelHint(positionals[0])}`);
  if (stat.isDirectory()) throw new UsageError(`${positionals[0]} is a folder: name a Python file in it`);
  return file;
}

/** For who writes `file.py:kernel`, as other tools name a function. */
function kernelHint(asked: string): string {
  const [, file, kernel] = /^(.+\.py):(\w+)$/.exec(asked) ?? [];
  return file && fs.existsSync(file) ? `; a kernel is named by --kernel: ${file} --kernel ${kernel}` : '';
}

/** The kernel's only case, when the command line names a kernel and nothing to call it with; the one of `--case`. */
export function whichKernel(file: string, { kernel, caseName, bare }: Asked): { kernel?: string; known?: KernelCase } {
  const place = caseFileOf(file);
  if (caseName === undefined) {
    const known = place && kernel !== undefined && bare ? casesOf(readCases(place), kernel) : [];
    return known.length === 1 ? { kernel, known: known[0] } : { kernel };
  }
  if (!place) throw new UsageError(`--case ${caseName}: no ${CASE_FILE} in or above ${path.dirname(file)}`);
  const cases = readCases(place);
  const found = (kernel === undefined ? Object.keys(cases.cases) : [kernel]).flatMap(name =>
    casesOf(cases, name).flatMap(known => (known.name === caseName ? [{ kernel: name, known }] : [])),
  );
  if (found.length === 1) return found[0];
  if (found.length > 1) throw new UsageError(`--case ${caseName} is a case of ${found.map(f => f.kernel).join(' and ')}: add --kernel`);
  const names = Object.entries(cases.cases).flatMap(([name, list]) => list.map(c => `${name}: ${c.name}`));
  throw new UsageError(`--case ${caseName}: not in ${place}, which has ${names.join(', ') || 'no cases'}`);
}

interface Asked {
  kernel: string | undefined;
  caseName: string | undefined;
  /** No argument or input is given. */
  bare: boolean;
}

/** `.vscode/nki-scope.json` around a file. */
export function caseFileOf(file: string): string | undefined {
  return foldersAround(file)
    .map(folder => path.join(folder, CASE_FILE))
    .find(candidate => fs.existsSync(candidate));
}

/**
 * For a file that calls none of its kernels: the request with the one case that there is for them; null when there is none or
 * a choice. @throws UsageError when the case file is broken.
 */
export function onlyCase(
  request: CaptureRequest,
  kernels: readonly { name: string }[],
): { kernel: string; case: string; request: CaptureRequest } | null {
  const place = caseFileOf(request.file);
  if (!place || request.kernel !== undefined) return null;
  const cases = readCases(place);
  const found = kernels.flatMap(({ name }) => casesOf(cases, name).map(known => ({ kernel: name, known })));
  if (found.length !== 1) return null;
  const [{ kernel, known }] = found;
  const { grid, ranks, topology } = request;
  const asked = { ...(grid && { grid }), ...(ranks && { ranks }), ...(topology && { topology }) };
  const own = { ...request, kernel, args: known.args, inputs: {}, ...placeOfCase(known), ...asked };
  return { kernel, case: known.name, request: own };
}

function readCases(place: string): CaseFile {
  try {
    return parseCaseFile(fs.readFileSync(place, 'utf8'));
  } catch (error) {
    throw new UsageError(`${place}: ${(error as Error).message}`);
  }
}

function argumentsOf(values: Parsed['values']): Record<string, ArgumentValue> {
  const args: Record<string, ArgumentValue> = {};
  for (const [name, value] of pairs(values, 'arg', '--arg a=bf16[128,512] or --arg n=4')) {
    try {
      args[name] = parseArgument(value).value;
    } catch (error) {
      throw new UsageError(`--arg ${name}: ${(error as Error).message}`);
    }
  }
  return args;
}

function inputsOf(values: Parsed['values']): Record<string, string> {
  const inputs: Record<string, string> = {};
  for (const [name, value] of pairs(values, 'input', '--input a=x.npy')) {
    if (!statOf(value, `--input ${name}=${value}`)?.isFile()) throw new UsageError(`--input ${name}: ${value} is not a file`);
    inputs[name] = path.resolve(value);
  }
  return inputs;
}

/** Files, in the order of the outputs, or a function of the kernel's file. @throws UsageError */
function referencesOf(values: Parsed['values'], kernel: string | undefined): Pick<CaptureRequest, 'references' | 'referenceFunction'> {
  const given = (values.reference as string[] | undefined) ?? [];
  if (given.length === 0) return {};
  const [name] = given;
  if (given.length === 1 && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)) {
    if (kernel === undefined) throw new UsageError(`--reference ${name}: a function needs --kernel NAME, whose arguments it takes`);
    return { referenceFunction: name };
  }
  const files = given.map(file => {
    if (!statOf(file, `--reference ${file}`)?.isFile()) throw new UsageError(`--reference ${file}: not a file`);
    return path.resolve(file);
  });
  return { references: files };
}

function recordersOf(values: Parsed['values']): number | undefined {
  const jobs = text(values, 'jobs');
  if (jobs === undefined) return undefined;
  const recorders = Number(jobs);
  if (!Number.isSafeInteger(recorders) || recorders < 0) throw new UsageError(`--jobs ${jobs}: a whole number from 0`);
  return recorders;
}

/** Ranks of a run; one is asked for as any other number, and more are an error then. */
function ranksOf(values: Parsed['values']): number | undefined {
  const asked = text(values, 'ranks') ?? text(values, 'collectives-workers-per-node');
  if (asked === undefined) return undefined;
  const ranks = Number(asked);
  if (!Number.isSafeInteger(ranks) || ranks < 1 || ranks > MOST_RANKS)
    throw new UsageError(`--ranks ${asked}: a whole number from 1 to ${MOST_RANKS}`);
  return ranks;
}

/** A line per rank, each `NAME FILE NAME FILE`, as neuron-explorer reads it. */
function rankInputsOf(values: Parsed['values'], ranks = 1): Record<string, string>[] | undefined {
  const file = text(values, 'multi-input');
  if (file === undefined) return undefined;
  if (!statOf(file, `--multi-input ${file}`)?.isFile()) throw new UsageError(`--multi-input: ${file} is not a file`);
  const lines = fs.readFileSync(file, 'utf8').trim().split(/\r?\n/);
  if (lines.length !== ranks)
    throw new UsageError(`--multi-input ${file}: ${lines.length} lines for ${ranks} ranks; it has a line for each`);
  return lines.map((line, rank) => {
    const words = line.trim().split(/\s+/);
    if (words.length % 2 !== 0) throw new UsageError(`${file}:${rank + 1}: write it as NAME FILE NAME FILE`);
    const inputs: Record<string, string> = {};
    for (let k = 0; k < words.length; k += 2) {
      if (!statOf(words[k + 1], `${file}:${rank + 1}`)?.isFile())
        throw new UsageError(`${file}:${rank + 1}: ${words[k + 1]} is not a file`);
      inputs[words[k]] = path.resolve(words[k + 1]);
    }
    return inputs;
  });
}

function profileFoldersOf(values: Parsed['values']): string[] | undefined {
  const folders = list(values, 'save-profiles').map(folder => path.resolve(folder));
  return folders.length > 0 ? folders : undefined;
}

function gridOf(values: Parsed['values']): number[] | undefined {
  const grid = text(values, 'grid');
  if (grid === undefined) return undefined;
  const sizes = grid.split(',').map(Number);
  if (!/^[\d, ]+$/.test(grid) || sizes.some(n => !Number.isSafeInteger(n) || n < 1))
    throw new UsageError(`--grid ${grid}: write it as --grid 2,1`);
  return sizes;
}

const targetOf = (values: Parsed['values']) => choice(values, 'target', TARGETS);

/** AWS's own variable; its spelling is checked where targets are known. */
export const environmentTarget = () => process.env.NEURON_PLATFORM_TARGET_OVERRIDE || undefined;

/** As asked for, else as the project pins it. @throws UsageError */
export const nkiVersionOf = (values: Parsed['values'], file: string, root: string) =>
  choice(values, 'nki-version', NKI_VERSIONS) ?? pinnedNki(file, root)?.version;

/** Lines of a command's help. */
export const NKI_VERSION_HELP = `  --nki-version ${NKI_VERSIONS[0]}|...|${NEWEST_NKI}   the version of NKI that the kernel is written for (the one that a requirements.txt or
                            pyproject.toml around FILE pins, else ${NEWEST_NKI})`;

export function pythonPath(values: Parsed['values']): string | undefined {
  const python = text(values, 'python');
  const isPath = python !== undefined && /[\\/]/.test(python);
  if (isPath && !fs.existsSync(python)) throw new UsageError(`--python ${python}: no such file`);
  return isPath ? path.resolve(python) : python;
}
