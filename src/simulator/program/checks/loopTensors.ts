/**
 * Tensors that are made in the body of a hardware loop (`nl.fori_loop`, `nl.while_loop`) and used after it. The NKI compiler does not
 * accept them (nki/migration/index.rst, "0.6.0"). The body is a separate function: its frames are children of the frame with the line of
 * the loop.
 */
import { HARDWARE_LOOP } from '../../vocabulary/registerOpcodes';
import { instructionCount } from '../program';
import type { CheckedProgram, CheckRule, Warnings } from './checkedProgram';

export function loopTensors(checked: CheckedProgram, warnings: Warnings): CheckRule {
  const { p } = checked;
  const loop = p.operations.indexOf(HARDWARE_LOOP);
  if (loop < 0 || p.dialect !== 'nki') return {};
  const { operation, frame, operandStart } = p.instructions;
  const isLoop = new Uint8Array(p.frames.parent.length);
  for (let i = 0; i < instructionCount(p); i++) if (operation[i] === loop) isLoop[frame[i]] = 1;
  /** By frame: the innermost line of a loop above it, or -1. */
  const loopAbove = new Int32Array(p.frames.parent.length).fill(-1);
  // callers come before the functions that they call
  for (let f = 0; f < loopAbove.length; f++) {
    const parent = p.frames.parent[f];
    if (parent >= 0) loopAbove[f] = isLoop[parent] ? parent : loopAbove[parent];
  }
  const isBelow = (f: number, line: number) => {
    for (let above = loopAbove[f]; above >= 0; above = loopAbove[above]) if (above === line) return true;
    return false;
  };
  return {
    instruction(i) {
      for (let o = operandStart[i]; o < operandStart[i + 1]; o++) {
        const tensor = p.operands.tensor[o];
        const home = loopAbove[p.tensors.frame[tensor]];
        if (home < 0 || isBelow(frame[i], home)) continue;
        const made = `${checked.name(tensor)} (line ${checked.allocationLine(tensor)})`;
        const text = `${made} is made in the body of the loop on line ${p.frames.line[home]} and used behind it, which the NKI compiler does not take: make it before the loop`;
        warnings.add(frame[i], text);
      }
    },
  };
}
