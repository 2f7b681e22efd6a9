/** A run on two cores in the page: one timeline with a core's rows behind the other's, and tabs of the run or of one of its cores. */
import assert from 'node:assert/strict';
import { bounds } from '../../src/simulator/analyze/bounds';
import { runOnTwoCores } from '../support/twoCores';
import { usingTimeline } from './harness';

const THEMES = { dark: { colorScheme: 'dark' }, light: { colorScheme: 'light' } } as const;

describe('a run on two cores in Chromium', () => {
  const profile = runOnTwoCores();
  const t = usingTimeline(profile);

  /** What the tab's choice of cores is set to, and what it shows then. */
  async function choose(value: string, selector: string): Promise<string> {
    await t.find('.detailsBody select[aria-label="Core"]').selectOption(value);
    return t.text(selector);
  }

  it('lists the engines and queues of one core, then those of the other', async () => {
    await t.open({ viewport: { width: 1300, height: 900 } });
    await t.find('.label.idle .fold').click();
    await t.settle();
    const cores = (await t.rowNames()).map(name => / \(nc(\d)\)$/.exec(name)?.[1]).filter(core => core !== undefined);
    assert.ok(cores.filter(core => core === '0').length >= 6);
    assert.deepEqual(cores, [...cores].sort());
    const names = await t.rowNames();
    assert.ok(names.indexOf('Tensor (nc0)') < names.indexOf('GpSimd (nc0)'));
    assert.ok(names.indexOf('Sync (nc0)') < names.indexOf('Tensor (nc1)'));
  });

  it('says of a wait for the other core whom it waited for there', async () => {
    await t.open({ viewport: { width: 1300, height: 900 } });
    const barrier = profile.instructions.opcode.findIndex(code => profile.opcodes[code] === 'PSEUDO_CORE_BARRIER');
    await t.clickAt(barrier);
    assert.equal(await t.selected(), barrier);
    await t.tab('details');
    assert.match(await t.text('.detailsBody'), /for the other core, after the DMA of line 6/);
  });

  it('sums up the run, or one of its cores, after a sentence that says what bounds it', async () => {
    await t.open({ viewport: { width: 1300, height: 900 } });
    assert.equal(await t.text('.headlineText'), bounds(profile).sentences[0]);
    await t.tab('summary');
    const [all, first, second] = [await t.text('.metrics'), await choose('0', '.metrics'), await choose('1', '.metrics')];
    assert.equal(new Set([all, first, second]).size, 3);
    assert.equal(await choose('', '.metrics'), all);
    await t.tab('lines');
    const rows = async (core: string) => {
      await choose(core, '.detailsBody');
      return t.find('.detailsBody tbody tr').allTextContents();
    };
    const counts = [];
    for (const core of ['', '0', '1']) counts.push(await rows(core));
    assert.ok(counts.every(table => table.length > 3));
    assert.notDeepEqual(counts[1], counts[2]);
  });

  it('counts for the core whose rows are shown', async () => {
    await t.open({ viewport: { width: 1300, height: 900 } });
    const counters = async (core: string) => {
      await t.page.getByRole('group', { name: 'Cores' }).getByRole('button', { name: core }).click();
      await t.settle();
      return t.find('.counterName').allTextContents();
    };
    const all = await counters('All cores');
    const [first, second] = [await counters('Core 0'), await counters('Core 1')];
    for (const [core, names] of [first, second].entries())
      for (const name of names) assert.match(name, new RegExp(`\\(nc${core}\\)max `), 'each says whose it is');
    assert.deepEqual(await counters('All cores'), all);
  });

  it('shows the memories of each core', async () => {
    await t.open({ viewport: { width: 1300, height: 900 } });
    await t.tab('memory');
    const partitions = await t.find('.detailsBody select option').allTextContents();
    assert.deepEqual(partitions.slice(3, 5), ['partition 96 (nc0)', 'partition 0 (nc1)']);
    for (const value of ['0', '128']) {
      await t.find('.detailsBody select').selectOption(value);
      await t.settle();
      assert.match((await t.find('.memoryMap').first().getAttribute('aria-label')) ?? '', /^SBUF: at most 2 KiB of/);
    }
  });

  for (const [theme, options] of Object.entries(THEMES))
    it(`can be looked at in the ${theme} theme`, async () => {
      await t.open({ ...options, viewport: { width: 1300, height: 900 } });
      await t.tab('summary');
      await t.screenshot(`two-cores-${theme}`);
      assert.ok((await t.colours('.tracks canvas')) > 4);
    });
});
