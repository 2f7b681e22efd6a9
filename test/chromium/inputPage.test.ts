/** The page that asks for a kernel's inputs, under its own policy: what was typed or pressed before its script had come is not lost. */
import assert from 'node:assert/strict';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { inputFormHtml } from '../../src/extension/inputs/inputFormHtml';
import type { FromForm, ToForm } from '../../src/webview/protocol/inputForm';
import { launchBrowser } from '../support/browser';

declare const NKI_SCOPE_ROOT: string;

const ORIGIN = 'http://inputs.invalid';
const PARAMS = ['a', 'b'].map(name => ({ name, annotation: null, default: null }));

describe('page of inputs', function () {
  this.timeout(60_000);
  let browser: Browser;
  let page: Page;
  let script: string;
  let asked: FromForm[];
  /** Lets the page's script come, which takes a while in a window under load. */
  let release: () => void;

  before(async () => {
    const built = await esbuild.build({
      absWorkingDir: NKI_SCOPE_ROOT,
      entryPoints: ['src/webview/inputs/main.ts'],
      bundle: true,
      write: false,
      format: 'iife',
      target: 'es2022',
      logLevel: 'warning',
    });
    script = built.outputFiles[0].text;
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  beforeEach(async () => {
    asked = [];
    page = await browser.newPage();
    await page.exposeFunction('askEditor', (message: FromForm) => void asked.push(message));
    await page.addInitScript(() => {
      const api = { postMessage: (m: unknown) => (window as never as { askEditor(m: unknown): void }).askEditor(m) };
      Object.assign(window, { acquireVsCodeApi: () => api });
    });
    const released = new Promise<void>(resolve => {
      release = resolve;
    });
    const html = inputFormHtml({
      kernel: { name: 'add_tiles', line: 1, params: PARAMS },
      guesses: new Map([['a', { text: 'bf16[128,512]', from: 'an assert' }]]),
      scriptUri: '/inputs.js',
      nonce: 'c2NvcGU',
    });
    await page.route(`${ORIGIN}/**`, async route => {
      if (new URL(route.request().url()).pathname !== '/inputs.js') return route.fulfill({ contentType: 'text/html', body: html });
      await released;
      return route.fulfill({ contentType: 'text/javascript', body: script });
    });
    await page.goto(ORIGIN, { waitUntil: 'commit' });
  });
  afterEach(() => page.close());

  const field = (name: string) => page.locator(`input[name="${name}"]`);
  const submit = () => page.locator('button[type="submit"]');

  it('checks what was typed before its script ran, and leaves the focus there', async () => {
    await field('b').fill('bf17[128]');
    release();
    await submit().and(page.locator(':enabled')).waitFor();
    assert.deepEqual(asked, [{ kind: 'check', texts: { a: 'bf16[128,512]', b: 'bf17[128]' } }]);
    assert.equal(await field('b').evaluate(element => element === document.activeElement), true);
    await page.evaluate(m => window.postMessage(m, '*'), { problems: { b: 'unknown dtype bf17' } } satisfies ToForm as never);
    await page.locator('.problem', { hasText: 'unknown dtype bf17' }).waitFor();
  });

  it('checks nothing that nobody typed, and has the focus in its first field', async () => {
    release();
    await page.locator('input[name="a"]:focus').waitFor();
    await submit().click();
    assert.deepEqual(asked, [{ kind: 'run', texts: { a: 'bf16[128,512]', b: '' } }]);
  });
});
