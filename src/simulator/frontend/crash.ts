/**
 * How a script can end the bundled interpreter itself: a sentence for its author. WebAssembly keeps it from doing more than that. What is
 * none of these is our own fault.
 */
import { ImportRefused } from './sandbox/imports';

const ADVICE = 'Your own interpreter may bear it: --python PATH, or the setting nkiScope.pythonPath';

/** How an error begins -> what its author should know. */
const CRASHES: readonly [isIt: (error: Error) => boolean, sentence: string][] = [
  [
    e => e instanceof RangeError && /call stack/.test(e.message),
    `the script is nested deeper than the interpreter's stack: recursion, or lists in lists. ${ADVICE}`,
  ],
  [
    e => e instanceof WebAssembly.RuntimeError || /^Aborted\(/.test(e.message),
    `the interpreter crashed: the script ran code that no Python compiler makes, or nested too deep. ${ADVICE}`,
  ],
  [e => e instanceof ImportRefused, 'the script reached for JavaScript, native code or the network, which kernels do not get'],
];

/** null: not of the script's doing. */
export function crashSentence(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return CRASHES.find(([isIt]) => isIt(error))?.[1] ?? null;
}
