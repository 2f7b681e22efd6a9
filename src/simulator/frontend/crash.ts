/**
 * The ways in which a script can crash the bundled interpreter, each with a message for its author. WebAssembly prevents any other
 * damage. Any other crash is a fault of NKI Scope.
 */
import { ImportRefused } from './sandbox/imports';

const ADVICE = 'Your own interpreter may bear it: --python PATH, or the setting nkiScope.pythonPath';

/** Tests of an error -> the message for the script's author. */
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
