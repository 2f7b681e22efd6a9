/** What a run is at, in a word. */
import type { CapturePhase } from '../simulator/index';

export const PHASES: Record<CapturePhase, string> = {
  start: 'starting Python',
  trace: 'recording',
  compile: 'lowering',
  execute: 'computing values',
  schedule: 'timing',
  script: 'the script goes on',
};
