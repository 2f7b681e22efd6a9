/** Check: access patterns stay inside their tensors. */
import type { CheckedProgram, CheckRule } from './checkedProgram';

export function bounds(checked: CheckedProgram): CheckRule {
  const { operands, instructions } = checked.p;
  const operand = (i: number, o: number) => {
    let low = operands.offset[o];
    let high = low;
    for (let d = operands.dimStart[o]; d < operands.dimStart[o + 1]; d++) {
      const reach = operands.dimStride[d] * (operands.dimCount[d] - 1);
      if (operands.dimCount[d] === 0) return;
      if (reach > 0) high += reach;
      else low += reach;
    }
    const tensor = operands.tensor[o];
    const size = checked.elementsOf(o);
    if (low >= 0 && high < size) return;
    const { name } = checked.operand(i, o);
    throw checked.failAt(
      i,
      `${checked.row(i).name}: ${name} reaches elements ${low}..${high} of ${checked.name(tensor)}, which has ${size}`,
    );
  };
  return {
    instruction(i) {
      for (let o = instructions.operandStart[i]; o < instructions.operandStart[i + 1]; o++) operand(i, o);
    },
  };
}
