/** Lowers all instructions of a program, one after the other. `lowerings/` has the lowering of each row. */
import { errorAt } from '../program/error';
import { instructionCount } from '../program/program';
import { AskedOrder } from './askedOrder';
import type { CompileContext } from './context';
import { LoopTurns } from './loopTurns';
import { lowerings } from './lowerings';
import { broadcastOperands, findRepeatedRows } from './lowerings/broadcast';
import { enterUsing, type PsumUses } from './passes/psumUses';

/**
 * @param uses which rows are left out or changed on the way.
 * @throws KernelError at the line of a row that has no lowering, or cannot be lowered.
 */
export function lower(context: CompileContext, uses: PsumUses): CompileContext {
  const count = instructionCount(context.program);
  const order = new AskedOrder(context);
  const turns = new LoopTurns(context);
  findRepeatedRows(context);
  for (let i = 0; i < count; i++) {
    if (!enterUsing(context, uses, i)) continue;
    const { row } = context;
    const lowering = lowerings[row.lower];
    if (!lowering) throw errorAt(context.program, context.frame, `${row.name} cannot be compiled by this version of NKI Scope`);
    broadcastOperands(context);
    order.before();
    turns.before();
    lowering(context);
    order.after(i);
    turns.after();
  }
  return context;
}
