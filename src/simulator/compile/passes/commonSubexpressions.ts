/**
 * Common subexpressions: computation the compiler hoists out of a rewritten kernel's loops: an instruction that reads the very tiles an earlier
 * one read, with the same operation, is computed once, where nothing wrote them since and nothing else writes the result. Two calibration
 * rows show it: mamba1-256 multiplies tiles that each iteration loads anew and pays for every product; mamba3-scale-*
 * multiplies tiles loaded outside its loop and takes less time than its products alone.
 */
import { type Compiled, READ, TENSOR_MATRIX } from '../compiled';
import { HBM, type Patterns } from '../patterns';

type Code = Pick<Compiled, 'instructions' | 'accesses' | 'transfers'>;

/** Makes users of a repeated result read the first. @returns instructions that stay, in their order. */
export function shareSubexpressions(patterns: Patterns, code: Code): Uint32Array {
  const writes = new Uint32Array(patterns.tensors);
  const { accessStart, track } = code.instructions;
  for (let a = 0; a < code.accesses.pattern.length; a++)
    if (code.accesses.role[a] !== READ) writes[patterns.tensor(code.accesses.pattern[a])]++;
  const first = new Map<string, number>();
  const instead = new Map<number, number>();
  const dropped = new Set<number>();
  /** By tensor: writes so far. */
  const versions = new Uint32Array(patterns.tensors);
  for (let i = 0; i < track.length; i++) {
    const result = resultOf(patterns, code, i, writes);
    const key = result < 0 ? '' : describe(patterns, code, i, versions, instead);
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++)
      if (code.accesses.role[a] !== READ) versions[patterns.tensor(code.accesses.pattern[a])]++;
    if (result < 0) continue;
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, result);
      continue;
    }
    instead.set(result, earlier);
    dropped.add(i);
  }
  if (instead.size > 0) for (let a = 0; a < accessStart[track.length]; a++) patterns.move(code.accesses.pattern[a], instead);
  return Uint32Array.from({ length: track.length }, (_, i) => i).filter(i => !dropped.has(i));
}

/** The tensor that the instruction alone writes, from others; -1 when it is not like that. */
function resultOf(patterns: Patterns, { instructions, accesses }: Code, i: number, writes: Uint32Array): number {
  // The weights of a MATMUL are in the PE array, not among its operands.
  if (instructions.transfer[i] >= 0 || instructions.track[i] <= TENSOR_MATRIX) return -1;
  let result = -1;
  let reads = 0;
  for (let a = instructions.accessStart[i]; a < instructions.accessStart[i + 1]; a++) {
    const tensor = patterns.tensor(accesses.pattern[a]);
    if (patterns.space(tensor) === HBM || patterns.addressed(tensor)) return -1;
    if (accesses.role[a] === READ) reads++;
    else if (result >= 0 || writes[tensor] !== 1) return -1;
    else result = tensor;
  }
  return reads > 0 ? result : -1;
}

/** Operation, whichever engine does it, what it reads and where its result lies in a tensor of which kind, as text. */
function describe(
  patterns: Patterns,
  { instructions, accesses }: Code,
  i: number,
  versions: Uint32Array,
  instead: ReadonlyMap<number, number>,
): string {
  let key = `${instructions.opcode[i]} ${instructions.detail[i]}`;
  for (let a = instructions.accessStart[i]; a < instructions.accessStart[i + 1]; a++) {
    const pattern = accesses.pattern[a];
    const tensor = patterns.tensor(pattern);
    const who = accesses.role[a] === READ ? `${instead.get(tensor) ?? tensor} ${versions[tensor]}` : patterns.describeKind(tensor);
    key += ` | ${who} ${patterns.describeWalk(pattern)}`;
  }
  return key;
}
