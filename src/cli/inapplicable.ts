/**
 * Flags of `neuron-profile` and `neuron-explorer` that have no meaning for a simulated run, and why: so that a command line
 * people know by heart still works. Source of the flags: aws-neuron-sdk tools/neuron-explorer, archive/profiler.
 */
import type { InapplicableTable } from './options';

const NO_NEFF = 'the kernel runs from its Python source, there is no NEFF';
const DETERMINISTIC = 'a simulated run is the same every time, there is nothing to repeat or warm up';
const ALL_RANKS = 'all ranks are simulated and profiled, in one instance: --ranks N says how many';
const NO_DEVICE = 'no device takes part';
const NO_SYSTEM = 'the host and the runtime are not simulated, only recorded system profiles are read';
const NO_DATABASE = 'profiles are files, there is no database';

/** Commands of theirs, and what does their work here. */
export const COMMANDS_INAPPLICABLE: Readonly<Record<string, string>> = {
  inspect: 'it watches a program on a device; `run SCRIPT.py` runs one on the simulator, `capture` also writes its profiles',
  recommend: 'the checks of a kernel are printed by `capture`, with file and line',
  'show-session': 'a profile has no session beside it; `view -s FILE --output-format summary-text` says what is in it',
  upload: 'there is no server; a profile has its sources inside, and `--nki-source-root` names those of a capture',
};

export const CAPTURE_INAPPLICABLE: InapplicableTable = {
  '-n': { value: true, why: NO_NEFF },
  '--neff': { value: true, why: NO_NEFF },
  '--neff-path': { value: true, why: NO_NEFF },
  '--ignore-exec-errors': { why: 'a kernel with an error has no profile' },
  '--ignore-inference': { why: 'a kernel with an error has no profile' },
  '--num-exec': { value: true, why: DETERMINISTIC },
  '--profile-nth-exec': { value: true, why: DETERMINISTIC },
  '-t': { value: true, why: 'every capture records everything' },
  '--capture-type': { value: true, why: 'every capture records everything' },
  '--exec-mode': { value: true, why: NO_DEVICE },
  '--disable-profile': { why: 'use `run` for a run without a profile' },
  '--enable-dge-notifs': { why: 'every DMA is recorded' },
  '--single-io': { why: 'inputs and outputs take no device memory' },
  '--single-io-threshold': { value: true, why: 'inputs and outputs take no device memory' },
  '--save-output': { why: 'outputs are reported as checksums; save them from the script' },
  '--save-output-npy': { why: 'outputs are reported as checksums; save them from the script' },
  '--check-output-determinism': { why: DETERMINISTIC },
  '--collectives-worker-count': { value: true, why: ALL_RANKS },
  '--collectives-worker-start-id': { value: true, why: ALL_RANKS },
  '-i': { value: true, why: ALL_RANKS },
  '--collectives-profile-id': { value: true, why: ALL_RANKS },
  '--systrace-get-event-types': { why: NO_SYSTEM },
  '--systrace-event-filter': { value: true, why: NO_SYSTEM },
};

export const VIEW_INAPPLICABLE: InapplicableTable = {
  '--db-endpoint': { value: true, why: NO_DATABASE },
  '--db-org': { value: true, why: NO_DATABASE },
  '--db-bucket': { value: true, why: NO_DATABASE },
  '--enable-memory-tracker': { why: 'allocations are in every profile' },
  '--disable-ui': { why: 'name an --output-format to write instead of serving' },
  '--ignore-device-profile': { why: 'the kernel is all there is to see' },
  '--ignore-system-profile': { why: 'a system profile and a device profile are files of their own' },
  '-F': { value: true, why: 'a profile is shown whole' },
};
