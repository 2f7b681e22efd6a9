/** Check: a matrix product is inside one PSUM bank. It needs the address of the tile. */
import type { Machine } from '../../hardware/machine';
import { errorAt } from '../../program/error';
import type { Program } from '../../program/program';
import { dtype } from '../../vocabulary/dtypes';
import { type Allocation, type Compiled, READ, TENSOR_MATRIX } from '../compiled';
import type { Patterns } from '../patterns';

type Code = Pick<Compiled, 'instructions' | 'accesses'>;

/** @throws KernelError at the line of a product that runs from one bank into the next. */
export function checkBanks(program: Program, machine: Machine, patterns: Patterns, code: Code, allocation: Allocation) {
  const bankBytes = machine.psumBankBytes.value;
  // Where the widest product is wider than a bank, products may cover several.
  if (machine.maxMovingColumns.value * dtype('float32').sizeBytes > bankBytes) return;
  const { accessStart, track, origin } = code.instructions;
  for (let i = 0; i < track.length; i++) {
    if (track[i] !== TENSOR_MATRIX) continue;
    for (let a = accessStart[i]; a < accessStart[i + 1]; a++) {
      if (code.accesses.role[a] === READ) continue;
      const pattern = code.accesses.pattern[a];
      const tensor = patterns.tensor(pattern);
      const first = allocation.addressBytes[tensor] + patterns.offsetInPartition(pattern);
      const last = first + reachBytes(patterns, pattern);
      if (Math.floor(first / bankBytes) === Math.floor(last / bankBytes)) continue;
      throw errorAt(
        program,
        program.instructions.frame[origin[i]],
        `the product in ${patterns.name(tensor)} takes bytes ${first} to ${last} of each partition of PSUM; ` +
          `it must stay inside one bank of ${bankBytes} bytes`,
      );
    }
  }
}

/** From the first byte of the pattern inside a partition to its last. */
function reachBytes(patterns: Patterns, pattern: number): number {
  let elements = 0;
  for (let dim = 1; dim < patterns.dims(pattern); dim++)
    elements += Math.abs(patterns.strideOf(pattern, dim)) * (patterns.countOf(pattern, dim) - 1);
  return (elements + 1) * patterns.bytesOf(pattern) - 1;
}
