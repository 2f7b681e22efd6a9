/** Settings reach the run. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { open, product, profile, withSetting } from './support';

describe('settings', () => {
  for (const target of ['trn1', 'trn3'])
    it(`target ${target}`, async () => {
      await withSetting('target', target, async () => {
        await open('exp_script.py');
        await profile();
      });
      const [run] = (await product()).runs.all;
      assert.equal(run.profile.target, target);
      assert.equal(run.profile.target, target);
    });

  it('threshold: only lines above it are hot', async () => {
    const { runs } = await product();
    const editor = await open('exp_script.py');
    const all = [...runs.all[0].linesOf(editor.document.uri.fsPath).values()].filter(line => line.timeNs > 0);
    const hottest = Math.max(...all.map(line => line.share)) * 100;
    await withSetting('hints.threshold', hottest + 0.1, async () => {
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await vscode.commands.executeCommand('nkiScope.nextHotLine');
      assert.equal(editor.selection.active.line, 0, 'there is no hot line to go to');
    });
    await vscode.commands.executeCommand('nkiScope.nextHotLine');
    assert.notEqual(editor.selection.active.line, 0);
  });
});
