/** What `capture --explain-compile` prints of a run: passes in their order, attempt by attempt. */
import type { AttemptReport, CompileReport, PassReport } from '../simulator/index';

const HOW: Readonly<Record<CompileReport['pipeline'], string>> = {
  literal: 'as written',
  standalone: 'as written, by itself with nki.compiler',
  'backend-off': 'as written, by itself with nki.compiler, without allocation and scheduling of the backend',
  rewriting: 'as the Neuron compiler rewrites legacy kernels',
};

/** The pass that turns the program's instructions into those of the machine: counts before it are of another kind. */
const LOWERING = 'lowering';

export function compileText({ pipeline, attempts }: CompileReport): string {
  return ['', `Compiled ${HOW[pipeline]}:`, ...attempts.flatMap((attempt, k) => attemptLines(attempt, k, attempts.length)), ''].join('\n');
}

/** The same for `--json`. */
export function compileJson({ pipeline, attempts }: CompileReport): Record<string, unknown> {
  return {
    pipeline,
    attempts: attempts.map(({ dropped, ...attempt }) => ({
      ...attempt,
      dropped: dropped && { message: dropped.message, missing_bytes: dropped.missingBytes },
    })),
  };
}

function attemptLines({ passes, without, dropped }: AttemptReport, k: number, count: number): string[] {
  const left = without.length > 0 ? `, without ${without.join(', ')}` : '';
  const head = count === 1 ? [] : [`  attempt ${k + 1}${left}: ${dropped ? `dropped, ${dropped.message}` : 'taken'}`];
  return [...head, ...passes.flatMap(passLines)];
}

function passLines({ name, evidence, before, after, moved }: PassReport): string[] {
  return [`    ${name.padEnd(28)}${change({ name, before, after, moved })}`, `      ${evidence}`];
}

function change({ name, before, after, moved }: Omit<PassReport, 'evidence'>): string {
  const isSame = before.instructions === after.instructions && before.transfers === after.transfers;
  if (name === LOWERING) return `${count(before.instructions, 'program instruction')} to ${machine(after)}`;
  if (!isSame) return `${machine(before)} to ${machine(after)}`;
  return moved > 0 ? `${machine(after)}, at ${count(moved, 'place')} in another order` : `${machine(after)}, as before`;
}

const machine = ({ instructions, transfers }: PassReport['before']) =>
  transfers === 0 ? count(instructions, 'instruction') : `${count(instructions, 'instruction')}, ${count(transfers, 'transfer')}`;

const count = (n: number, what: string) => `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`;
