/** Profiles above one another: linked zoom, all bodies together, what changed by track and by line; added, moved, removed. */
import assert from 'node:assert/strict';
import { filesShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { serve } from '../../src/cli/serve';
import { columnNames, namePartsOf } from '../../src/simulator/analyze/runNames';
import { jsonChunks } from '../../src/simulator/formats/json';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import type { Profile } from '../../src/simulator/profile/profile';
import { launchBrowser } from '../support/browser';
import { DIST } from '../support/built';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';
import { tinyProfile } from '../support/tinyProfile';
import { bundleWebview, openTimeline } from '../support/webviewPage';
import { usingTimeline } from './harness';

const profile = syntheticProfile(600);
const faster = syntheticProfile(400, 9);
const measured = { ...syntheticProfile(700, 5), simulated: false };
const file = (name: string, of: Profile) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(encodeNkiprof(of)) });
const LONG = 'attention_forward_with_double_buffered_keys_and_values_measured_on_trn2.48xlarge.nkiprof';
const FILES = [file('faster.nkiprof', faster), file(LONG, measured)];
const THEMES = {
  dark: { colorScheme: 'dark' },
  light: { colorScheme: 'light' },
  contrast: { colorScheme: 'dark', contrast: 'more' },
  forced: { colorScheme: 'dark', forcedColors: 'active' },
} as const;

