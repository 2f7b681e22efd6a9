/**
 * Which instruction triggered a transfer whose descriptors are made while the kernel runs. An engine has one queue for them, which works in
 * order: its n-th trigger is the n-th transfer. In public recordings the first packet begins 0.6 to 2 us after the start of its trigger.
 */
import { ENGINES, type NtffRing } from './container';
import { DYNAMIC_TRIGGER } from './dmaWord';

/** Neuron's runtime names queues by these, in the order of `ENGINES`. */
const QUEUE = /^q(PE|Act|Pool|DVE|SP)Dynamic/;
const NAMES = ['PE', 'Act', 'Pool', 'DVE', 'SP'];

/** The engine that triggers the DMAs of a queue; undefined: their descriptors were made before the kernel ran. */
const engineOfQueue = (queue: string): string | undefined => ENGINES[NAMES.indexOf(QUEUE.exec(queue)?.[1] ?? '')];

/** Name of the queue to which an engine gives DMAs that it describes itself. */
export const dynamicQueueOf = (rings: readonly NtffRing[], engine: string): string | undefined =>
  rings.find(({ name }) => engineOfQueue(name) === engine)?.name;

interface Instruction {
  core: number;
  engine: string;
  opcode: string;
  id: string;
}

export class DynamicTriggers {
  /** Ids in the order of their starts, by core and engine. */
  private readonly ids = new Map<string, string[]>();

  /** @param instructions sorted by start */
  constructor(instructions: readonly Instruction[]) {
    for (const { core, engine, opcode, id } of instructions) {
      if (opcode !== DYNAMIC_TRIGGER.name) continue;
      const known = this.ids.get(`${core} ${engine}`);
      if (known) known.push(id);
      else this.ids.set(`${core} ${engine}`, [id]);
    }
  }

  /** Of each transfer of a queue, by its place; empty where there are not as many triggers. */
  of(core: number, queue: string, transfers: number): readonly string[] {
    const ids = this.ids.get(`${core} ${engineOfQueue(queue)}`) ?? [];
    return ids.length === transfers ? ids : [];
  }
}
