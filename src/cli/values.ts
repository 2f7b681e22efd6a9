/**
 * Values at an instruction, for the served page: runs the kernel of a served profile again, in the bundled interpreter, and only when
 * its sources are those on this disk. What is answered is `routes.ts`; how, `simulator/service/inspector.ts`.
 */
import {
  decodeProfile,
  Inspector,
  type InspectProgress,
  NoValues,
  nearestWorkspace,
  type Profile,
  type RerunAnswer,
  rerunRequest,
  SimulatorClient,
} from '../simulator/index';
import { PHASES } from './phases';
import type { Shelf, ShelvedProfile } from './profileShelf';

export interface ValuesSource {
  /** A sentence why there can be none; null: there can. */
  obstacle(of: ShelvedProfile): Promise<string | null>;
  /** Lines that tell how far it is, then the container: `webview/hosts/fetchValues.ts` reads it. */
  answer(of: ShelvedProfile, instruction: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  close(): void;
}

export function valuesSource(shelf: Shelf, dist: string): ValuesSource {
  const client = new SimulatorClient({ dist, keepSpare: false });
  const inspector = new Inspector(client);
  let last: { id: string; profile: Profile } | null = null;
  const profileOf = async (of: ShelvedProfile): Promise<Profile> => {
    if (last?.id !== of.id) last = { id: of.id, profile: decodeProfile(await shelf.container(of)) };
    return last.profile;
  };
  return {
    obstacle: async of => (await again(await profileOf(of))).reason,
    async *answer(of, instruction, signal) {
      const profile = await profileOf(of);
      const rerun = await again(profile);
      if (rerun.reason !== null) return yield line({ refused: rerun.reason });
      const told = new Told<object>();
      const answer = inspector.values({ profile, ...rerun }, instruction, progress => told.tell(progressOf(progress)), signal);
      answer.then(
        () => told.end(),
        () => told.end(),
      );
      for await (const progress of told) yield line(progress);
      try {
        const bytes = await answer;
        yield line({ bytes: bytes.length });
        yield bytes;
      } catch (error) {
        if (!(error instanceof NoValues)) throw error;
        yield line({ refused: error.message });
      }
    },
    close() {
      inspector.forget();
      client.dispose();
    },
  };
}

const again = (profile: Profile): Promise<RerunAnswer> => rerunRequest(profile, { own: false, rootOf: nearestWorkspace });

const line = (value: object) => new TextEncoder().encode(`${JSON.stringify(value)}\n`);

const progressOf = ({ phase, instructions, share }: InspectProgress) => ({
  text: `${PHASES[phase]}${instructions > 0 ? `: ${instructions.toLocaleString('en-US')} instructions` : ''}`,
  share,
});

/** The latest of what was told, for one who listens in their own time. */
class Told<T> implements AsyncIterable<T> {
  private latest: T | null = null;
  private ended = false;
  private wake = () => {};

  tell(value: T): void {
    this.latest = value;
    this.wake();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (!this.ended) {
      if (this.latest === null) await new Promise<void>(resolve => (this.wake = resolve));
      const value = this.latest;
      this.latest = null;
      if (value !== null) yield value;
    }
  }
}
