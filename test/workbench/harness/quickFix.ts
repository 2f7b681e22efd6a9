/** A quick fix of advice as a user takes it: the menu on its line, a preview of the changes, applied. */
import type { Locator } from 'playwright-core';
import type { Timeline } from './timeline';
import type { Window } from './window';

/** Opens the menu on a line, once the advice is there; the entry of the fix. */
export async function openFixMenu(window: Window, timeline: Timeline, lineText: string): Promise<Locator> {
  const { page } = window;
  await timeline.headline.waitFor();
  const entry = page.locator('.action-widget .action', { hasText: 'in the model' }).first();
  await window.until('the quick fix', async () => {
    await page.keyboard.press('Escape');
    await page
      .locator('.editor-instance .view-line', { hasText: lineText })
      .first()
      .click({ position: { x: 60, y: 8 } });
    await page.keyboard.press('Control+.');
    await page.waitForTimeout(1500);
    return entry.isVisible();
  });
  return entry;
}

/** Its changes are shown, and nothing is edited yet. */
export async function showFix(window: Window, entry: Locator): Promise<void> {
  await entry.hover();
  await window.page.keyboard.press('Control+Enter');
  await window.page.locator('.refactor-preview-panel, .bulk-edit-panel').first().waitFor();
}

/** Applies what the preview shows; the message with the measured change. */
export async function applyFix(window: Window): Promise<Locator> {
  const { page } = window;
  await page.locator('.bulk-edit-panel .monaco-button, .refactor-preview-panel .monaco-button', { hasText: 'Apply' }).first().click();
  const told = page.locator('.notification-toast', { hasText: 'the advice said' });
  await told.waitFor({ timeout: 60_000 });
  return told;
}
