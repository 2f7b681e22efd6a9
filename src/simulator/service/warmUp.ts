/**
 * A worker that waits for its capture runs the kernel of the last capture again and drops the results. The next capture is usually of the
 * same kernel, slightly changed, and the simulator's code is then compiled and optimised. The warm-up handles the message that the last
 * capture sent over the wire, with zeros as inputs. Sessions share no state, so results do not change.
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

/** The first run compiles the code, later runs optimise it: the third one still halves the time to compile the next program. */
const TIMES = 3;
/**
 * Compiling and scheduling cannot be interrupted, so a capture that is requested meanwhile waits. The limit is for the first run, which
 * is the slowest.
 */
const MOST_SIMULATE_MS = 300;
/** Limit for values, as `isCheap` estimates them. They can be interrupted, but take processor time from other programs. */
const MOST_VALUES_MS = 500;
/** A worker may keep them for hours. */
const MOST_BYTES = 32 * 2 ** 20;

/** The first kernel call of a session; null if there is none, or if repeating it takes too much time or memory. */
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

/** Never throws: an error is reported when the kernel is captured. */
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
