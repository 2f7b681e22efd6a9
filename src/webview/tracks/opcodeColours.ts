/**
 * The colour of each opcode, the same in every profile and every run: a table, in the order of the style sheet's `--scope-opcode-N`.
 * Opcodes that do the same kind of work share a colour.
 */
import { OPCODE_COLOURS, SERIES } from '../render/theme';

/** A row per colour. Exact names; what no row has (a kernel that is called, an operation of torch) gets a colour by its letters. */
const OPCODES: readonly (readonly string[])[] = [
  ['DMA'],
  ['DMA_DIRECT2D', 'PSEUDO_DMA_TRIGGER', 'WRITE'],
  ['MATMUL'],
  ['LDWEIGHTS'],
  ['TRANSPOSE', 'STREAM_SHUFFLE', 'PARTITION_ALL_REDUCE', 'PSEUDO_TRIGGER_COLLECTIVE', 'PSEUDO_TRIGGER_COLLECTIVE_2'],
  ['ACTIVATE', 'ACTIVATE_TENSOR_TENSOR'],
  ['ACT_TABLE_LOAD'],
  ['TENSOR_SCALAR', 'TENSOR_SCALAR_REDUCE', 'TENSOR_SCALAR_CUMULATIVE'],
  ['TENSOR_TENSOR', 'SCALAR_TENSOR_TENSOR', 'TENSOR_TENSOR_SCAN'],
  ['TENSOR_REDUCE', 'BN_STATS', 'BN_AGGR', 'SELECT_REDUCE'],
  ['COPY', 'CAST', 'QUANTIZE_MX'],
  ['MEMSET', 'IOTA', 'RAND', 'RAND_GET_STATE', 'RAND_SET_STATE', 'DROPOUT'],
  ['RECIPROCAL', 'EXPONENTIAL'],
  ['AFFINE_SELECT', 'RANGE_SELECT', 'COPY_PREDICATED', 'MAX8', 'FIND_INDEX8', 'MATCH_REPLACE8', 'TOPK', 'GATHER', 'LOCAL_GATHER', 'NONZERO_WITH_COUNT', 'SEQUENCE_BOUNDS'],
  ['EVENT_SEMAPHORE', 'PSEUDO_CORE_BARRIER', 'CORE_BARRIER'],
  ['NOP', 'DRAIN', 'NOTIFY', 'MOVE', 'ALU_OP', 'TENSOR_LOAD', 'TENSOR_STORE', 'COMPARE_BRANCH', 'SET_ORDERING_MODE', 'EVENT_SEMAPHORE_RANGE_CLEAR', 'MODIFY_POOL_CONFIG'],
]; // biome-ignore format: a table

/** The last two are of waiting and of control: work of any name is none of them. */
const WORK_COLOURS = OPCODE_COLOURS - 2;

const known = new Map(OPCODES.flatMap((names, colour) => names.map(name => [name, colour])));

/**
 * Of each opcode of one profile, the index of its colour among the theme's series. Two names that letters give one colour are told apart as
 * long as there are colours that nothing else in the profile has: first those that take time, which are seen. The order of the names does
 * not matter: it is that of first use.
 */
export function opcodeSeries(opcodes: readonly string[], takesTime: (index: number) => boolean = () => true): number[] {
  const colours = new Map(opcodes.flatMap(opcode => (known.has(opcode) ? [[opcode, known.get(opcode)!]] : [])));
  const taken = new Set(colours.values());
  const unknown = (seen: boolean) => opcodes.filter((opcode, i) => !known.has(opcode) && takesTime(i) === seen).sort();
  for (const opcode of new Set([...unknown(true), ...unknown(false)])) {
    const first = byLetters(opcode);
    const turns = Array.from({ length: WORK_COLOURS }, (_, i) => (first + i) % WORK_COLOURS);
    const colour = turns.find(turn => !taken.has(turn)) ?? first;
    taken.add(colour);
    colours.set(opcode, colour);
  }
  return opcodes.map(opcode => SERIES + colours.get(opcode)!);
}

/** FNV-1a of the name. */
function byLetters(opcode: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < opcode.length; i++) hash = Math.imul(hash ^ opcode.charCodeAt(i), 0x01000193) >>> 0;
  return hash % WORK_COLOURS;
}
