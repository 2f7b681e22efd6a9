/** What axe finds wrong with a page as it is now: names, roles, contrast, order of headings. */
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Page } from 'playwright-core';

declare const NKI_SCOPE_ROOT: string;

interface Axe {
  run(
    of: Document,
    options: object,
  ): Promise<{ violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[] }>;
}

/** One line per fault; none: nothing was found. Rules that axe calls experimental are not asked. */
export async function faultsOf(page: Page | Frame): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window)))
    await page.evaluate(`${fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')};undefined`);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: Axe }).axe.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1] ?? ''}`),
    );
  });
}
