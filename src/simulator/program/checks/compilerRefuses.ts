/** Calls that run here and that today's NKI compiler refuses: the list is `isa/constraints.ts`'s. */
import { type Refused, refusedByCompiler } from '../../isa/constraints';
import type { Facts, Rule, Warnings } from './facts';

export function compilerRefuses(facts: Facts, warnings: Warnings): Rule {
  const { p } = facts;
  if (p.dialect !== 'nki') return {};
  const byOperation = p.operations.map(name => refusedByCompiler.find(refused => refused.row === name));
  const applies = (i: number, { numberFor, without }: Refused) => {
    if (numberFor) return facts.find(i, numberFor) < 0;
    return without ? facts.attribute(i, without) !== true : true;
  };
  return {
    instruction(i) {
      const refused = byOperation[p.instructions.operation[i]];
      if (!refused || !applies(i, refused)) return;
      const how = refused.numberFor ? ' with a number' : refused.without ? ` without ${refused.without}=True` : '';
      warnings.add(p.instructions.frame[i], `the NKI compiler does not take ${refused.row}${how}: ${refused.instead}`);
    },
  };
}
