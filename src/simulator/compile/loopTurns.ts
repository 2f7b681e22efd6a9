/**
 * Turns of a hardware loop (`nl.dynamic_range`): its branch waits for all that engines and queues have been given, and no engine goes on before
 * the branch. The kernel's own order is that of the program.
 */
import { HARDWARE_LOOP } from '../vocabulary/registerOpcodes';
import { FLOW, QUEUE_LANE } from './compiled';
import type { CompileContext } from './context';

export class LoopTurns {
  /** The last machine instruction of each row since the last branch; -1: none. */
  private readonly last = new Int32Array(QUEUE_LANE).fill(-1);
  /** Machine instructions with transfers since then. */
  private moving: number[] = [];
  /** Rows that have not issued anything since then. */
  private readonly waiting = new Set<number>();
  private branch = -1;
  private first = 0;
  private readonly loops: boolean;

  constructor(private readonly c: CompileContext) {
    this.loops = c.program.operations.includes(HARDWARE_LOOP);
  }

  /** Before the machine instructions of an instruction are emitted. */
  before() {
    this.first = this.c.code.instructions;
  }

  after() {
    if (!this.loops) return;
    const { code, row } = this.c;
    if (row.name === HARDWARE_LOOP) this.turn(this.first);
    else for (let i = this.first; i < code.instructions; i++) this.add(i);
  }

  private turn(branch: number) {
    for (const event of [...this.last.filter(i => i >= 0), ...this.moving]) this.c.code.extra.push([branch, event, FLOW]);
    this.last.fill(-1);
    this.moving = [];
    this.branch = branch;
    for (let row = 0; row < QUEUE_LANE; row++) this.waiting.add(row);
  }

  private add(instruction: number) {
    const { code } = this.c;
    const row = code.trackOf(instruction);
    const moves = code.hasTransfer(instruction);
    // DMA triggers do not keep the order of their engine.
    if (this.branch >= 0 && (this.waiting.delete(row) || moves)) code.extra.push([instruction, this.branch, FLOW]);
    this.last[row] = instruction;
    if (moves) this.moving.push(instruction);
  }
}
