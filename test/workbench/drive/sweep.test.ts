/** A sweep in the window: its rows, the timeline of a point, two points compared, and values written into the file. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { faultsOf } from '../../support/axe';
import type { Window } from '../harness/window';
import { openWindow, theServer } from './support';

const KERNEL = `import nki
import nki.isa as nisa
import nki.language as nl

ROWS = 32  # of a tile


@nki.jit
def tiles(a):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    for row in range(0, a.shape[0], ROWS):
        tile = nl.ndarray((ROWS, a.shape[1]), dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=a[row:row + ROWS, :])
        nisa.activation(dst=tile, op=nl.exp, data=tile)
        nisa.dma_copy(dst=out[row:row + ROWS, :], src=tile)
    return out
`;
const SWEEPS = { rows: { kernel: 'tiles', args: { a: 'fp32[256,512]' }, set: { ROWS: '32:256:*2' }, target: ['trn2', 'trn3'] } };

describe('a sweep in the window @long', () => {
  let window: Window;
  let page: Frame;
  let workspace: string;

  before(async () => {
    ({ workspace } = await theServer());
    const cases = path.join(workspace, '.vscode/nki-scope.json');
    const before = fs.existsSync(cases) ? JSON.parse(fs.readFileSync(cases, 'utf8')) : { cases: {} };
    fs.mkdirSync(path.dirname(cases), { recursive: true });
    fs.writeFileSync(cases, JSON.stringify({ ...before, sweeps: SWEEPS }));
    fs.writeFileSync(path.join(workspace, 'swept.py'), KERNEL);
    window = await openWindow('swept.py');
  });

  it('runs a space of the case file, and shows its points', async () => {
    await window.command('NKI Scope: Sweep Kernel');
    await window.page.locator('.quick-input-list .monaco-list-row', { hasText: 'rows' }).click();
    page = (await window.pageWith('h1:text("Sweep rows")')) as Frame;
    await page.locator('.state', { hasText: '8 of 8 points, 2 of them do not run.' }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 8);
    assert.match((await page.locator('tbody tr').first().textContent()) ?? '', /fastest/);
    assert.deepEqual(await faultsOf(page), []);
    await window.shot('9-sweep');
  });

  it('opens the timeline of a point', async () => {
    await page.locator('tbody tr').nth(1).click();
    await page.locator('button', { hasText: 'Open Timeline' }).click();
    await window.pageWith('.app[data-status="ready"]');
    await window.page.locator('.tab', { hasText: 'ROWS=' }).first().waitFor();
  });

  it('compares a point with the fastest', async () => {
    await window.page.locator('.tab', { hasText: 'Sweep rows' }).click();
    await page.locator('button', { hasText: 'Compare with Fastest' }).click();
    await window.page
      .locator('.tab', { hasText: /Compare|vs/i })
      .first()
      .waitFor();
    await window.shot('9-sweep-compare');
  });

  it('writes the values of a point into the file', async () => {
    await window.page.locator('.tab', { hasText: 'Sweep rows' }).click();
    await page.locator('tbody tr', { hasText: '128' }).first().click();
    await page.locator('button', { hasText: 'Write These Values into the File' }).click();
    await window.page.locator('.tab', { hasText: 'swept.py' }).first().click();
    await window.page.locator('.editor-instance .view-line', { hasText: /^ROWS\s=\s128\s+#\sof\sa\stile/ }).waitFor();
    assert.equal(fs.readFileSync(path.join(workspace, 'swept.py'), 'utf8'), KERNEL, 'an edit that is not saved yet');
  });
});
