/** Links between the profiles of one run's ranks, which are known by their names (`rankNames.ts` of the simulator). */
import { ranksBeside } from '../simulator/index';
import { MOST_RANKS_SHOWN, type PageLink } from '../webview/protocol/page';
import type { ShelvedProfile } from './profileShelf';

/** A link to each rank beside these, and to all of them above one another; none where there is one rank. */
export function rankLinks(
  all: readonly ShelvedProfile[],
  shown: readonly ShelvedProfile[],
  pagePath: (of: readonly ShelvedProfile[]) => string,
): PageLink[] {
  const ranks = ranksBeside(all, shown[0], ({ name }) => name);
  const link = (label: string, of: readonly ShelvedProfile[]): PageLink => {
    const isShown = of.length === shown.length && of.every(({ id }, k) => id === shown[k].id);
    return { label, url: pagePath(of), isShown };
  };
  const together: PageLink[] = [];
  for (let at = 0; at < ranks.length; at += MOST_RANKS_SHOWN) {
    const some = ranks.slice(at, at + MOST_RANKS_SHOWN);
    if (some.length < 2) break;
    const label = ranks.length <= MOST_RANKS_SHOWN ? 'All ranks' : `${some[0].label} to ${some[some.length - 1].label}`;
    together.push(
      link(
        label,
        some.map(({ of }) => of),
      ),
    );
  }
  return [...together, ...ranks.map(({ label, of }) => link(label, [of]))];
}
