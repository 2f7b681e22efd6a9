/** The page of a sweep, under its own policy: rows as they come, sorting, filter, stars, plots, what it asks the editor for, accessibility. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { sweepHtml } from '../../src/extension/sweeps/sweepHtml';
import type { FromSweep, SweepRow, ToSweep } from '../../src/webview/protocol/sweep';
import { faultsOf } from '../support/axe';
import { launchBrowser } from '../support/browser';

declare const NKI_SCOPE_ROOT: string;

const ORIGIN = 'http://sweep.invalid';
const NAMES = ['TILE', 'K', 'target'];

/** The least time is at 256. */
const row = (index: number): SweepRow => {
  const [tile, k, target] = [[64, 128, 256, 512][index % 4], [512, 1024, 2048][Math.floor(index / 4) % 3], index < 12 ? 'trn2' : 'trn3'];
  const totalTimeNs = tile === 512 && k === 2048 ? null : 20_000 + 40 * Math.abs(tile - 256) + 5 * k - (index < 12 ? 0 : 900);
  return {
    index,
    parameters: { TILE: tile, K: k, target },
    totalTimeNs,
    likelyNs: totalTimeNs === null || target === 'trn3' ? null : [0.88 * totalTimeNs, 1.3 * totalTimeNs],
    bound: totalTimeNs === null ? null : tile < 256 ? 'GpSimdE' : 'TensorE',
    instructions: totalTimeNs === null ? null : 4 * k,
    sbufPeakBytes: totalTimeNs === null ? null : 256 * tile * 4,
    psumPeakBytes: totalTimeNs === null ? null : 2 ** 18,
    error: totalTimeNs === null ? 'matmul.py:31: MemoryError: SBUF is full' : null,
  };
};
const ROWS = Array.from({ length: 24 }, (_, index) => row(index));

