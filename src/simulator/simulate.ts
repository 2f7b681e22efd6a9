/** Program -> Profile in one call: verify, compile, schedule, build. No values are computed. */
import { type CompileRequest, compile } from './compile/compile';
import { buildProfile } from './profile/build';
import type { Profile } from './profile/profile';
import type { Program } from './program/program';
import { verify } from './program/verify';
import { schedule } from './schedule/schedule';

export interface SimulateRequest extends CompileRequest {
  /** What the checks look at: a kernel over several cores is checked as a whole, with the first; null: nothing. Absent: the program. */
  verified?: Program | null;
  /** Called when a phase begins. */
  onPhase?(phase: 'compile' | 'schedule'): void;
}

/** @throws KernelError (program/error.ts) with file and line for what the machine cannot run. */
export function simulate(program: Program, { onPhase, verified = program, ...request }: SimulateRequest = {}): Profile {
  onPhase?.('compile');
  const checks = verified ? verify(verified) : [];
  const compiled = compile(program, request);
  onPhase?.('schedule');
  const profile = buildProfile(program, compiled, schedule(compiled));
  return { ...profile, checks: [...checks, ...profile.checks] };
}
