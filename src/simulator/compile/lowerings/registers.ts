/**
 * Registers and hardware loops. The sequencer of the Sync engine stands for all: on the machine every engine that uses a register has its
 * own copy.
 */
import { READ, trackOf, WRITE } from '../compiled';
import type { CompileContext } from '../context';
import { given } from './indirect';

/** Those that access HBM or SBUF. */
const OF_MEMORY: readonly unknown[] = ['TENSOR_LOAD', 'TENSOR_STORE'];

export function register(c: CompileContext) {
  const opcode = c.attribute('opcode');
  const value = c.attribute('value');
  c.code.begin(trackOf(c.engine()), String(opcode), c.origin);
  for (const pattern of given(c, 'dst')) c.code.access(pattern, WRITE);
  for (const pattern of given(c, 'src')) c.code.access(pattern, READ);
  const { memoryNs, operationNs } = c.machine.registers;
  const takenNs = (OF_MEMORY.includes(opcode) ? memoryNs : operationNs).value;
  c.code.cost(takenNs, takenNs);
  c.code.words(value === undefined ? '' : `value=${value}`);
}
