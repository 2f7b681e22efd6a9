/**
 * Named inputs of kernels, as remembered in `.vscode/nki-scope.json`:
 * `{ "cases": { "kernel_name": [ { "name": "...", "args": { "a": "bf16[128,512]", "n": 4 }, "grid": [2], "target": "trn2", "ranks": 4 } ] } }`.
 * It converts text to cases and back. The caller finds and writes the file. Unknown keys are kept.
 */
import { MOST_RANKS, TOPOLOGY_NAMES } from '../hardware/network';
import type { ArgumentValue } from './arguments';

export const CASE_FILE = '.vscode/nki-scope.json';

export interface KernelCase {
  name: string;
  args: Record<string, ArgumentValue>;
  grid?: number[];
  target?: string;
  /** Ranks that run it side by side with these arguments; absent: one, or as many as its collectives name. */
  ranks?: number;
  /** How they are connected: a name of `hardware/network.ts`. */
  topology?: string;
}

/** What a case says beside the kernel's arguments: fields of a request. */
export const placeOfCase = ({ grid, target, ranks, topology }: KernelCase): Pick<KernelCase, 'grid' | 'target' | 'ranks' | 'topology'> => ({
  ...(grid && { grid }),
  ...(target && { target }),
  ...(ranks && { ranks }),
  ...(topology && { topology }),
});

export interface CaseFile {
  cases: Record<string, KernelCase[]>;
}

/** @throws Error that names the wrong part of the text. */
export function parseCaseFile(text: string): CaseFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${CASE_FILE} is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw new Error(`${CASE_FILE} must hold an object`);
  const cases = value.cases ?? {};
  if (!isObject(cases)) throw new Error(`${CASE_FILE}: "cases" must be an object from kernel name to a list of cases`);
  for (const [kernel, list] of Object.entries(cases)) checkList(kernel, list);
  return { ...value, cases } as CaseFile;
}

/** The file's content with this case added last. A case of the same name is replaced. */
export function withCase(file: CaseFile, kernel: string, added: KernelCase): CaseFile {
  const others = casesOf(file, kernel).filter(c => c.name !== added.name);
  return { ...file, cases: { ...file.cases, [kernel]: [...others, added] } };
}

export const casesOf = (file: CaseFile, kernel: string): KernelCase[] => (Object.hasOwn(file.cases, kernel) ? file.cases[kernel] : []);

export const formatCaseFile = (file: CaseFile): string => `${JSON.stringify(file, null, 2)}\n`;

function checkList(kernel: string, list: unknown) {
  const fail = (what: string): never => {
    throw new Error(`${CASE_FILE}: cases of ${kernel}: ${what}`);
  };
  if (!Array.isArray(list)) fail('must be a list');
  for (const item of list as unknown[]) {
    if (!isObject(item)) return fail('each must be an object');
    if (typeof item.name !== 'string') fail('each needs a "name"');
    if (!isObject(item.args ?? {}) || !Object.values(item.args ?? {}).every(isArgument))
      fail('"args" must be tensors or plain values by parameter');
    if (item.grid !== undefined && !(Array.isArray(item.grid) && item.grid.every(n => Number.isInteger(n) && n > 0)))
      fail('"grid" must be a list of whole numbers');
    if (item.target !== undefined && typeof item.target !== 'string') fail('"target" must be a name such as trn2');
    if (item.ranks !== undefined && !(Number.isInteger(item.ranks) && Number(item.ranks) >= 1 && Number(item.ranks) <= MOST_RANKS))
      fail(`"ranks" must be a whole number from 1 to ${MOST_RANKS}`);
    if (item.topology !== undefined && !TOPOLOGY_NAMES.includes(item.topology as string))
      fail(`"topology" must be one of ${TOPOLOGY_NAMES.join(', ')}`);
    item.args ??= {};
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isArgument = (value: unknown): value is ArgumentValue => value === null || ['string', 'number', 'boolean'].includes(typeof value);
