/**
 * Check: every instruction is a row of the table and exists on this generation, and its operands have a memory and a dtype that the row
 * allows.
 */
import { dtypes } from '../../vocabulary/dtypes';
import type { Space } from '../../vocabulary/spaces';
import type { CheckedProgram, CheckRule } from './checkedProgram';

const ON_CHIP: readonly Space[] = ['sbuf', 'psum'];

export function rows(checked: CheckedProgram): CheckRule {
  const { p } = checked;
  const operand = (i: number, o: number) => {
    const row = checked.row(i);
    const known = checked.operand(i, o);
    if (!known) throw checked.failAt(i, `${row.name} has no operand ${p.operands.slot[o]}`);
    const { name, rule } = known;
    const tensor = p.operands.tensor[o];
    const space = checked.space(tensor);
    const allowed = rule.spaces ?? ON_CHIP;
    if (!allowed.includes(space))
      throw checked.failAt(i, `${row.name}: ${name} (${checked.name(tensor)}) is in ${space}; it must be in ${allowed.join(' or ')}`);
    const type = dtypes[p.operands.dtype[o]];
    if (rule.dtypes && !rule.dtypes.includes(type.class) && !rule.dtypes.includes(type.name))
      throw checked.failAt(i, `${row.name}: ${name} has dtype ${type.name}; it must be ${rule.dtypes.join(' or ')}`);
  };
  return {
    instruction(i) {
      const operation = p.instructions.operation[i];
      const row = checked.rows[operation];
      if (!row) throw checked.failAt(i, `${p.operations[operation]} is not known to this version of NKI Scope`);
      const { generation, instructionSet } = checked.machine;
      if (!row.generations.includes(instructionSet))
        throw checked.failAt(i, `${row.name} does not exist on NeuronCore-${generation} (only on ${row.generations.join(', ')})`);
      const { operandStart } = p.instructions;
      for (let o = operandStart[i]; o < operandStart[i + 1]; o++) operand(i, o);
    },
  };
}
