/** Kernels of a package are profiled from their own files: what these import is found as Python and pytest find it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { diagnosticsOf, fixture, lineWith, open, product, profile, until } from './support';

describe('packages', () => {
  it('a kernel with relative imports is profiled from its own file', async () => {
    const cases = { cases: { twice: [{ name: 'small', args: { a: 'f32[128,64]' } }] } };
    const file = fixture('.vscode/nki-scope.json');
    const before = fs.existsSync(file.fsPath) ? fs.readFileSync(file.fsPath) : undefined;
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(cases)));
    try {
      const { document } = await open('library/src/tiles/kernels/twice.py');
      await profile(document.uri, 'twice');
    } finally {
      if (before) fs.writeFileSync(file.fsPath, before);
      else await vscode.workspace.fs.delete(file);
    }
    const [run] = (await product()).runs.all;
    assert.deepEqual(diagnosticsOf('library/src/tiles/kernels/twice.py'), []);
    assert.equal(run.kernel, 'twice');
    assert.match(run.title, /^twice\.py: twice · small · trn2 · /);
    assert.deepEqual(run.profile.inputs[0].shape, [128, 64]);
  });

  it('a script of a project in the workspace has the lens at the call of a kernel from its src, before anything ran', async () => {
    const { document } = await open('library/scripts/calls_twice.py');
    const lens = await until('the lens', async () => {
      const all = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 10);
      return all.find(({ command }) => command?.command === 'nkiScope.profileKernel');
    });
    assert.equal(lens.range.start.line + 1, lineWith(document, 'twice(np'));
    await profile(...(lens.command!.arguments as unknown[]));
    assert.match((await product()).runs.all[0].title, /^calls_twice\.py: twice · f32\[128,64\] · trn2 · /);
  });

  it('the extra paths of the editor are imported from', async () => {
    const analysis = vscode.workspace.getConfiguration('python.analysis');
    // without the Python extension nobody declares the setting: it stands in the workspace's file
    assert.equal(analysis.get('extraPaths'), undefined);
    const settings = fixture('.vscode/settings.json');
    const before = fs.existsSync(settings.fsPath) ? fs.readFileSync(settings.fsPath, 'utf8') : undefined;
    const wanted = { ...JSON.parse(before ?? '{}'), 'python.analysis.extraPaths': ['./library/extra'] };
    const changed = new Promise<void>(resolve => {
      const once = vscode.workspace.onDidChangeConfiguration(event => {
        if (!event.affectsConfiguration('python.analysis.extraPaths')) return;
        once.dispose();
        resolve();
      });
    });
    await vscode.workspace.fs.writeFile(settings, new TextEncoder().encode(JSON.stringify(wanted)));
    await changed;
    try {
      const { document } = await open('library/measured.py');
      await profile(document.uri);
      assert.deepEqual((await product()).runs.all[0].profile.inputs[0].shape, [128, 32]);
    } finally {
      if (before === undefined) await vscode.workspace.fs.delete(settings);
      else fs.writeFileSync(settings.fsPath, before);
    }
  });
});
