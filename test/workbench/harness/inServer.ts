/** Runs the suite inside the extension host of a window of the VS Code server, and waits for the window's verdict. */
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../support/browser';
import { TEST_LIMIT_MS } from '../../support/patience';
import { type ServerOptions, WorkbenchServer } from './server';

declare const NKI_SCOPE_ROOT: string;

/** For all of the suite. */
const LIMIT_MS = 4 * TEST_LIMIT_MS;
/** A results file written at the last moment shall be there. */
const GRACE_MS = 3000;

export interface SuiteRun extends Omit<ServerOptions, 'runsSuite'> {
  /** The bundled entry, which exports `run()`. */
  suite: string;
}

export async function runSuiteInServer({ suite, ...options }: SuiteRun): Promise<void> {
  const server = await WorkbenchServer.start({ ...options, runsSuite: true });
  const browser = await launchBrowser();
  try {
    const page = await (await browser.newContext({ viewport: { width: 1400, height: 900 } })).newPage();
    const { verdict } = await listen(page);
    await page.goto(
      server.url([
        ['extensionDevelopmentPath', server.remote(path.join(NKI_SCOPE_ROOT, 'test/workbench/host-extension'))],
        ['extensionTestsPath', server.remote(suite)],
        ['skipWelcome', 'true'],
        ['skipReleaseNotes', 'true'],
      ]),
    );
    try {
      await Promise.race([verdict, untilTrouble(server)]);
    } catch (error) {
      await page.screenshot({ path: path.join(path.dirname(options.log), 'stuck.png') }).catch(() => {});
      throw error;
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** The workbench calls these functions of its page by itself; they must be there before it loads. */
async function listen(page: Page): Promise<{ verdict: Promise<void> }> {
  let done = () => {};
  const verdict = new Promise<void>((resolve, reject) => {
    done = resolve;
    page.on('crash', () => reject(new Error('the window crashed')));
  });
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    if (process.env.NKI_SCOPE_VERBOSE) console.error(`[${type}]`, ...args);
  });
  await page.exposeFunction('codeAutomationExit', () => done());
  if (process.env.NKI_SCOPE_VERBOSE) page.on('console', message => console.error('[console]', message.text()));
  return { verdict };
}

async function untilTrouble(server: WorkbenchServer): Promise<never> {
  const deadline = Date.now() + LIMIT_MS;
  while (Date.now() < deadline) {
    await new Promise(resolve => setTimeout(resolve, 500));
    const trouble = server.trouble();
    if (!trouble) continue;
    await new Promise(resolve => setTimeout(resolve, GRACE_MS));
    throw new Error(trouble);
  }
  throw new Error(`no verdict within ${LIMIT_MS / 1000} s`);
}
