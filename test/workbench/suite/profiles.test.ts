/** The Profiles view and comparing: what was run is kept, starred, deleted, and told apart line by line. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hotLinesOf } from '../../../src/extension/hints/hints';
import type { Item } from '../../../src/extension/profiles/items';
import type { Node } from '../../../src/extension/profiles/profilesView';
import { lineWith, open, product, profile, until } from './support';

const view = async () => (await product()).profilesView;

async function groups(): Promise<Map<string, Item[]>> {
  const nodes = await (await view()).getChildren();
  return new Map(nodes.flatMap((node: Node) => (node.kind === 'group' ? [[node.title, node.items] as const] : [])));
}

const run = (name: string, ...args: unknown[]) => vscode.commands.executeCommand(`nkiScope.profiles.${name}`, ...args);

async function edited(before: string, after: string) {
  const editor = vscode.window.activeTextEditor!;
  const start = editor.document.positionAt(editor.document.getText().indexOf(before));
  assert.ok(await editor.edit(edit => edit.replace(new vscode.Range(start, start.translate(0, before.length)), after)));
}

describe('the Profiles view', () => {
  before(async () => {
    const { profiles } = await product();
    await profiles.delete((await profiles.all()).map(entry => entry.id));
    await open('exp_script.py');
    await profile();
    await until('the profile to be kept', async () => (await profiles.all()).length === 1);
  });

  it('lists what was run, newest first, and says what it was', async () => {
    const [item] = (await groups()).get('Recent')!;
    const shown = (await view()).getTreeItem(item);
    assert.equal(shown.label, 'exp_rows');
    assert.match(String(shown.description), /^[\d.]+ µs · f32\[\d+,\d+\] · trn2 · .* · exp_script\.py$/);
    assert.match(shown.accessibilityInformation!.label, /^exp_rows, [\d.]+ µs · f32.* · trn2/);
  });

  it('a star keeps a profile, and is taken back', async () => {
    await run('star', (await groups()).get('Recent')![0]);
    assert.equal((await groups()).get('Recent'), undefined);
    await run('unstar', (await groups()).get('Starred')![0]);
    assert.equal((await groups()).get('Starred'), undefined);
  });

  it('compares with the last saved run: hints tell the change, a report has every line', async () => {
    const editor = await open('exp_script.py');
    // one more would be less than the model can tell apart
    await edited('nl.exp(tile)', 'nl.exp(nl.exp(nl.exp(tile)))');
    await profile();
    await open('exp_script.py');
    await vscode.commands.executeCommand('nkiScope.compareWithLastRun');
    await until('the report', () =>
      vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ label }) => label === 'exp_rows: compared')),
    );
    const hot = hotLinesOf(await product(), editor.document).lines.find(l => l.now === lineWith(editor.document, 'nl.exp('));
    assert.match(hot!.text, /▲/);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await open('exp_script.py');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('opens a kept profile, compares two of them, and deletes one', async () => {
    const [newer, older] = await until('two kept profiles', async () => {
      const recent = (await groups()).get('Recent') ?? [];
      return recent.length === 2 ? recent : undefined;
    });
    const { runs, profiles } = await product();
    await run('compare', newer, [newer, older]);
    const [front] = runs.all;
    assert.ok(front.before, 'the newer one is in front, measured against the older one');
    assert.ok(front.profile.totalTimeNs > front.before.profile.totalTimeNs);
    await run('open', older);
    assert.equal(runs.all[0].profile.totalTimeNs, front.before.profile.totalTimeNs);
    await run('delete', older);
    assert.equal((await profiles.all()).length, 1);
  });
});