describe('comparing in Chromium', () => {
  const t = usingTimeline(profile);
  const chooser = () => t.find('input[aria-label="Profiles to compare with"]');
  const rows = () => t.find('.labels .label').evaluateAll(all => all.map(label => (label as HTMLElement).dataset.row ?? ''));
  const heads = () => t.find('.stackHead').evaluateAll(all => all.map(head => head.querySelector('.profileMark')?.textContent));
  const head = (letter: string) => t.find(`.stackHead:has(.profileMark:text-is("${letter}"))`);
  const cell = (table: string, row: string, column: string) =>
    t.find(`table[aria-label="${table}"]`).evaluate(
      (made, [name, title]) => {
        const at = [...made.querySelectorAll('th')].findIndex(th => th.textContent === title);
        const found = [...made.querySelectorAll('tbody tr')].find(tr => tr.children[0].textContent === name);
        return found?.children[at]?.textContent ?? '';
      },
      [row, column],
    );

  async function stack(options: Parameters<typeof t.open>[0] = { viewport: { width: 1200, height: 1500 } }, files = FILES) {
    await t.open(options);
    await t.tab('compare');
    await chooser().setInputFiles(files);
    await t.find('.stackHead').nth(files.length).waitFor();
    await t.settle();
  }

  /** The pointer over the middle of an instruction of a stacked profile. */
  async function pointAt(letter: string, of: Profile, track: string, fromNs: number) {
    const { track: tracks, startNs, endNs } = of.instructions;
    const index = of.tracks.findIndex(({ name }) => name === track);
    const i = [...tracks.keys()].find(k => tracks[k] === index && startNs[k] > fromNs && endNs[k] - startNs[k] > 600)!;
    const [area, row, span] = [await t.area(), await t.find(`[data-row="${letter} · ${track}"]`).boundingBox(), await t.span()];
    const middle = (startNs[i] + endNs[i]) / 2 - (of.bodyStartNs - profile.bodyStartNs);
    await t.page.mouse.move(area.x + ((middle - span.startNs) / span.widthNs) * area.width, row!.y + row!.height / 2);
    await t.settle();
    return startNs[i];
  }

  it('stacks the rows of three, each with its name and mark, with the same time under the pointer', async () => {
    await stack();
    assert.deepEqual(await heads(), ['A', 'B', 'C']);
    const names = await rows();
    assert.equal(names.length, 24);
    assert.deepEqual([names[0], names[8], names[16]], ['Tensor', 'B · Tensor', 'C · Tensor']);
    for (const [letter, of] of [
      ['B', faster],
      ['C', measured],
    ] as const) {
      await pointAt(letter, of, 'Vector', 20_000);
      assert.match(await t.text('.tooltip'), /TENSOR_TENSOR|events in this pixel/, letter);
    }
    assert.match((await head('C').getAttribute('aria-label')) ?? '', new RegExp(`^C: ${LONG}, measured, total .*\\([+−]\\d+ %\\)`));
    assert.equal(await t.page.getByRole('button', { name: `Vector of C, ${LONG}`, exact: true }).count(), 1);
    const shapes = await t.find('.stackHead .profileMark path').evaluateAll(all => all.map(path => path.getAttribute('d')));
    assert.equal(new Set(shapes).size, 3, 'told apart without colour');
  });

  it('zooms all together: what is under the pointer stays there', async () => {
    await stack();
    const startNs = await pointAt('B', faster, 'Vector', 10_000);
    for (let i = 0; i < 8; i++) await t.page.keyboard.press('w');
    await t.settle();
    const text = await t.text('.tooltip');
    assert.match(text, /TENSOR_TENSOR/);
    assert.match(text, new RegExp((startNs / 1000).toFixed(1).slice(0, 3)));
    const shares = await t.find('[data-row$="Vector"] .share').allTextContents();
    assert.equal(shares.length, 3);
    assert.match(shares[1], /^(([+−].*|±0) %|new|gone)?\d/, 'of the visible time, against the first');
  });

  it('tells what changed in total, by track and by line, for each', async () => {
    await stack();
    assert.match(await cell('By track', 'Vector', 'B − A'), /^[+−].*\([+−]\d+(\.\d)? %\)$/);
    assert.match(await cell('By track', 'Vector', 'C − A'), /^[+−].*\([+−]\d+(\.\d)? %\)$/);
    assert.equal(await t.find('table[aria-label="By track"] tbody tr').count(), 8);
    assert.match(await t.text('table[aria-label="By line"]'), /nisa\.activation.*\(.*%\)/s);
    const changes = await t.find('table[aria-label="Stacked profiles"] tbody tr td:nth-child(5)').allTextContents();
    assert.equal(changes[0], 'base');
    assert.ok(changes[1].startsWith('−') && changes[2].startsWith('+'), changes.join(' '));
    await t.screenshot('compare');
  });

  it('says what was run, and has no time for lines that a profile does not have', async () => {
    const other = tinyProfile({
      source: 'def k(t):\n    nisa.memset(t)',
      events: [{ line: 2, track: 'Vector', opcode: 'MEMSET', ready: 0, start: 0, end: 400 }],
    });
    await stack(undefined, [file('after.nkiprof', other)]);
    assert.deepEqual(
      await t.find('.ran').allTextContents(),
      columnNames([profile, other].map(of => namePartsOf(of))).map((name, k) => `${'AB'[k]}: ${name}`),
    );
    const times = await t
      .find('table[aria-label="By line"] tbody tr')
      .evaluateAll(all => all.map(row => [...row.children].slice(2).map(c => c.textContent)));
    for (const [a, b, change] of times)
      assert.ok(/new/.test(change!) ? a === '–' && b !== '–' : a !== '–' && b === '–', `${a}, ${b}, ${change}`);
    assert.ok(times.some(([a]) => a === '–') && times.some(([, b]) => b === '–'));
  });

  it('moves, takes another base, folds and removes, by pointer and by keys, and says so', async () => {
    await stack();
    await head('C').getByRole('button', { name: 'Compare the others with C' }).click();
    await t.settle();
    assert.deepEqual(await heads(), ['C', 'A', 'B']);
    assert.match(await t.said(), new RegExp(`compared with ${LONG}`));
    assert.match(await cell('By track', 'Vector', 'A − C'), /^−/);
    assert.equal((await rows())[0], 'C · Tensor');
    await head('B').focus();
    await t.page.keyboard.press('Alt+ArrowUp');
    await t.settle();
    assert.deepEqual(await heads(), ['C', 'B', 'A']);
    assert.equal(
      await t.page.evaluate(() => document.activeElement?.querySelector('.profileMark')?.textContent),
      'B',
      'the focus moves along',
    );
    await t.page.keyboard.press('Home');
    await t.settle();
    assert.deepEqual(await heads(), ['B', 'C', 'A']);
    await head('C').getByRole('button', { name: 'Fold the rows of C' }).click();
    await t.settle();
    assert.equal((await rows()).filter(name => name.startsWith('C')).length, 0);
    await head('C').focus();
    await t.page.keyboard.press('Delete');
    await t.settle();
    assert.deepEqual(await heads(), ['B', 'A']);
    await t.find('.detailsBody .link').filter({ hasText: 'Remove all' }).click();
    await t.settle();
    assert.deepEqual([await heads(), (await rows()).length], [[], 8], 'alone it has no head');
  });

  it('says when a file is no profile, and when there are too many', async () => {
    await t.open();
    await t.tab('compare');
    await chooser().setInputFiles({ ...FILES[0], buffer: Buffer.from('not a profile') });
    await t.find('.problem').waitFor();
    assert.match(await t.text('.problem'), /faster\.nkiprof cannot be shown: /);
    assert.match(await t.said(), /faster\.nkiprof cannot be shown: /);
    const broken = { ...FILES[0], name: 'broken.nkiprof', buffer: Buffer.from('not a profile') };
    await chooser().setInputFiles([broken, ...Array.from({ length: 8 }, (_, i) => file(`${i}.nkiprof`, syntheticProfile(20, i + 2)))]);
    await t.find('.stackHead').nth(7).waitFor();
    await t.find('.problem').filter({ hasText: '7.nkiprof' }).waitFor();
    assert.match(
      await t.text('.problem'),
      /^broken\.nkiprof cannot be shown: .* 7\.nkiprof is not stacked: 8 profiles are, the most there can be/,
    );
  });

  for (const [theme, options] of Object.entries(THEMES))
    it(`is told apart in the ${theme} theme, wide and narrow`, async () => {
      for (const width of [1200, 500]) {
        await stack({ ...options, viewport: { width, height: 900 } });
        const fits = await t.find('.stackHead').evaluateAll(all => all.every(made => made.scrollWidth <= made.clientWidth + 1));
        assert.ok(fits, 'nothing of a head is cut off');
        const titles = await t.find('.headTitle').evaluateAll(all => all.map(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth]));
        for (const [shown, whole] of titles) assert.ok(shown >= Math.min(whole, 150), titles.join(' '));
        await t.screenshot(`compare-${theme}-${width}`);
        if (width === 1200) await t.page.context().close();
      }
    });
});

