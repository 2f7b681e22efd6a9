/** A collective in a program of one rank: of a group that is this rank alone it is the exchange of a rank with itself. */
import { ExecutionError } from '../errors';
import { exchange, memberOf } from '../exchanges';
import type { Step } from '../step';

export function alone(step: Step): void {
  const lists = step.attribute('replica_group') ?? step.attribute('source_target_pairs');
  const others = Array.isArray(lists) && lists.flat(1).some(rank => rank !== 0);
  if (others) throw new ExecutionError(`${step.row.name}: what other ranks have a part in is not known while one rank is recorded`);
  exchange([memberOf(0, step)]);
}
