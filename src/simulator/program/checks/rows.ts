/** Every instruction is a row of the table, exists on this generation, and its operands lie where the row allows, in a dtype it takes. */
import { dtypes } from '../../vocabulary/dtypes';
import type { Space } from '../../vocabulary/spaces';
import type { Facts, Rule } from './facts';

const ON_CHIP: readonly Space[] = ['sbuf', 'psum'];

export function rows(facts: Facts): Rule {
  const { p } = facts;
  const operand = (i: number, o: number) => {
    const row = facts.row(i);
    const known = facts.operand(i, o);
    if (!known) throw facts.failAt(i, `${row.name} has no operand ${p.operands.slot[o]}`);
    const { name, rule } = known;
    const tensor = p.operands.tensor[o];
    const space = facts.space(tensor);
    const allowed = rule.spaces ?? ON_CHIP;
    if (!allowed.includes(space))
      throw facts.failAt(i, `${row.name}: ${name} (${facts.name(tensor)}) is in ${space}; it must be in ${allowed.join(' or ')}`);
    const type = dtypes[p.operands.dtype[o]];
    if (rule.dtypes && !rule.dtypes.includes(type.class) && !rule.dtypes.includes(type.name))
      throw facts.failAt(i, `${row.name}: ${name} has dtype ${type.name}; it must be ${rule.dtypes.join(' or ')}`);
  };
  return {
    instruction(i) {
      const operation = p.instructions.operation[i];
      const row = facts.rows[operation];
      if (!row) throw facts.failAt(i, `${p.operations[operation]} is not known to this version of NKI Scope`);
      const { generation, instructionSet } = facts.machine;
      if (!row.generations.includes(instructionSet))
        throw facts.failAt(i, `${row.name} does not exist on NeuronCore-${generation} (only on ${row.generations.join(', ')})`);
      const { operandStart } = p.instructions;
      for (let o = operandStart[i]; o < operandStart[i + 1]; o++) operand(i, o);
    },
  };
}
