/** Machines and policies without the rows of an author, and without what rests on one kernel: values of facts by path (`hardware/withValues.ts`). */
import { neuronPolicy } from '../../src/simulator/compile/neuronPolicy';
import { POLICY_WITHOUT } from '../../src/simulator/compile/otherEvidence';
import { PASS_EVIDENCE } from '../../src/simulator/compile/passEvidence';
import type { PassName } from '../../src/simulator/compile/policy';
import { type Fact, isFact } from '../../src/simulator/hardware/facts';
import type { Machine } from '../../src/simulator/hardware/machine';
import { MACHINE_WITHOUT, type OtherEvidence } from '../../src/simulator/hardware/otherEvidence';
import { authorsOf } from './authors';

/** What differs from the machine and the policy as they are. */
export interface Changes {
  machine: Record<string, unknown>;
  policy: Record<string, unknown>;
}

/** No time depends on these: totals that are printed, and addresses. */
const WITHOUT_TIMES = ['hbmBytesPerSecond', 'dmaBytesPerSecond', 'addressPartitionBytes', 'addressPsumBytes'];

/** All facts of a machine or a policy, by path; not the list of passes, of which each has rows of its own. */
export function* facts(part: object, path = ''): Generator<[path: string, fact: Fact<unknown>]> {
  for (const [name, inner] of Object.entries(part)) {
    if (isFact(inner)) {
      if (name !== 'passes' && !WITHOUT_TIMES.includes(name)) yield [`${path}${name}`, inner];
    } else if (typeof inner === 'object' && inner !== null) yield* facts(inner, `${path}${name}.`);
  }
}

const isOf = (author: string, rows: readonly string[] = []) => rows.length > 0 && [...authorsOf(rows)].every(one => one === author);
const changes = (others: readonly OtherEvidence[] = []) => Object.fromEntries(others.map(({ path, value }) => [path, value]));
function passesBut(left: (pass: PassName) => boolean): Record<string, unknown> {
  const passes = neuronPolicy.passes.value.filter(pass => !left(pass));
  return passes.length < neuronPolicy.passes.value.length ? { passes } : {};
}

/** What no row of the author has a part in: constants as others say, and no passes that rest on the author alone. */
export const withoutAuthor = (author: string, { generation }: Machine): Changes => ({
  machine: changes(MACHINE_WITHOUT[generation]?.[author]),
  policy: { ...changes(POLICY_WITHOUT[author]), ...passesBut(pass => !PASS_EVIDENCE[pass].also && isOf(author, PASS_EVIDENCE[pass].rows)) },
});

/** Paths of constants that rest on the author alone, for which no other value is named. */
export function unnamed(author: string, machine: Machine): string[] {
  const { machine: ofMachine, policy } = withoutAuthor(author, machine);
  const missing = (part: object, named: object) =>
    [...facts(part)].filter(([path, { rows }]) => isOf(author, rows) && !Object.hasOwn(named, path)).map(([path]) => path);
  return [...missing(machine, ofMachine), ...missing(neuronPolicy, policy)];
}

/** Sizes, dtypes and metrics of one kernel, by what their rows begin with. */
const KERNELS =
  /^(mamba\d|nkib-t1-[a-z]+|exp|cs-tiled|ac-gemm|ko|dma\d|pg-[a-z]+|xav-conv|lab-m0|lab-m6|lab-fast|lib-ladder|chengli2003 conv2d_\d|chenhzhu final|ichu-stream|jing-conv|\w+ stream|(baseline|fused))/;
/** Medians over all eight profiles. */
const kernelsOf = (row: string) =>
  /^(ins|dmabw)-/.test(row) ? ['baseline', 'fused'] : [KERNELS.exec(row.replace('ichuniq ', 'ichu-'))?.[0] ?? row];

export interface OnOneKernel {
  /** The path of a constant, or `pass` and its name. */
  name: string;
  value: string;
  kernel: string;
  author: string;
  /** Generation of the machine; undefined: of the compiler. */
  generation?: string;
  /** What others say; undefined where no row or document does. */
  without?: Changes;
}

/** Constants of these machines and passes whose rows are of one kernel. Those that a machine inherits count for the other one. */
export function onOneKernel(machines: readonly Machine[]): OnOneKernel[] {
  const known = (part: object, generation?: string) =>
    [...facts(part)].flatMap(([path, { rows = [], confidence, value, unit }]) => {
      if (confidence === 'assumed') return [];
      return single(path, rows, `${JSON.stringify(value)} ${unit}`, generation);
    });
  const passes = Object.entries(PASS_EVIDENCE).flatMap(([pass, { rows, also }]) => (also ? [] : single(`pass ${pass}`, rows, '')));
  return [...machines.flatMap(machine => known(machine, machine.generation)), ...known(neuronPolicy), ...passes];
}

function single(name: string, rows: readonly string[], value: string, generation?: string): OnOneKernel[] {
  const kernels = new Set(rows.flatMap(kernelsOf));
  if (kernels.size !== 1) return [];
  const [[kernel], [author]] = [kernels, authorsOf(rows)].map(set => [...set]);
  return [{ name, value, kernel, author, generation, without: without(name, author, generation) }];
}

function without(name: string, author: string, generation?: string): Changes | undefined {
  if (name.startsWith('pass ')) return { machine: {}, policy: passesBut(pass => name === `pass ${pass}`) };
  const named = generation === undefined ? POLICY_WITHOUT[author] : MACHINE_WITHOUT[generation]?.[author];
  const own = changes(named?.filter(({ path }) => path === name));
  if (Object.keys(own).length === 0) return undefined;
  return generation === undefined ? { machine: {}, policy: own } : { machine: own, policy: {} };
}
