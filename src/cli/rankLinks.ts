/** Links between the profiles of one run's ranks, which are known by their names (`rankNames.ts` of the simulator). */
import { type NamedRank, ranksBeside } from '../simulator/index';
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
  return [...together(ranks).map(({ label, of }) => link(label, of)), ...ranks.map(({ label, of }) => link(label, [of]))];
}

/** Profiles that stand together on a list: the ranks of a run in their order, or one. */
export interface ListedRun {
  /** Of ranks: what the run is called. */
  title: string;
  profiles: ShelvedProfile[];
  /** Pages of all of them. */
  links: Pick<PageLink, 'label' | 'url'>[];
}

/** A run stands where the first of its ranks stood. */
export function listedRuns(all: readonly ShelvedProfile[], pagePath: (of: readonly ShelvedProfile[]) => string): ListedRun[] {
  const done = new Set<string>();
  return all.flatMap(profile => {
    if (done.has(profile.id)) return [];
    const ranks = ranksBeside(all, profile, ({ name }) => name);
    const profiles = ranks.length > 0 ? ranks.map(({ of }) => of) : [profile];
    for (const { id } of profiles) done.add(id);
    const links = together(ranks).map(({ label, of }) => ({ label, url: pagePath(of) }));
    return [{ title: ranks[0]?.title ?? '', profiles, links }];
  });
}

/** As many as a page can show. */
function together(ranks: readonly NamedRank<ShelvedProfile>[]): { label: string; of: ShelvedProfile[] }[] {
  const pages: { label: string; of: ShelvedProfile[] }[] = [];
  for (let at = 0; at < ranks.length; at += MOST_RANKS_SHOWN) {
    const some = ranks.slice(at, at + MOST_RANKS_SHOWN);
    if (some.length < 2) break;
    const label = ranks.length <= MOST_RANKS_SHOWN ? 'All ranks' : `${some[0].label} to ${some[some.length - 1].label}`;
    pages.push({ label, of: some.map(({ of }) => of) });
  }
  return pages;
}
