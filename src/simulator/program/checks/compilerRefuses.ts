/** Calls that run here but that today's NKI compiler refuses. `isa/constraints.ts` has the list. */
import { type Refused, refusedByCompiler } from '../../isa/constraints';
import type { CheckedProgram, CheckRule, Warnings } from './checkedProgram';

export function compilerRefuses(checked: CheckedProgram, warnings: Warnings): CheckRule {
  const { p } = checked;
  if (p.dialect !== 'nki') return {};
  const byOperation = p.operations.map(name => refusedByCompiler.find(refused => refused.row === name));
  const applies = (i: number, refused: Refused) => {
    if (refused.numberFor) return checked.find(i, refused.numberFor) < 0;
    if (refused.lastAxesOf) return !areLast(checked.attribute(i, 'axis'), dimensions(checked.find(i, refused.lastAxesOf)));
    if (refused.dtypesDiffer) return dtype(i, refused.dtypesDiffer[0]) !== dtype(i, refused.dtypesDiffer[1]);
    if (refused.with) return checked.attribute(i, refused.with) === true;
    return refused.without ? checked.attribute(i, refused.without) !== true : true;
  };
  const dimensions = (o: number) => p.operands.dimStart[o + 1] - p.operands.dimStart[o];
  const dtype = (i: number, name: string) => p.operands.dtype[checked.find(i, name)];
  return {
    instruction(i) {
      const refused = byOperation[p.instructions.operation[i]];
      if (!refused || !applies(i, refused)) return;
      const how = manner(refused, checked.attribute(i, 'axis'));
      warnings.add(p.instructions.frame[i], `the NKI compiler does not take ${refused.row}${how}: ${refused.instead}`);
    },
  };
}

function manner({ numberFor, without, with: given, lastAxesOf, dtypesDiffer }: Refused, axes: unknown): string {
  if (dtypesDiffer) return ` with ${dtypesDiffer.join(' and ')} of different dtypes`;
  if (numberFor) return ' with a number';
  if (lastAxesOf) return ` with axis=${axes}`;
  if (given) return ` with ${given}=True`;
  return without ? ` without ${without}=True` : '';
}

/** Whether ascending axes are the last ones of so many dimensions, without a gap. No axes means all axes. */
function areLast(axes: unknown, dimensions: number): boolean {
  return !Array.isArray(axes) || axes.every((axis, k) => axis === dimensions - axes.length + k);
}
