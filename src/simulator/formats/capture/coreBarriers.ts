/**
 * Barriers of the cores of a logical NeuronCore as slices, on a row for each engine beside its instructions: the engine is idle in them, and
 * the instructions that carry them out stand on its own row.
 */
import { type CapturedInstruction, engineName, NO_SOURCE, NOT_OURS } from './rows';
import { type FileRow, optionalNumber, type span, text } from './values';

/** Opcode of the slices: the name of the table. */
export const CORE_BARRIER = 'CORE_BARRIER';

/** @param place of the row in its table */
export function coreBarrier(row: FileRow, place: number, times: ReturnType<typeof span>, core: number): CapturedInstruction {
  const label = `${engineName(text(row, 'engine_name')) || 'Core'} barriers`;
  const semaphore = text(row, 'semaphore');
  const operands = text(row, 'compiler_operands');
  return {
    ...times,
    id: `barrier ${text(row, 'id')} ${place}`,
    waitNs: 0,
    // of no engine: it is no time of one
    engine: label,
    label,
    core,
    opcode: CORE_BARRIER,
    operands: operands === '' && semaphore !== '' ? `semaphore=${semaphore}` : operands,
    pc: optionalNumber(row, 'compiler_pc') ?? -1,
    flops: 0,
    source: NO_SOURCE,
    predecessors: [],
    reason: null,
    own: NOT_OURS,
  };
}
