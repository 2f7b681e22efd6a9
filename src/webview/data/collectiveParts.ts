/** The parts of ranks in a collective of their run. Pure. */
import type { Profile, RankCollective } from '../../simulator/profile/profile';

/** A rank's part; undefined: it takes none. */
export const collectivePart = ({ rank }: Profile, number: number): RankCollective | undefined =>
  rank?.collectives.find(each => each.number === number);
