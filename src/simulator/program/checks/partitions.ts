/** Check of tensors on chip: only the first dimension has steps between partitions, and it has no more partitions than the memory. */
import type { CheckedProgram, CheckRule } from './checkedProgram';

export function partitions(checked: CheckedProgram): CheckRule {
  const { p, machine } = checked;
  const limit = machine.partitions.value;
  const { dimStart, dimStride, dimCount } = p.operands;

  const operand = (i: number, o: number) => {
    const tensor = p.operands.tensor[o];
    const first = dimStart[o];
    if (checked.space(tensor) === 'hbm' || first === dimStart[o + 1]) return;
    const fail = (message: string) => checked.failAt(i, `${checked.row(i).name}: ${message}`);
    const name = () => checked.operand(i, o).name;
    const perPartition = checked.rowElementsOf(o);
    if (dimCount[first] > limit) throw fail(`${name()} takes ${dimCount[first]} partitions; there are ${limit}`);
    if (dimCount[first] > 1 && dimStride[first] % perPartition !== 0)
      throw fail(`the first dimension of ${name()} must walk partitions of ${checked.name(tensor)}`);
    let reach = p.operands.offset[o] % perPartition;
    for (let d = first + 1; d < dimStart[o + 1]; d++) reach += Math.max(0, dimStride[d] * (dimCount[d] - 1));
    if (reach >= perPartition) throw fail(`free dimensions of ${name()} run from one partition of ${checked.name(tensor)} into the next`);
  };

  return {
    instruction(i) {
      const { operandStart } = p.instructions;
      for (let o = operandStart[i]; o < operandStart[i + 1]; o++) operand(i, o);
    },
  };
}
