/** Lowerings of index patterns, gathers, moves between partitions, random numbers and barriers. */
import { type CompileContext, NONE } from '../context';

export function iota(c: CompileContext) {
  const words = `pattern=${JSON.stringify(c.attribute('pattern') ?? [])} offset=${c.attribute('offset') ?? 0}`;
  c.emit({ engine: 'GpSimd', opcode: 'IOTA', rule: 'gpsimd', writes: [c.operand('dst')], reads: [], before: words });
}

/** Bytes of a word that GpSimd moves at once. */
const WORD_BYTES = 4;

/** `elements` one after another at each of `indices` indices; narrow ones move several at a time. */
function emitGather(c: CompileContext, source: number, index: number, indices: number, elements: number, opcode: string) {
  const together = Math.min(WORD_BYTES / c.patterns.bytesOf(source), elements);
  const cycles = (indices * (c.machine.gatherIndexCycles.value + elements)) / together;
  c.emit({ engine: 'GpSimd', opcode, rule: 'gpsimdGather', writes: [c.operand('dst')], reads: [source, index], elements: cycles });
}

export function gather(c: CompileContext) {
  const index = c.operand('indices');
  emitGather(c, c.operand('data'), index, c.patterns.freeElements(index), 1, 'GATHER');
}

export function localGather(c: CompileContext) {
  const [indices, elements] = [Number(c.attribute('num_valid_indices')), Number(c.attribute('num_elem_per_idx'))];
  emitGather(c, c.operand('src_buffer'), c.operand('index'), indices, elements, 'LOCAL_GATHER');
}

export function streamShuffle(c: CompileContext) {
  const reads = [c.operand('src')];
  c.emit({ engine: 'Vector', opcode: 'STREAM_SHUFFLE', rule: 'vectorCopy', writes: [c.operand('dst')], reads });
}

export function sequenceBounds(c: CompileContext) {
  const reads = [c.operand('segment_ids')];
  c.emit({ engine: 'GpSimd', opcode: 'SEQUENCE_BOUNDS', rule: 'gpsimd', writes: [c.operand('dst')], reads });
}

export function random(c: CompileContext) {
  const engine = c.engine();
  const reads = [c.operand('min'), c.operand('max')].filter(pattern => pattern !== NONE);
  c.emit({ engine, opcode: 'RAND', rule: engine === 'GpSimd' ? 'gpsimd' : 'vectorCopy', writes: [c.operand('dst')], reads });
}

/** Into or out of the generators of an engine. */
export function randomState(c: CompileContext) {
  const engine = c.engine();
  const reads = [c.operand('src_seeds'), c.operand('seed')].filter(pattern => pattern !== NONE);
  const writes = [c.operand('dst')].filter(pattern => pattern !== NONE);
  const opcode = writes.length > 0 ? 'RAND_GET_STATE' : 'RAND_SET_STATE';
  c.emit({ engine, opcode, rule: engine === 'GpSimd' ? 'gpsimd' : 'vectorCopy', writes, reads });
}

/**
 * Waits for earlier writes to the shared tensor. Later uses of the tensor wait for this instruction, because the other core has written
 * it by then.
 */
export function barrier(c: CompileContext) {
  const data = c.operand('data');
  c.emit({ engine: c.engine(), opcode: 'PSEUDO_CORE_BARRIER', rule: 'gpsimd', writes: [data], reads: [data], elements: 1 });
}
