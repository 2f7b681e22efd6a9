/** Links between the pages of one run's ranks: by the names of the profiles, in the order of the ranks. */
import assert from 'node:assert/strict';
import { listHtml } from '../../src/cli/listPage';
import type { ShelvedProfile } from '../../src/cli/profileShelf';
import { listedRuns, rankLinks } from '../../src/cli/rankLinks';
import { MOST_RANKS_SHOWN, pageHtml } from '../../src/webview/protocol/page';

const profile = (name: string): ShelvedProfile => ({ id: `n_${name}`, name, file: name, format: 'nkiprof', sizeBytes: 1 });
const pagePath = (of: readonly ShelvedProfile[]) => of.map(({ name }) => name).join(',');

describe('links between ranks', () => {
  const all = ['a_rank_10', 'a_rank_2', 'b_rank_0', 'a_rank_0', 'a', 'c_rank_x'].map(profile);

  it('are those of the same run, and say which page is shown', () => {
    const links = rankLinks(all, [all[1]], pagePath);
    assert.deepEqual(
      links.map(({ label, url, isShown }) => [label, url, isShown]),
      [
        ['All ranks', 'a_rank_0,a_rank_2,a_rank_10', false],
        ['Rank 0', 'a_rank_0', false],
        ['Rank 2', 'a_rank_2', true],
        ['Rank 10', 'a_rank_10', false],
      ],
    );
    assert.equal(rankLinks(all, [all[3], all[1], all[0]], pagePath).filter(({ isShown }) => isShown)[0].label, 'All ranks');
  });

  it('are none for one rank, and for profiles of other names', () => {
    for (const name of ['b_rank_0', 'a', 'c_rank_x']) assert.deepEqual(rankLinks(all, [profile(name)], pagePath), []);
  });

  it('show as many ranks at a time as a page can', () => {
    const many = Array.from({ length: 2 * MOST_RANKS_SHOWN + 1 }, (_, rank) => profile(`m_rank_${rank}.nkiprof`));
    const together = rankLinks(many, [many[0]], pagePath).filter(({ label }) => / to /.test(label));
    assert.deepEqual(
      together.map(({ label }) => label),
      ['Rank 0 to Rank 63', 'Rank 64 to Rank 127'],
    );
  });

  it('stand on the list above the ranks of a run, which are together and in their order', () => {
    const runs = listedRuns(all, pagePath);
    const names = runs.map(({ title, links, profiles }) => [title, links.map(({ url }) => url), profiles.map(({ name }) => name)]);
    assert.deepEqual(names, [
      ['a', ['a_rank_0,a_rank_2,a_rank_10'], ['a_rank_0', 'a_rank_2', 'a_rank_10']],
      ['', [], ['b_rank_0']],
      ['', [], ['a']],
      ['', [], ['c_rank_x']],
    ]);
    const page = listHtml(runs, new Map(), 'token');
    assert.match(page, /<li><a href="a_rank_0,a_rank_2,a_rank_10">All ranks <span>a, 3 ranks<\/span><\/a><\/li>\n<li>.*a_rank_0<\/a>/);
    assert.equal(page.match(/All ranks/g)?.length, 1);
  });

  it('stand above the timeline, escaped', () => {
    const page = { scriptUri: 's', styleUri: 't', cspSource: "'self'", nonce: 'n', title: 'x' };
    const links = [{ label: '<b>', url: '/profile/"', isShown: true }];
    assert.match(
      pageHtml({ ...page, links }),
      /<nav class="rankLinks" aria-label="Ranks"><a href="\/profile\/&quot;" aria-current="page">&lt;b&gt;<\/a><\/nav>\n<main/,
    );
    assert.doesNotMatch(pageHtml(page), /<nav/);
  });
});
