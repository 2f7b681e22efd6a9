/** A capture's task as `SimulatorClient` makes it, for tests of what carries it out. */
import type { CaptureRequest } from '../../src/simulator/service/api';
import type { CaptureTask } from '../../src/simulator/service/messages';

export const taskOf = (request: CaptureRequest): CaptureTask => ({ request, inputs: new Map(), env: {}, askedAt: Date.now() });
