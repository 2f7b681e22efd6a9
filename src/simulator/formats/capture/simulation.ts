/**
 * What a simulated profile says of itself in formats whose tables have no field for it: how far its times can be trusted, and for what it was
 * compiled. Written as a text beside the tables, and read back; checked like all else when the profile is made (`build.ts`).
 */

import { TARGETS } from '../../hardware/targets';
import type { Profile } from '../../profile/profile';
import { PIPELINES } from '../../vocabulary/pipelines';
import type { Simulation } from './rows';
import { asText } from './values';

/** Of the text in the footer of a Parquet file (`Metadata.parquet`), in JSON. */
export const SIMULATION_KEY = 'nki_scope.simulation';

/** null for a recording. */
export const simulationOf = ({ simulated, accuracy, target, pipeline, dialect }: Profile): Required<Simulation> | null =>
  simulated ? { accuracy, target, pipeline, dialect } : null;

/** As a file has it; of damaged values, and of those of later versions, what is understood. */
export function readSimulation(value: unknown): Simulation {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const [accuracy, target, dialect] = ['accuracy', 'target', 'dialect'].map(name => asText(given[name]));
  const pipeline = PIPELINES.find(name => name === given.pipeline);
  return {
    ...(accuracy && { accuracy }),
    ...(TARGETS.includes(target) && { target }),
    ...(pipeline && { pipeline }),
    ...(dialect && { dialect }),
  };
}

/** As `readSimulation`, of its JSON. */
export function parseSimulation(json: string): Simulation {
  try {
    return readSimulation(JSON.parse(json));
  } catch {
    return {};
  }
}
