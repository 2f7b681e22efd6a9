/** For each instruction the one before that its line asked for and that wrote the same place: the use before of the same buffer. */
import { ofLists } from '../analyze/operandBytes';
import { places } from '../analyze/places';
import { isDestination, operandsOf, type Profile } from '../profile/profile';

/** Compiled instruction -> the previous use of its buffer; -1 if there is none. Needs a profile with `timing`. */
export function previousUses(profile: Profile): Int32Array {
  const { instructions, timing, tracks } = profile;
  const { ofFrame } = places(profile);
  const destination = ofLists(profile, list => operandsOf(profile, list).find(operand => isDestination(profile, operand)) ?? -1);
  const last = new Map<string, number>();
  return Int32Array.from(timing!.instructions.row, (row, i) => {
    const core = tracks[instructions.track[row]].core ?? 0;
    const key = `${core} ${ofFrame[instructions.frame[row]]} ${destination[instructions.operands[row]]}`;
    const previous = last.get(key) ?? -1;
    last.set(key, i);
    return previous;
  });
}
