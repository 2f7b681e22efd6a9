/**
 * What inputs a kernel is likely to take, as one would type them: from its earlier cases, from calls in tests, from its asserts, from
 * cases of other kernels, from its type hints, in this order. Guesses that the user sees and corrects; nothing is run. Pure.
 */
import { type ArgumentValue, type KernelCase, type KernelInfo, parseArgument } from '../../simulator/index';
import { assertedShapes } from './assertedShapes';
import { callOf } from './callInTest';

export interface Guess {
  text: string;
  /** Said below the field: `assert in the kernel`; empty: nothing is known. */
  from: string;
}

export interface Known {
  kernel: string;
  /** Of the kernel's function, from `def` on. */
  body: string;
  /** Of all kernels, by name. */
  cases: Readonly<Record<string, readonly KernelCase[]>>;
  /** Files that may call it. */
  tests: readonly { name: string; text: string }[];
}

const USUAL_TENSOR = 'bf16[128,512]';

export function guessInputs(params: KernelInfo['params'], known: Known): Map<string, Guess> {
  const asserted = assertedShapes(known.body);
  const others = Object.keys(known.cases).filter(kernel => kernel !== known.kernel);
  const calls = known.tests.flatMap(({ name, text }) => {
    const found = callOf(text, known.kernel, params);
    return found ? [{ name, found }] : [];
  });
  return new Map(
    params.map(({ name, annotation, default: usual }) => {
      const [call] = calls.filter(({ found }) => found.has(name));
      const guess =
        inCases(name, [known.kernel], known) ??
        (call && { text: call.found.get(name)!, from: `called so in ${call.name}` }) ??
        (asserted.has(name) ? { text: asserted.get(name)!, from: 'from the asserts of the kernel' } : undefined) ??
        inCases(name, others, known) ??
        hinted(annotation) ??
        (usual === null ? { text: USUAL_TENSOR, from: '' } : { text: '', from: `${usual} unless given` });
      return [name, guess];
    }),
  );
}

/** Of the parameter of this name, the last one remembered. */
function inCases(name: string, kernels: readonly string[], { cases }: Known): Guess | undefined {
  for (const owner of kernels) {
    const found = cases[owner]?.findLast(({ args }) => Object.hasOwn(args, name));
    if (found) return { text: typed(found.args[name]), from: `as in the case ${found.name} of ${owner}` };
  }
  return undefined;
}

/** Tensors are remembered as text, as they are typed; other texts are quoted. */
const typed = (value: ArgumentValue) => (typeof value === 'string' && isTensor(value) ? value : JSON.stringify(value));

function isTensor(text: string): boolean {
  try {
    return parseArgument(text).kind === 'tensor';
  } catch {
    return false;
  }
}

const PLAIN: Readonly<Record<string, string>> = { int: '1', float: '1.0', bool: 'false', str: '""' };

/** `int`; `tensor[128, 512]`; `"f32[128,512]"`. */
function hinted(annotation: string | null): Guess | undefined {
  if (annotation === null) return undefined;
  const text = annotation.replace(/^['"]|['"]$/g, '').trim();
  const from = `hinted as ${text}`;
  if (PLAIN[text] !== undefined) return { text: PLAIN[text], from };
  if (isTensor(text)) return { text, from };
  const shape = /\[\s*(\d+(?:\s*,\s*\d+)*)\s*\]$/.exec(text);
  return shape ? { text: `bf16[${shape[1].replace(/\s/g, '')}]`, from } : undefined;
}
