/**
 * Registers and hardware loops. The sequencer of the Sync engine stands for all: on the machine every engine that uses a register has its
 * own copy.
 */
import { accessesMemory } from '../../vocabulary/registerOpcodes';
import { READ, trackOf, WRITE } from '../compiled';
import type { CompileContext } from '../context';
import { given } from './indirect';

export function register(c: CompileContext) {
  const opcode = String(c.attribute('opcode'));
  const value = c.attribute('value');
  c.code.begin(trackOf(c.engine()), opcode, c.origin);
  for (const pattern of given(c, 'dst')) c.code.access(pattern, WRITE);
  for (const pattern of given(c, 'src')) c.code.access(pattern, READ);
  const { memoryNs, operationNs, turnNs } = c.machine.registers;
  const takenNs = (accessesMemory(opcode) ? memoryNs : opcode === 'COMPARE_BRANCH' ? turnNs : operationNs).value;
  c.code.cost(takenNs, takenNs);
  c.code.words(value === undefined ? '' : `value=${value}`);
}
