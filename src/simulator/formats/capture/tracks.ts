/** The rows of the timeline of a capture. */

import { FormatError } from '../../columns/container';
import { MOST_TRACKS } from '../../profile/limits';
import type { Track } from '../../profile/profile';
import { ENGINE_TRACKS } from '../../vocabulary/engines';
import { labelOf } from '../neuronWords';
import { type CapturedDma, type CapturedInstruction, engineName } from './rows';

/** Engine rows of each core, then its queues. Their names end in `(nc1)` when there are several cores, as in Neuron Explorer. */
export class TrackTable {
  readonly list: Track[] = [];
  private readonly index = new Map<string, number>();

  /** @param own the tracks of our own JSON, in their order */
  constructor(instructions: readonly CapturedInstruction[], transfers: readonly CapturedDma[], own: unknown) {
    if (Array.isArray(own)) for (const track of own) this.seed(track as Track);
    const cores = [...new Set([...instructions, ...transfers].map(row => row.core))].sort((a, b) => a - b);
    const add = (kind: Track['kind'], core: number, name: string, engine: string) => {
      if (this.index.has(`${kind} ${core} ${name}`)) return;
      if (this.list.length >= MOST_TRACKS) throw new FormatError('the capture has too many engines and queues');
      this.index.set(`${kind} ${core} ${name}`, this.list.length);
      this.list.push({ kind, name: cores.length > 1 ? `${name} (nc${core})` : name, engine, ...(cores.length > 1 ? { core } : {}) });
    };
    for (const core of cores) {
      for (const name of ENGINE_TRACKS) add('engine', core, name, name === 'TensorMatrix' ? 'Tensor' : name);
      for (const row of instructions) if (row.core === core) add('engine', core, row.label, row.engine);
      for (const row of transfers) if (row.core === core) add('queue', core, row.queue, queueEngine(row.queue));
    }
  }

  private seed(track: Track) {
    const { kind, name, engine } = track ?? {};
    if ((kind !== 'engine' && kind !== 'queue') || typeof name !== 'string' || typeof engine !== 'string')
      throw new FormatError('the JSON profile is damaged: its tracks are no tracks');
    this.index.set(`${kind} ${track.core ?? 0} ${labelOf(track)}`, this.list.push(track) - 1);
  }

  engine = (row: CapturedInstruction) => this.index.get(`engine ${row.core} ${row.label}`)!;
  queue = (row: CapturedDma) => this.index.get(`queue ${row.core} ${row.queue}`)!;
}

/** `qScalarDynamicHW` belongs to the Scalar engine. A queue without an engine in its name is drawn with those of Sync. */
function queueEngine(queue: string): string {
  const word = /^q(Tensor|Pe|Vector|Dve|Scalar|Act|GpSimd|Pool|Sync|Sp)/.exec(queue)?.[1];
  return word ? engineName(word) : 'Sync';
}
