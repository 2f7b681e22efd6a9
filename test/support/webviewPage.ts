/**
 * The timeline in a real browser: bundles the webview, serves it with a profile on loopback under its real policy, and
 * opens it in Chromium. For test/chromium and the browser bench.
 */
import http from 'node:http';
import path from 'node:path';
import esbuild from 'esbuild';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { firstPart, slicesPart } from '../../src/simulator/profile/parts';
import { FIRST_PART, PART, pageHtml, SLICES_PART } from '../../src/webview/protocol/page';
import { WAIT_LIMIT_MS } from './patience';

declare const NKI_SCOPE_ROOT: string;

export interface Assets {
  script: Uint8Array;
  style: Uint8Array;
}

/** @param root of the repository, or of a copy of it */
export async function bundleWebview(root = NKI_SCOPE_ROOT): Promise<Assets> {
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['src/webview/main.ts'],
    outdir: path.join(root, 'out', 'unused'),
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
  });
  const file = (end: string) => {
    const found = result.outputFiles.find(output => output.path.endsWith(end));
    if (!found) throw new Error(`the webview bundle has no ${end}`);
    return found.contents;
  };
  return { script: file('main.js'), style: file('main.css') };
}

export interface Served {
  url: string;
  /** What the next fetch of the profile answers, of a large one in parts. */
  profile: Uint8Array;
  /** How the profile, or a part of it, goes out: at once, unless a test has it otherwise. */
  send?(response: http.ServerResponse, bytes: Uint8Array, part: string | null): void;
  close(): Promise<void>;
}

export async function servePage({ script, style }: Assets, profile: Uint8Array): Promise<Served> {
  const served: Served = { url: '', profile, close: () => new Promise(done => server.close(() => done())) };
  const html = () =>
    pageHtml({
      scriptUri: '/main.js',
      styleUri: '/main.css',
      cspSource: "'self'",
      nonce: 'c2NvcGU',
      title: 'tiled',
      profileUrl: '/api/profile/1',
    });
  const routes: Record<string, () => [string, string | Uint8Array]> = {
    '/': () => ['text/html; charset=utf-8', html()],
    '/main.js': () => ['text/javascript', script],
    '/main.css': () => ['text/css', style],
  };
  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const part = searchParams.get(PART);
    const asksProfile = pathname === '/api/profile/1';
    const route = asksProfile ? () => ['application/octet-stream', partOf(served.profile, part)] as const : routes[pathname];
    if (!route) {
      response.writeHead(404).end();
      return;
    }
    const [type, body] = route();
    response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
    if (asksProfile && served.send) served.send(response, body as Uint8Array, part);
    else response.end(body);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  served.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  return served;
}

function partOf(profile: Uint8Array, part: string | null): Uint8Array {
  return part === FIRST_PART ? firstPart(profile) : part === SLICES_PART ? slicesPart(profile) : profile;
}

/** Opens the page and waits for its first drawing. Console errors and policy violations end up in `problems`. */
export async function openTimeline(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 }, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(WAIT_LIMIT_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', message => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', error => problems.push(String(error)));
  await page.goto(url);
  await page.waitForSelector('.app[data-status]:not([data-status="loading"])').catch(error => {
    throw new Error(`the timeline did not come up: ${problems.join('; ') || error}`);
  });
  await settle(page);
  return { page, problems };
}

/** Frames until what was asked for is drawn: a click selects in the first, the next may have begun already. */
const FRAMES = 4;

export const settle = (page: Page) =>
  page.evaluate(async frames => {
    for (let k = 0; k < frames; k++) await new Promise(requestAnimationFrame);
  }, FRAMES);
