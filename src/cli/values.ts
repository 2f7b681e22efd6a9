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
import { longAnswer } from './longAnswer';
import { PHASES } from './phases';
import type { Shelf, ShelvedProfile } from './profileShelf';

export interface ValuesSource {
  /** A sentence why there can be none; null: there can. */
  obstacle(of: ShelvedProfile): Promise<string | null>;
  /** The container, as `longAnswer.ts` gives it. */
  answer(of: ShelvedProfile, instruction: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  close(): void;
}

export function valuesSource(shelf: Pick<Shelf, 'container'>, dist: string): ValuesSource {
  const client = new SimulatorClient({ dist, keepSpare: false });
  const inspector = new Inspector(client);
  let last: { id: string; profile: Profile } | null = null;
  const profileOf = async (of: ShelvedProfile): Promise<Profile> => {
    if (last?.id !== of.id) last = { id: of.id, profile: decodeProfile(await shelf.container(of)) };
    return last.profile;
  };
  return {
    obstacle: async of => (await again(await profileOf(of))).reason,
    answer: (of, instruction, signal) =>
      longAnswer(
        async tell => {
          const profile = await profileOf(of);
          const rerun = await again(profile);
          if (rerun.reason !== null) throw new NoValues(rerun.reason);
          return inspector.values({ profile, ...rerun }, instruction, progress => tell(progressOf(progress)), signal);
        },
        error => (error instanceof NoValues ? error.message : null),
      ),
    close() {
      inspector.forget();
      client.dispose();
    },
  };
}

const again = (profile: Profile): Promise<RerunAnswer> => rerunRequest(profile, { own: false, rootOf: nearestWorkspace });

const progressOf = ({ phase, instructions, share }: InspectProgress) => ({
  text: `${PHASES[phase]}${instructions > 0 ? `: ${instructions.toLocaleString('en-US')} instructions` : ''}`,
  share,
});
