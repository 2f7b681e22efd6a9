/** A workspace of several folders: each has its settings, cases and helpers, and a run sees its own folder. */
import fs from 'node:fs';
import path from 'node:path';
import { Timeline } from '../harness/timeline';
import { openWindow, otherServer } from './support';

const KERNEL = (name: string) => `import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl

from columns import COLUMNS


@nki.jit
def ${name}(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.dma_copy(dst=out, src=tile)
    return out


if __name__ == "__main__":
    ${name}(np.ones((128, COLUMNS), dtype=np.float32))
`;

interface Content {
  target: string;
  columns: number;
  cases: Record<string, object[]>;
}

function writeFolder(folder: string, kernel: string, { target, columns, cases }: Content): void {
  fs.mkdirSync(path.join(folder, '.vscode'), { recursive: true });
  fs.writeFileSync(path.join(folder, `${kernel}.py`), KERNEL(kernel));
  fs.writeFileSync(path.join(folder, 'columns.py'), `COLUMNS = ${columns}\n`);
  fs.writeFileSync(path.join(folder, '.vscode/settings.json'), JSON.stringify({ 'nkiScope.target': target }));
  fs.writeFileSync(path.join(folder, '.vscode/nki-scope.json'), JSON.stringify({ cases }));
}

describe('a workspace of several folders @long', () => {
  it('takes settings, cases and helpers of the folder that the file is in', async () => {
    const server = await otherServer('roots', {});
    const cases = { in_second: [{ name: 'narrow', args: { x: 'f32[128,8]' } }] };
    const folders = { first: { target: 'trn1', columns: 64, cases: {} }, second: { target: 'trn3', columns: 512, cases } };
    for (const [name, content] of Object.entries(folders)) writeFolder(path.join(server.workspace, name), `in_${name}`, content);
    const roots = { folders: Object.keys(folders).map(name => ({ path: name })) };
    fs.writeFileSync(path.join(server.workspace, 'two.code-workspace'), JSON.stringify(roots));
    const window = await openWindow(undefined, Promise.resolve(server), 'two.code-workspace');
    const status = window.page.locator('.statusbar-item[id$="nkiScope.target"]');
    for (const [name, { target, cases: own }] of Object.entries(folders)) {
      await window.openFile(`in_${name}.py`);
      await window.page.locator('.codelens-decoration a', { hasText: `target: ${target}` }).waitFor();
      const profile = () => window.command('NKI Scope: Profile Kernel');
      const tab = window.page.locator('.tab', { hasText: new RegExp(`in_${name}\\.py: in_${name} · .* · ${target} · `) });
      // A kernel with a case may be run with it instead of as a script.
      if (Object.keys(own).length > 0) await window.quickPick('narrow', profile, tab);
      else await profile();
      await tab.waitFor();
      await status.filter({ hasText: new RegExp(`${target} [\\d.]+ (ns|µs)`) }).waitFor();
    }
    await new Timeline(window).untilPainted();
    await window.shot('12-roots');
  });
});
