/**
 * Registers and hardware loops. The sequencer of the Sync engine stands for all: on the machine every engine that uses a register has its
 * own copy.
 */
import type { Fact } from '../../hardware/facts';
import type { Machine } from '../../hardware/machine';
import { accessesMemory, BRANCH } from '../../vocabulary/registerOpcodes';
import { READ, trackOf, WRITE } from '../compiled';
import type { CompileContext } from '../context';
import { given } from './indirect';

export function register(c: CompileContext) {
  const opcode = String(c.attribute('opcode'));
  const value = c.attribute('value');
  c.code.begin(trackOf(c.engine()), opcode, c.origin);
  for (const pattern of given(c, 'dst')) c.code.access(pattern, WRITE);
  for (const pattern of given(c, 'src')) c.code.access(pattern, READ);
  const takenNs = timeOf(opcode, c.machine).value;
  c.code.cost(takenNs, takenNs);
  c.code.words(value === undefined ? '' : `value=${value}`);
}

function timeOf(opcode: string, { registers }: Machine): Fact {
  if (opcode === BRANCH) return registers.turnNs;
  return accessesMemory(opcode) ? registers.memoryNs : registers.operationNs;
}
