/** Links between the profiles of one run's ranks, which are known by their names: `..._rank_0`, as AWS's tools name them too. */
import type { PageLink } from '../webview/protocol/page';
import type { ShelvedProfile } from './profileShelf';

/** Profiles that a page shows above one another. */
const MOST_STACKED = 8;

const RANK = /^(.*_rank_)(\d{1,6})((?:\.\w+)?)$/;

/** A link to each rank beside these, and to all of them above one another; none where there is one rank. */
export function rankLinks(
  all: readonly ShelvedProfile[],
  shown: readonly ShelvedProfile[],
  pagePath: (of: readonly ShelvedProfile[]) => string,
): PageLink[] {
  const ranks = ranksBeside(all, shown[0]);
  if (ranks.length < 2) return [];
  const link = (label: string, of: readonly ShelvedProfile[]): PageLink => {
    const isShown = of.length === shown.length && of.every(({ id }, k) => id === shown[k].id);
    return { label, url: pagePath(of), isShown };
  };
  const together: PageLink[] = [];
  for (let at = 0; at < ranks.length; at += MOST_STACKED) {
    const some = ranks.slice(at, at + MOST_STACKED);
    if (some.length < 2) break;
    const label = ranks.length <= MOST_STACKED ? 'All ranks' : `Ranks ${some[0].rank} to ${some[some.length - 1].rank}`;
    together.push(
      link(
        label,
        some.map(({ profile }) => profile),
      ),
    );
  }
  return [...together, ...ranks.map(({ rank, profile }) => link(`Rank ${rank}`, [profile]))];
}

function ranksBeside(all: readonly ShelvedProfile[], one: ShelvedProfile): { rank: number; profile: ShelvedProfile }[] {
  const own = RANK.exec(one.name);
  if (!own) return [];
  const ranks = all.flatMap(profile => {
    const named = RANK.exec(profile.name);
    return named && named[1] === own[1] && named[3] === own[3] ? [{ rank: Number(named[2]), profile }] : [];
  });
  return ranks.sort((a, b) => a.rank - b.rank);
}