describe('a stack that is served', () => {
  const folder = temporaryFolder();

  it('shows a capture beside an estimate, and keeps the order over a reload', async () => {
    const { script, style } = await bundleWebview();
    folder.write('dist/webview/main.js', script);
    folder.write('dist/webview/main.css', style);
    const files = [
      folder.write('estimate.nkiprof', encodeNkiprof(profile)),
      folder.write('capture.json', [...jsonChunks(measured)].join('')),
      folder.write('faster.nkiprof', encodeNkiprof(faster)),
    ];
    const [served, browser] = [
      await serve({ shelf: await filesShelf(files, new Reading({ dist: DIST })), dist: folder.path('dist'), port: 0 }),
      await launchBrowser(),
    ];
    try {
      const { page, problems } = await openTimeline(browser, served.url);
      const titles = async () => {
        await page.locator('.stackHead').nth(2).waitFor();
        return page.locator('.headTitle').allTextContents();
      };
      assert.deepEqual(await titles(), ['estimate', 'capture.json', 'faster']);
      assert.deepEqual(await page.locator('.stackHead .badge:not(.base)').allTextContents(), ['modelled', 'measured', 'modelled']);
      const { askedMs, paintedMs } = await page.evaluate(() => ({
        askedMs: performance
          .getEntriesByType('resource')
          .flatMap(({ name, startTime }) => (name.includes('/api/profile/') ? [startTime] : [])),
        paintedMs: performance.getEntriesByName('nki-scope:painted')[0].startTime,
      }));
      assert.equal(askedMs.length, 3);
      assert.ok(Math.max(...askedMs) < paintedMs, 'the others are read while the first is drawn');
      await page.getByRole('button', { name: 'Compare the others with B' }).click();
      await page.locator('#tab-lines').click();
      await page.waitForTimeout(400);
      await page.reload();
      assert.deepEqual(await titles(), ['capture.json', 'estimate', 'faster']);
      assert.equal(await page.locator('#tab-lines').getAttribute('aria-selected'), 'true', 'what comes back changes no tab');
      assert.deepEqual(problems, []);
    } finally {
      await browser.close();
      await served.close();
    }
  });
});
