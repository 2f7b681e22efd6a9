/**
 * Groups of opcodes that Neuron's metrics treat apart. Source: the Summary table of the Neuron Explorer schema (total_exec_time);
 * that waiting is not busy time: checked against the summaries recorded in four Trn2 captures.
 */

/** Start-up and tear-down: they do not begin or end a kernel's execution. */
const SETUP: ReadonlySet<string> = new Set([
  'NOP',
  'SET_ORDERING_MODE',
  'EVENT_SEMAPHORE',
  'EVENT_SEMAPHORE_RANGE_CLEAR',
  'CORE_BARRIER',
  'NOTIFY',
  'COMPARE_BRANCH',
  'DRAIN',
  'WRITE',
  'TENSOR_LOAD',
  'MODIFY_POOL_CONFIG',
]);

export const isSetup = (opcode: string) => SETUP.has(opcode);
/** Its duration is a wait, for a semaphore or (a slice of a capture) for the other core: the engine is idle. */
export const isWaiting = (opcode: string) => opcode === 'EVENT_SEMAPHORE' || opcode === 'CORE_BARRIER';
export const isActivate = (opcode: string) => opcode.startsWith('ACTIVATE');
