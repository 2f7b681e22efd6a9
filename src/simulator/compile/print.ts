/** Machine code as text, one line per instruction, for goldens and bug reports. Nothing reads it back. */
import { DGE_MODES } from '../hardware/machine';
import { type Compiled, ENGINE_TRACKS } from './compiled';
import { DIRECTIONS } from './directions';
import { operandStrings } from './operands';

export function printCompiled(c: Compiled): string {
  const { strings, index } = operandStrings(c);
  const lines = Array.from(index, (text, i) => {
    const { track, opcode, issueNs, durationNs, transfer } = c.instructions;
    const cost = `${issueNs[i].toFixed(0)}/${durationNs[i].toFixed(0)} ns`;
    const moved = transfer[i] < 0 ? '' : `\n      ${printTransfer(c, transfer[i])}`;
    return `  ${i} ${ENGINE_TRACKS[track[i]]} ${c.opcodes[opcode[i]]} (${cost}) ${strings[text]}${moved}`;
  });
  return [`${c.machine.generation} ${c.pipeline}`, ...lines, ''].join('\n');
}

function printTransfer({ transfers: t, queues }: Compiled, k: number): string {
  const how = `${queues[t.queue[k]].name} ${DGE_MODES[t.mode[k]]} ${DIRECTIONS[t.direction[k]]}`;
  return `${how} ${t.bytes[k]} bytes in ${t.packets[k]} packets on engines ${t.engines[k].toString(2)}`;
}
