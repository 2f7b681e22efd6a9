/** A kernel that nothing calls: inputs come from the case file, and go there when they were asked for. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fixture, open, product, profile, until } from './support';

const caseFile = () => fixture('.vscode/nki-scope.json');
const read = async () => JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(caseFile())));
const write = (value: unknown) => vscode.workspace.fs.writeFile(caseFile(), new TextEncoder().encode(JSON.stringify(value)));
const accept = () => vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');

describe('inputs', () => {
  after(async () => {
    await Promise.resolve(vscode.workspace.fs.delete(caseFile())).catch(() => {});
  });

  it('runs the one remembered case without a question', async () => {
    await write({ cases: { add_tiles: [{ name: 'small', args: { a: 'bf16[128,64]', b: 'bf16[128,64]', repeat: 3 }, target: 'trn1' }] } });
    await open('add_module.py');
    await profile();
    const [{ profile: made }] = (await product()).runs.all;
    assert.equal(made.kernel, 'add_tiles');
    assert.equal(made.target, 'trn1');
    assert.deepEqual(
      made.inputs.map(input => [input.name, input.shape, input.dtype]),
      [
        ['a', [128, 64], 'bfloat16'],
        ['b', [128, 64], 'bfloat16'],
      ],
    );
  });

  it('lets the user choose among several', async () => {
    const small = { name: 'small', args: { a: 'f32[8,8]', b: 'f32[8,8]' } };
    const large = { name: 'large', args: { a: 'f32[128,8]', b: 'f32[128,8]' } };
    await write({ cases: { add_tiles: [small, large] } });
    await open('add_module.py');
    let isPainted = false;
    const painted = profile().then(() => {
      isPainted = true;
    });
    // Nothing tells that the question is asked; without one, neither command does anything.
    await until('the chosen case to be painted', async () => {
      await new Promise(resolve => setTimeout(resolve, 1000));
      await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
      await accept();
      return isPainted;
    });
    await painted;
    assert.deepEqual((await product()).runs.all[0].profile.inputs[0].shape, [128, 8]);
  });

  it('says above the kernel how many cases there are, and leads to them', async () => {
    const { document } = await open('add_module.py');
    const lens = await until('the lens of the cases', async () => {
      const all = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 50);
      return all.find(({ command }) => command?.title === '2 cases');
    });
    await vscode.commands.executeCommand(lens.command!.command, ...lens.command!.arguments!);
    const editor = vscode.window.activeTextEditor!;
    assert.equal(editor.document.uri.fsPath, caseFile().fsPath);
    assert.ok(editor.document.lineAt(editor.selection.active.line).text.slice(editor.selection.active.character).startsWith('"add_tiles"'));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('says what is wrong with the case file, and runs nothing', async () => {
    await write({ cases: { add_tiles: {} } });
    await open('add_module.py');
    const before = (await product()).runs.all[0];
    await vscode.commands.executeCommand('nkiScope.profileKernel');
    assert.equal((await product()).runs.all[0], before);
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.workspace.fs.delete(caseFile());
    await until('the case file to be gone', async () =>
      read().then(
        () => false,
        () => true,
      ),
    );
  });
});
