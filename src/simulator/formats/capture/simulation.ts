/**
 * The fields of a simulated profile for formats whose tables do not have them: its accuracy statement, target and pipeline. They are
 * written as a text beside the tables, and checked with the profile when they are read (`build.ts`).
 */

import { TARGETS } from '../../hardware/targets';
import type { Profile } from '../../profile/profile';
import { PIPELINES } from '../../vocabulary/pipelines';
import type { Simulation } from './rows';
import { asText } from './values';

/** Key of the JSON text in the footer of a Parquet file (`Metadata.parquet`). */
export const SIMULATION_KEY = 'nki_scope.simulation';

/** null for a recording. */
export const simulationOf = ({ simulated, accuracy, target, pipeline, dialect }: Profile): Required<Simulation> | null =>
  simulated ? { accuracy, target, pipeline, dialect } : null;

/** The valid fields of a file's value. Damaged fields and those of later versions are ignored. */
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

/** As `readSimulation`, from JSON text. */
export function parseSimulation(json: string): Simulation {
  try {
    return readSimulation(JSON.parse(json));
  } catch {
    return {};
  }
}
