/** Refuses a kernel whose DMAs have more packets than a profile can hold, before it is scheduled, and says which line moves most of them. */
import type { Compiled } from '../compile/compiled';
import { errorAt, type KernelError } from '../program/error';
import type { Program } from '../program/program';
import { countTurns, partTurns } from './parts';

/** Turns of DMA engines in one profile: 25 bytes each, of the 2 GiB that a message may have (frontend/wire.ts). */
export const MOST_TURNS = 64_000_000;

/** @throws KernelError */
export function checkTurns(programs: readonly Program[], compiled: readonly Compiled[], most = MOST_TURNS): void {
  const turns = compiled.reduce((sum, code) => sum + countTurns(code, partTurns(code)), 0);
  if (turns > most) throw tooMany(programs[0], compiled[0], turns, most);
}

/** At the line of one core with most packets: the cores of a kernel run the same lines. */
function tooMany(program: Program, { instructions, transfers }: Compiled, turns: number, most: number): KernelError {
  const packets = new Float64Array(program.frames.line.length);
  const bytes = new Float64Array(program.frames.line.length);
  for (const [i, transfer] of instructions.transfer.entries()) {
    if (transfer < 0) continue;
    const frame = program.instructions.frame[instructions.origin[i]];
    packets[frame] += transfers.packets[transfer];
    bytes[frame] += transfers.bytes[transfer];
  }
  const frame = packets.reduce((first, count, at) => (count > packets[first] ? at : first), 0);
  const share = Math.round((100 * packets[frame]) / packets.reduce((sum, count) => sum + count));
  return errorAt(
    program,
    frame,
    `The kernel’s DMAs have more packets than a profile can hold: the DMA engines would move them in ${turns.toLocaleString('en')} turns, and ` +
      `${most.toLocaleString('en')} are possible. ${share} % of the packets are of this line, of ${+(bytes[frame] / packets[frame]).toFixed(1)} bytes each: ` +
      'run the kernel with smaller tensors, or move longer runs of bytes',
  );
}
