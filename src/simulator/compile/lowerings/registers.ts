/**
 * Registers and hardware loops. The sequencer of the Sync engine stands for all: on the machine every engine that uses a register has its
 * own copy. No public measurement of these instructions exists. Each takes as long as a one-element instruction of GpSimd (assumed).
 */
import { type CompileContext, NONE } from '../context';

export function register(c: CompileContext) {
  const given = (name: string) => [c.operand(name)].filter(pattern => pattern !== NONE);
  const value = c.attribute('value');
  c.emit({
    engine: c.engine(),
    opcode: String(c.attribute('opcode')),
    rule: 'gpsimd',
    writes: given('dst'),
    reads: given('src'),
    before: value === undefined ? '' : `value=${value}`,
  });
}
