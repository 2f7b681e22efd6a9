/**
 * Late fills: a tile on chip is filled with a number right before its next use, so that it takes no space before that. For kernels that spill:
 * blocked products whose sums are all filled first move each sum to HBM and back once on hardware, where the fill would be saved, too
 * (yahavb/trainium-agent-labs at 815b883, skywalker-kerneltune/results: bytes and transfers of each kernel).
 */
import { type Compiled, WRITE } from '../compiled';
import { HBM, type Patterns } from '../patterns';

type Code = Pick<Compiled, 'opcodes' | 'instructions' | 'accesses'>;

/** @param given instructions in their order @returns the same, each fill before the next one that touches its tile; those that nothing follows come last. */
export function lateFills(patterns: Patterns, { opcodes, instructions, accesses }: Code, given: Uint32Array): Uint32Array {
  const { accessStart, opcode } = instructions;
  const memset = opcodes.indexOf('MEMSET');
  const tensorsOf = (i: number) =>
    Array.from(accesses.pattern.subarray(accessStart[i], accessStart[i + 1]), pattern => patterns.tensor(pattern));
  /** By tensor: fills that wait for its next use. */
  const waiting = new Map<number, number[]>();
  const order: number[] = [];
  for (const i of given) {
    const tensors = tensorsOf(i);
    const mayWait = opcode[i] === memset && tensors.length === 1 && accesses.role[accessStart[i]] === WRITE;
    if (mayWait && patterns.space(tensors[0]) !== HBM && !patterns.addressed(tensors[0])) {
      const fills = waiting.get(tensors[0]);
      if (fills) fills.push(i);
      else waiting.set(tensors[0], [i]);
      continue;
    }
    for (const tensor of tensors) {
      order.push(...(waiting.get(tensor) ?? []));
      waiting.delete(tensor);
    }
    order.push(i);
  }
  return Uint32Array.from([...order, ...[...waiting.values()].flat()]);
}
