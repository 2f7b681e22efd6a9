/** Tables beside an editor, in windows of 1600 px and of 1280 px: no column is out of sight, and the least of them is left out first. */
import assert from 'node:assert/strict';
import { simulateRanks } from '../../src/simulator/simulateRanks';
import type { TabId } from '../../src/webview/state/settings';
import { rankProgram } from '../support/ranks';
import { runOnTwoCores } from '../support/twoCores';
import { usingTimeline } from './harness';

const [rank] = simulateRanks(
  [0, 1].map(() => {
    const whole = rankProgram(['work', ['all_reduce', 0, 1]]);
    return { whole, cores: [whole] };
  }),
);

const TABLES = [
  { tab: 'events', label: 'Events in the visible time', profile: runOnTwoCores(), spare: 'Iteration' },
  { tab: 'ranks', label: 'Collectives', profile: rank, spare: 'Ranks' },
] satisfies { tab: TabId; [name: string]: unknown }[];

for (const { tab, label, profile, spare } of TABLES)
  describe(`the table ${label} in Chromium`, () => {
    const t = usingTimeline(profile);

    for (const width of [770, 612])
      it(`fits in ${width} px`, async () => {
        await t.open({ viewport: { width, height: 800 } });
        await t.tab(tab);
        const found = t.find(`table[aria-label="${label}"]`);
        await found.locator('tbody tr').first().waitFor();
        const { widthPx, hasPx } = await t.find('.detailsBody').evaluate(e => ({ widthPx: e.scrollWidth, hasPx: e.clientWidth }));
        assert.ok(widthPx <= hasPx, `${widthPx} of ${hasPx} px`);
        assert.equal(await found.locator('th', { hasText: spare }).isVisible(), width === 770);
        assert.match((await found.textContent()) ?? '', /line \d/, 'the file is not named where all is in one');
        await t.screenshot(`narrow-${tab}-${width}`);
      });
  });
