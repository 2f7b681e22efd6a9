/**
 * A worker that waits for its capture runs the last one's kernel again and drops the results. The next capture is mostly of that
 * kernel, a little changed; the simulator's code is then compiled and optimised.
 * It handles the message that the last capture sent over the wire, with zeros for inputs. Sessions share no state, so results do not change.
 */
import { hostDtype } from '../execute/arrays/dtypes';
import type { Interrupt } from '../frontend/interrupt';
import { ownPaths } from '../frontend/paths';
import type { SimulatorBackend } from '../session/backend';
import { type CaptureRequest, DEFAULT_LIMITS } from '../session/capture';
import { type FirstCall, HostSession } from '../session/hostSession';
import { isCheap } from '../session/numerics';

/** The kernel call that is repeated, and the options of its capture. */
export interface WarmUp extends FirstCall {
  request: Pick<CaptureRequest, 'pipeline' | 'dge' | 'numerics'>;
}

/** Once compiles what is called, further times optimise it: the third still makes compiling the next program half as long. */
const TIMES = 3;
/** Compiling and scheduling cannot be interrupted, so a capture that is asked for meanwhile waits. This is for the first time, which is the slowest. */
const MOST_SIMULATE_MS = 300;
/** Of values, as `isCheap` estimates them. They can be interrupted, but they take processor time from other programs. */
const MOST_VALUES_MS = 500;
/** Kept by a worker that may wait for hours. */
const MOST_BYTES = 32 * 2 ** 20;

/** The first kernel call of a session; null when there is none, or it takes too much time or memory to be repeated. */
export function warmUpOf({ runs, firstCall, context }: HostSession): WarmUp | null {
  const [run] = runs;
  if (!run || !firstCall || firstCall.simulateMs > MOST_SIMULATE_MS || !isCheap(run.program, 1, MOST_VALUES_MS, MOST_BYTES)) return null;
  const { pipeline, dge } = context.options.request;
  return {
    ...firstCall,
    // a copy: sending a view sends its whole buffer
    payload: firstCall.payload.slice(),
    request: { pipeline, dge, numerics: run.hasValues ? 'on' : 'off' },
  };
}

/** Never throws: the same error is reported when the kernel is captured. */
export function runWarmUp(warmUp: WarmUp, backend: SimulatorBackend, interrupt: Interrupt): void {
  for (let time = 0; time < TIMES && interrupt.reason === 'none'; time++) carryOut(warmUp, backend, interrupt);
}

function carryOut({ request, call, payload, inputs }: WarmUp, backend: SimulatorBackend, interrupt: Interrupt): void {
  const refuse = () => {
    throw new Error('a warm-up has no files');
  };
  const session = new HostSession({
    request: { file: '', root: '', ...request },
    limits: DEFAULT_LIMITS,
    // the program says it
    target: '',
    paths: ownPaths,
    interrupt,
    backend,
    readFile: refuse,
    saveProfile: refuse,
    onProgress: () => {},
  });
  const zeros = inputs.map(({ dtype, shape }) =>
    session.context.arrays.external(dtype, shape, () => hostDtype(dtype).make(shape.reduce((product, size) => product * size, 1))),
  );
  session.handle({ header: { ...call, inputs: zeros }, payload });
  if (interrupt.reason === 'none') session.results();
}
