/** Program -> Profile in one call: verify, compile, schedule, build. No values are computed. */
import { type CompileRequest, compile } from './compile/compile';
import { buildProfile } from './profile/build';
import type { Profile } from './profile/profile';
import type { Program } from './program/program';
import { verify } from './program/verify';
import { schedule } from './schedule/schedule';

export interface SimulateRequest extends CompileRequest {
  /** Called when a phase begins. */
  onPhase?(phase: 'compile' | 'schedule'): void;
}

/** @throws KernelError (program/error.ts) with file and line for what the machine cannot run. */
export function simulate(program: Program, { onPhase, ...request }: SimulateRequest = {}): Profile {
  onPhase?.('compile');
  const checks = verify(program);
  const compiled = compile(program, request);
  onPhase?.('schedule');
  const profile = buildProfile(program, compiled, schedule(compiled));
  return { ...profile, checks: [...checks, ...profile.checks] };
}
