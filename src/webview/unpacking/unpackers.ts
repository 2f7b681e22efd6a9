/** The workers that unpack: at most two, made when parts come. Where none can be made, the page does it itself. */
import { FormatError } from '../../simulator/columns/container';
import type { UnpackAnswer, UnpackRequest } from './messages';
import { unpackPart } from './unpackPart';

/** More would take processors from the page, which reads and draws what they unpack. */
const MOST_WORKERS = 2;

type Settle = (answer: UnpackAnswer | null) => void;

export class Unpackers {
  private readonly workers: { worker: Worker; waiting: Map<number, Settle> }[] = [];
  private nextId = 0;

  /** @param script address of their bundle; null: there is none */
  constructor(private script: string | null) {}

  /** @throws FormatError for damaged bytes */
  async unpack(packed: Uint8Array<ArrayBuffer>, sizeBytes: number): Promise<Uint8Array> {
    const answer = this.script === null ? null : await this.ask(this.script, packed, sizeBytes);
    if (!answer) return unpackPart(packed, sizeBytes);
    if ('problem' in answer) throw new FormatError(answer.problem);
    return answer.bytes;
  }

  /** @returns null if the worker does not run */
  private ask(script: string, packed: Uint8Array<ArrayBuffer>, sizeBytes: number): Promise<UnpackAnswer | null> {
    const { worker, waiting } = this.leastBusy(script);
    const id = this.nextId++;
    return new Promise(resolve => {
      waiting.set(id, resolve);
      // a copy: the page still has the bytes if the worker fails
      worker.postMessage({ id, packed, sizeBytes } satisfies UnpackRequest);
    });
  }

  private leastBusy(script: string) {
    const [idlest] = [...this.workers].sort((a, b) => a.waiting.size - b.waiting.size);
    if (idlest && (idlest.waiting.size === 0 || this.workers.length >= MOST_WORKERS)) return idlest;
    const made = { worker: new Worker(script), waiting: new Map<number, Settle>() };
    made.worker.addEventListener('message', ({ data }: MessageEvent<UnpackAnswer>) => {
      made.waiting.get(data.id)?.(data);
      made.waiting.delete(data.id);
    });
    made.worker.addEventListener('error', () => this.giveUp());
    this.workers.push(made);
    return made;
  }

  /** A worker did not start, or ended: what it had, and all that comes, is done without. */
  private giveUp() {
    this.script = null;
    for (const { worker, waiting } of this.workers.splice(0)) {
      worker.terminate();
      for (const settle of waiting.values()) settle(null);
    }
  }
}
