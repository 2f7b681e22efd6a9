/** For each instruction the one before that its line asked for and that wrote the same place: the use before of the same buffer. */
import { places } from '../analyze/places';
import type { Profile } from '../profile/profile';

/** By instruction as compiled; -1: there is none. The profile has `timing`. */
export function previousUses(profile: Profile): Int32Array {
  const { instructions, timing } = profile;
  const { row } = timing!.instructions;
  const { ofFrame } = places(profile);
  const destination = profile.operands.map(text => /\bdst=\S+/.exec(text)?.[0] ?? '');
  const last = new Map<string, number>();
  return Int32Array.from(row, (r, i) => {
    const key = `${ofFrame[instructions.frame[r]]} ${destination[instructions.operands[r]]}`;
    const previous = last.get(key) ?? -1;
    last.set(key, i);
    return previous;
  });
}
