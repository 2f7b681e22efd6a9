/** What the benches call, bundled by `build.mjs`. */
export { lines } from '../../src/simulator/analyze/lines';
export { Experiment } from '../../src/simulator/experiments/experiment';
export { jsonChunks } from '../../src/simulator/formats/json';
export { packNkiprof, unpackNkiprof } from '../../src/simulator/formats/nkiprof';
export { perfettoChunks } from '../../src/simulator/formats/perfetto/perfetto';
export { decodeProfile, encodeProfile } from '../../src/simulator/profile/codec';
export { schedule } from '../../src/simulator/schedule/schedule';
export { CaptureThreads } from '../../src/simulator/service/captureThreads';
export { SimulatorClient } from '../../src/simulator/service/client';
export { runPoints } from '../../src/simulator/service/sweeps/runPoints';
export { simulate } from '../../src/simulator/simulate';
export { plannedPoints, sweepPlan } from '../../src/simulator/variants/description';
export { ProgramBuilder } from '../../test/support/programs';
export { compile } from '../../test/support/stages';
export { exportProfile } from './exportProfile';