describe('page of a sweep', function () {
  this.timeout(60_000);
  let browser: Browser;
  let page: Page;
  const asked: FromSweep[] = [];
  const errors: string[] = [];

  before(async () => {
    const built = await esbuild.build({
      absWorkingDir: NKI_SCOPE_ROOT,
      entryPoints: ['src/webview/sweep/main.ts'],
      outdir: path.join(NKI_SCOPE_ROOT, 'out/unused'),
      bundle: true,
      write: false,
      format: 'iife',
      target: 'es2022',
      logLevel: 'warning',
    });
    const asset = (end: string) => Buffer.from(built.outputFiles.find(file => file.path.endsWith(end))!.contents);
    const html = sweepHtml({
      title: 'Sweep <tiles>',
      scriptUri: '/sweep.js',
      styleUri: '/sweep.css',
      cspSource: "'self'",
      nonce: 'c2NvcGU',
    });
    browser = await launchBrowser();
    page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    page.on('console', message => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', error => errors.push(error.message));
    await page.exposeFunction('askEditor', (message: FromSweep) => void asked.push(message));
    await page.addInitScript(() => {
      let kept: unknown;
      const api = {
        postMessage: (m: unknown) => (window as never as { askEditor(m: unknown): void }).askEditor(m),
        getState: () => kept,
        setState: (s: unknown) => (kept = s),
      };
      Object.assign(window, { acquireVsCodeApi: () => api });
    });
    await page.route(`${ORIGIN}/**`, route => {
      const name = new URL(route.request().url()).pathname;
      if (name === '/sweep.js') return route.fulfill({ contentType: 'text/javascript', body: asset('main.js') });
      if (name === '/sweep.css') return route.fulfill({ contentType: 'text/css', body: asset('main.css') });
      return route.fulfill({ contentType: 'text/html', body: html });
    });
    await page.goto(`${ORIGIN}/`);
    await page.evaluate(() => {
      document.documentElement.classList.add('standalone');
      document.body.classList.add('vscode-dark');
    });
  });
  after(() => browser?.close());

  const tell = (message: ToSweep) => page.evaluate(m => window.postMessage(m, '*'), message as never);
  const cells = (column: number) => page.locator(`tbody tr td:nth-child(${column})`).allTextContents();
  const last = () => asked.at(-1);

  it('asks for its rows, and shows them as they come', async () => {
    assert.deepEqual(asked, [{ kind: 'ready' }]);
    await tell({ kind: 'begin', title: 'Sweep tiles', names: NAMES, points: ROWS.length, canWrite: true });
    await tell({ kind: 'rows', rows: ROWS.slice(0, 5) });
    await page.locator('tbody tr').nth(4).waitFor();
    assert.equal(await page.locator('.state').textContent(), '5 of 24 points.');
    assert.equal(await page.getByRole('button', { name: 'Cancel' }).count(), 1);
    await tell({ kind: 'rows', rows: ROWS.slice(5) });
    await tell({ kind: 'end', reason: 'done', message: '' });
    await page.getByRole('button', { name: 'Run Again' }).waitFor();
    assert.equal(await page.locator('.state').textContent(), '24 of 24 points, 2 of them do not run.');
  });

  it('has the fastest first, and sorts by any column', async () => {
    const times = ROWS.map(({ totalTimeNs }) => totalTimeNs ?? Infinity);
    assert.equal((await cells(6))[0], 'fastest');
    assert.deepEqual((await cells(5)).slice(-2), ['does not run', 'does not run']);
    assert.deepEqual((await cells(11)).slice(-2), ['matmul.py:31: MemoryError: SBUF is full', 'matmul.py:31: MemoryError: SBUF is full']);
    assert.ok(times.length === (await cells(2)).length);
    const sortBy = (title: string) => page.locator('th button', { hasText: title }).click();
    await sortBy('TILE');
    assert.deepEqual([...new Set(await cells(2))], ['64', '128', '256', '512']);
    await sortBy('Time');
    await sortBy('Time');
    assert.equal((await cells(6))[0], 'fastest');
  });

  it('filters by words and by stars', async () => {
    await page.getByRole('searchbox', { name: 'Filter' }).fill('TILE=256 trn3');
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 3);
    await page.getByRole('button', { name: 'Star TILE=256, K=1024, target=trn3' }).click();
    await page.getByRole('searchbox', { name: 'Filter' }).fill('');
    await page.getByRole('checkbox', { name: 'Starred only' }).check();
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
    assert.deepEqual(await cells(3), ['1024']);
    await page.getByRole('checkbox', { name: 'Starred only' }).uncheck();
    await page.getByRole('checkbox', { name: 'Hide points that do not run' }).check();
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 22);
    await page.getByRole('checkbox', { name: 'Hide points that do not run' }).uncheck();
  });

  it('chooses a row by the keyboard, and asks for what the editor can do with it', async () => {
    const second = page.locator('tbody tr').nth(1);
    await second.focus();
    await page.keyboard.press('Enter');
    const timeline = page.getByRole('button', { name: 'Open Timeline' });
    await page.waitForFunction(() => document.querySelector('tbody tr[aria-current]') !== null);
    await timeline.click();
    const chosen = last() as { kind: string; index: number };
    assert.equal(chosen.kind, 'open');
    await page.getByRole('button', { name: 'Compare with Fastest' }).click();
    assert.deepEqual(last(), { kind: 'compare', index: chosen.index });
    await page.getByRole('button', { name: 'Write These Values into the File' }).click();
    assert.deepEqual(last(), { kind: 'write', index: chosen.index });
    await page.getByRole('button', { name: 'Export…' }).click();
    assert.deepEqual(last(), { kind: 'export' });
    await page.getByRole('button', { name: 'Run Again' }).click();
    assert.deepEqual(last(), { kind: 'resume' });
  });

  it('plots points and cells, and a press chooses their row', async () => {
    assert.equal(await page.locator('.plot circle').count(), 22);
    await page.locator('.plot circle.best').click();
    await page.waitForFunction(() => document.querySelector('.plot circle.best.chosen') !== null);
    assert.equal(await page.getByRole('button', { name: 'Compare with Fastest' }).isDisabled(), true);
    await page.getByRole('combobox', { name: 'Plot' }).selectOption('Heat map');
    await page.locator('.plot rect.cell').first().waitFor();
    assert.equal(await page.locator('.plot rect.cell').count(), 11);
    assert.match((await page.locator('.plot .value').first().textContent())!, /µs$/);
    await page.locator('.plot rect.cell').first().click();
    await page.waitForFunction(() => document.querySelector('.plot rect.chosen') !== null);
  });

  for (const theme of ['vscode-dark', 'vscode-light', 'vscode-high-contrast'])
    it(`has no fault that axe finds, ${theme}`, async () => {
      await page.evaluate(name => (document.body.className = name), theme);
      await page.getByRole('combobox', { name: 'Plot' }).selectOption(theme === 'vscode-light' ? 'Scatter' : 'Heat map');
      const shots = process.env.NKI_SCOPE_SHOTS;
      for (const [width, height] of [
        [1600, 1000],
        [1280, 720],
        [700, 900],
        // beside an editor in a small window
        [462, 620],
      ]) {
        await page.setViewportSize({ width, height });
        if (shots) fs.writeFileSync(path.join(shots, `sweep-${theme}-${width}.png`), await page.screenshot());
        assert.deepEqual(await faultsOf(page), []);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), 'no part of the page is cut off');
        const shown = await page.locator('.rows').boundingBox();
        assert.ok(
          shown && Math.min(height, shown.y + shown.height) - shown.y >= 150,
          `${shown?.height} px of the table at ${width} x ${height}`,
        );
      }
    });

  it('marks a setting that the model cannot tell from the fastest', async () => {
    const [fastest, next, slow] = [10_000, 10_050, 10_400].map((totalTimeNs, index) => ({
      ...ROWS[index],
      index,
      totalTimeNs,
      error: null,
    }));
    await tell({ kind: 'begin', title: 'Sweep tiles', names: NAMES, points: 3, canWrite: true });
    await tell({ kind: 'rows', rows: [slow, next, fastest] });
    await tell({ kind: 'end', reason: 'done', message: '' });
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 3);
    assert.deepEqual(await cells(6), ['fastest', '≈ +0.5 %', '+4.0 %']);
    assert.match(await page.locator('thead').innerHTML(), /≈ less than the model can tell apart/);
  });

  it('breaks no rule of its policy', () => assert.deepEqual(errors, []));
});
