/** Machine code as text, one line per instruction, for goldens and bug reports. Nothing reads it back. */

import { ENGINE_TRACKS } from '../vocabulary/engines';
import { DGE_MODES } from '../vocabulary/queues';
import type { Compiled } from './compiled';
import { DIRECTIONS } from './directions';
import { operandTable } from './operands/ofCompiled';
import { operandListText } from './operands/text';
import { semaphores, signals, waits } from './semaphores';
import { NO_SEMAPHORE, signalText, waitText } from './semaphoreText';

export function printCompiled(c: Compiled): string {
  const { table, index } = operandTable(c);
  const semaphoreParts = printSemaphores(c);
  const lines = Array.from(index, (list, i) => {
    const { track, opcode, issueNs, durationNs, transfer } = c.instructions;
    const cost = `${issueNs[i].toFixed(0)}/${durationNs[i].toFixed(0)} ns`;
    const moved = transfer[i] < 0 ? '' : `\n      ${printTransfer(c, transfer[i])}`;
    const operands = [...semaphoreParts[i], operandListText(table, list)].filter(Boolean).join(' ');
    return `  ${i} ${ENGINE_TRACKS[track[i]]} ${c.opcodes[opcode[i]]} (${cost}) ${operands}${moved}`;
  });
  return [`${c.machine.generation} ${c.pipeline}`, ...lines, ''].join('\n');
}

/** Per instruction: its waits, then its update. */
function printSemaphores(c: Compiled): string[][] {
  const table = semaphores(c);
  const raised = signals(c);
  const parts = Array.from(c.instructions.track, (): string[] => []);
  const { instruction, semaphore, value } = waits(c, raised, Uint32Array.from(parts.keys()));
  for (let w = 0; w < instruction.length; w++) parts[instruction[w]].push(waitText(table[semaphore[w]], value[w]));
  for (const [i, by] of raised.semaphore.entries()) if (by !== NO_SEMAPHORE) parts[i].push(signalText(table[by]));
  return parts;
}

function printTransfer({ transfers: t, queues }: Compiled, k: number): string {
  const how = `${queues[t.queue[k]].name} ${DGE_MODES[t.mode[k]]} ${DIRECTIONS[t.direction[k]]}`;
  return `${how} ${t.bytes[k]} bytes in ${t.packets[k]} packets on engines ${t.engines[k].toString(2)}`;
}
