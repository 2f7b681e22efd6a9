/** A window of its own for pictures: a theme, a copy of the fixture, room for the code. */
import fs from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { WorkbenchServer } from './server';
import { Window } from './window';

export interface Size {
  width: number;
  height: number;
}

export const THEMES = { dark: 'Default Dark Modern', light: 'Default Light Modern', contrast: 'Default High Contrast' };

/** Room for the code: no minimap, no side bar, small text. */
const SETTINGS = { 'editor.fontSize': 12, 'breadcrumbs.enabled': false, 'editor.occurrencesHighlight': 'off', 'nkiScope.target': 'trn2' };

interface Wanted {
  vsix: string;
  log: string;
  theme: string;
  /** Copied into the workspace. */
  files: string[];
}

export async function inWindow(
  browser: Browser,
  { vsix, log, theme, files }: Wanted,
  take: (window: Window, workspace: string) => Promise<void>,
): Promise<void> {
  const server = await WorkbenchServer.start({ vsix, log, settings: { ...SETTINGS, 'workbench.colorTheme': theme } });
  try {
    for (const file of files) fs.copyFileSync(file, path.join(server.workspace, path.basename(file)));
    await take(await Window.open(browser, server), server.workspace);
  } finally {
    await server.stop();
  }
}

/** Nothing under the pointer, and the flash of the revealed line is over. */
export async function settle({ page }: Window, { width, height }: Size, forMs = 3000): Promise<void> {
  await page.mouse.move(width - 5, height - 5);
  await page.waitForTimeout(forMs);
}
