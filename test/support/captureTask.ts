/** A capture's task as `SimulatorClient` makes it, for tests of what carries it out. */

import type { CaptureTask } from '../../src/simulator/service/messages';
import type { CaptureRequest } from '../../src/simulator/session/capture';

export const taskOf = (request: CaptureRequest): CaptureTask => ({ request, inputs: new Map(), env: {}, askedAt: Date.now() });
