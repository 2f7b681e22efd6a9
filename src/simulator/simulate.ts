/** Program -> Profile in one call: verify, compile, schedule, build; of several cores side by side, too. No values are computed. */
import { type CompileRequest, compile } from './compile/compile';
import type { Compiled } from './compile/compiled';
import { races } from './compile/dependencies/races';
import { neuronPolicy } from './compile/neuronPolicy';
import type { Policy } from './compile/policy';
import type { CompileReport } from './compile/report';
import type { Machine } from './hardware/machine';
import { MACHINES } from './hardware/machines';
import { machineFor } from './hardware/targets';
import { buildProfile } from './profile/build';
import { eventOrder } from './profile/eventOrder';
import { type AcrossCores, type CorePlaces, joinCores } from './profile/joinCores';
import { withLikelyTime } from './profile/likelyTime';
import type { Profile } from './profile/profile';
import type { Program } from './program/program';
import { verify } from './program/verify';
import { type Core, scheduleTogether } from './schedule/schedule';
import type { Schedule } from './schedule/times';

/** The machine and compiler, and options. */
export interface SimulateRequest extends Partial<CompileRequest> {
  /** Absent: the machine of the program's target, and the policy that models the Neuron compiler. */
  machine?: Machine;
  policy?: Policy;
  /**
   * The program that is checked. A kernel over several cores is checked as a whole, together with its first core. null: no check. Absent:
   * the program itself.
   */
  verified?: Program | null;
  /** Of each core, its instructions that wait for the other cores: the k-th of each for one another. */
  coreBarriers?: readonly (readonly number[])[];
  /** Of each core, where its instructions stand in the whole program, by whose numbers the profile names them; absent: by the core's own. */
  places?: readonly CorePlaces[];
  /** Called with what the compiler did, core by core. */
  onReport?(report: CompileReport): void;
  /** Called when a phase begins. */
  onPhase?(phase: 'compile' | 'schedule'): void;
}

/** @throws KernelError (program/error.ts) with file and line for what the machine cannot run. */
export function simulate(program: Program, request: SimulateRequest = {}): Profile {
  return simulateCores([program], request);
}

/** One profile of all cores. @throws KernelError (program/error.ts) with file and line for what the machine cannot run. */
export function simulateCores(
  cores: readonly Program[],
  {
    onPhase,
    verified = cores[0],
    coreBarriers,
    places,
    machine = machineFor(cores[0].target),
    policy = neuronPolicy,
    ...request
  }: SimulateRequest = {},
): Profile {
  onPhase?.('compile');
  const checks = verified ? verify(verified, machine) : [];
  const compiled = cores.map((program, core) =>
    compile(program, { ...request, machine, policy, waitsForCores: waitsFor(coreBarriers, core) }),
  );
  onPhase?.('schedule');
  const together = withBarriers(compiled, coreBarriers);
  const times = scheduleTogether(together);
  const run = { bodyStartNs: Math.min(...times.map(t => t.bodyStartNs)), bodyEndNs: Math.max(...times.map(t => t.bodyEndNs)) };
  const clocked = times.map(own => ({ ...own, ...run }));
  const barriers = together.map(core => core.coreBarriers);
  const profile = profileOfCores(cores, compiled, clocked, { places, barriers, experiment: isExperiment(machine, policy) });
  const raced = cores.length > 1 ? races(cores.map((program, core) => ({ program, ...together[core] }))) : [];
  const checked = { ...profile, checks: [...checks, ...profile.checks, ...raced] };
  return isExperiment(machine, policy) ? checked : withLikelyTime(checked);
}

/** The profile of one core, or of all cores of a run together. */
export function profileOfCores(
  cores: readonly Program[],
  compiled: readonly Compiled[],
  times: readonly Schedule[],
  { places, barriers, experiment }: JoinOptions,
): Profile {
  const profiles = cores.map((program, core) => buildProfile(program, compiled[core], times[core], experiment));
  return profiles.length === 1 ? profiles[0] : joinCores(profiles, acrossCores(compiled, times), places, barriers);
}

export interface JoinOptions {
  places?: readonly CorePlaces[];
  /** Of each core, its machine instructions that wait for the other cores; absent: the run is not timed again. */
  barriers?: readonly (readonly number[])[];
  /** The machine or the policy is no real one. */
  experiment: boolean;
}

/** Nothing was measured on it. */
export const isExperiment = (machine: Machine, policy: Policy) => !MACHINES.includes(machine) || policy !== neuronPolicy;

/** By rows of the cores' profiles. */
function acrossCores(compiled: readonly Compiled[], times: readonly Schedule[]): AcrossCores[] {
  const orders = compiled.map(eventOrder);
  return times.flatMap(({ coreWaits = [] }, core) =>
    coreWaits.map(wait => ({
      core,
      instruction: orders[core].rename(wait.instruction),
      byCore: wait.core,
      by: orders[wait.core].rename(wait.event),
    })),
  );
}

/** Whether the core waits for the others anywhere. */
export const waitsFor = (coreBarriers: SimulateRequest['coreBarriers'], core: number) => (coreBarriers?.[core]?.length ?? 0) > 0;

/** With the machine instructions that the waiting ones were lowered to; what a compiler has left out in one core holds up none. */
export function withBarriers(
  compiled: readonly Compiled[],
  coreBarriers: SimulateRequest['coreBarriers'] = [],
): (Core & { compiled: Compiled })[] {
  const found = compiled.map((code, core) => firstOf(code, coreBarriers[core] ?? []));
  const kept = (_: number, k: number) => found.every(own => own[k] >= 0);
  return compiled.map((code, core) => ({ compiled: code, coreBarriers: found[core].filter(kept) }));
}

/** The first machine instruction of each of these, or -1. */
function firstOf({ instructions: { origin } }: Compiled, wanted: readonly number[]): number[] {
  const first = new Map(wanted.map(i => [i, -1]));
  for (let i = origin.length - 1; i >= 0; i--) if (first.has(origin[i])) first.set(origin[i], i);
  return wanted.map(i => first.get(i)!);
}
