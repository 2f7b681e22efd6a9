/**
 * Engines reach partitions in groups: a tile starts at partition 0, 32, 64 or 96, one of more than 32 partitions at 0 or 64,
 * one of more than 64 at 0 (`startPartitionGrain`). The rule does not apply
 * to DMA engines. Violations are warnings, because the compiler may place the tensor so that the rule holds, or make a copy.
 */
import { startPartitionGrain } from '../../hardware/machine';
import type { CheckedProgram, CheckRule, Warnings } from './checkedProgram';

export function startPartition(checked: CheckedProgram, warnings: Warnings): CheckRule {
  const { p, machine } = checked;
  const limit = machine.partitions.value;
  const byDma = checked.rows.map(row => row?.engines[0] === 'Sync');

  const operand = (i: number, o: number) => {
    const tensor = p.operands.tensor[o];
    const start = Math.floor(p.operands.offset[o] / checked.rowElementsOf(o));
    if (start === 0 || checked.space(tensor) === 'hbm') return;
    const count = checked.partitions(o);
    const grain = startPartitionGrain(machine, count);
    if (start % grain === 0) return;
    const { name } = checked.operand(i, o);
    const allowed = Array.from({ length: limit / grain }, (_, k) => k * grain).join(', ');
    warnings.add(
      p.instructions.frame[i],
      `${checked.row(i).name}: ${name} takes partitions ${start} to ${start + count - 1} of ${checked.name(tensor)}; ` +
        `engines reach ${count} ${count === 1 ? 'partition' : 'partitions'} from partition ${allowed} only`,
      `${name} start`,
    );
  };

  return {
    instruction(i) {
      if (byDma[p.instructions.operation[i]]) return;
      const { operandStart } = p.instructions;
      for (let o = operandStart[i]; o < operandStart[i + 1]; o++) operand(i, o);
    },
  };
}
