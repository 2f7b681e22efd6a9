/** One server and one browser for all tests that need nothing special; they end with the run. */
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../support/browser';
import { WorkbenchServer } from '../harness/server';
import { Window } from '../harness/window';

declare const NKI_SCOPE_ROOT: string;

let browser: Promise<Browser> | undefined;
let server: Promise<WorkbenchServer> | undefined;
const others: WorkbenchServer[] = [];
let current: Window | undefined;

export const theBrowser = () => {
  browser ??= launchBrowser();
  return browser;
};

export const theServer = () => {
  server ??= startServer('drive');
  return server;
};

/** A server of one's own, for other settings. */
export async function otherServer(name: string, settings: Record<string, unknown>): Promise<WorkbenchServer> {
  const started = await startServer(name, settings);
  others.push(started);
  return started;
}

/** The one window there is: the one before it is closed, so that it takes no time from what is looked at now. */
export async function openWindow(file?: string, where = theServer(), roots?: string): Promise<Window> {
  await current?.close();
  current = await Window.open(await theBrowser(), await where, file, roots);
  return current;
}

/** After everything: mocha runs it once. */
export async function stopAll(): Promise<void> {
  await (await browser)?.close();
  for (const running of [await server, ...others]) await running?.stop();
}

/** Files are not run again by themselves: what is looked at here moves only when it is told to. */
function startServer(name: string, settings: Record<string, unknown> = {}): Promise<WorkbenchServer> {
  const vsix = process.env.NKI_SCOPE_VSIX!;
  return WorkbenchServer.start({
    vsix,
    settings: { 'nkiScope.live.when': 'off', ...settings },
    log: path.join(NKI_SCOPE_ROOT, 'out/workbench', `${name}-server.log`),
  });
}

// Root hooks: outside any describe.
afterEach(async function () {
  // a test that is run again has no state yet
  if (this.currentTest && !this.currentTest.isPassed() && !this.currentTest.isPending())
    await current?.shot(`failed-${this.currentTest.title.replace(/\W+/g, '-')}`);
});
after(stopAll);
