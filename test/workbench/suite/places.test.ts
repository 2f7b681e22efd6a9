/** Where the extension and its settings live: on the machine of the files, in the scopes that settings sync and folders need. */
import assert from 'node:assert/strict';
import os from 'node:os';
import * as vscode from 'vscode';
import { extension, open, product, profile } from './support';

interface Property {
  scope?: string;
}

describe('remote windows', () => {
  it('the extension runs where the files are, with the interpreter it carries', async function () {
    // A desktop window on this machine is not remote.
    if (!vscode.env.remoteName) this.skip();
    assert.equal(extension().extensionKind, vscode.ExtensionKind.Workspace);
    assert.equal(vscode.env.uiKind, vscode.UIKind.Web, 'the window is a browser, and cannot run anything');
    await open('exp_script.py');
    await profile();
    const [run] = (await product()).runs.all;
    assert.equal(run.textOf(vscode.window.activeTextEditor!.document.uri.fsPath) !== undefined, true);
    assert.ok(extension().extensionPath.startsWith(os.tmpdir()), 'installed on the server');
  });
});

describe('settings sync', () => {
  const properties: Record<string, Property> = extension().packageJSON.contributes.configuration.properties;

  it('a place of this machine stays on it; all other settings go along, and may differ by folder', () => {
    const places: Record<string, string> = {
      'nkiScope.pythonPath': 'machine-overridable',
      'nkiScope.neuronToolPath': 'machine',
      'nkiScope.profileFolders': 'machine',
    };
    for (const [name, { scope: where }] of Object.entries(properties)) assert.equal(where, places[name] ?? 'resource', name);
  });

  it('commands write to the user’s settings, which are synced, unless the workspace has its own', async () => {
    const value = () => vscode.workspace.getConfiguration('nkiScope').inspect('hints.enabled')!;
    await open('exp_script.py');
    await vscode.commands.executeCommand('nkiScope.toggleHints');
    assert.deepEqual([value().globalValue, value().workspaceValue], [false, undefined]);
    await vscode.workspace.getConfiguration('nkiScope').update('hints.enabled', false, vscode.ConfigurationTarget.Workspace);
    await vscode.commands.executeCommand('nkiScope.toggleHints');
    assert.deepEqual([value().globalValue, value().workspaceValue], [false, true]);
    for (const target of [vscode.ConfigurationTarget.Global, vscode.ConfigurationTarget.Workspace])
      await vscode.workspace.getConfiguration('nkiScope').update('hints.enabled', undefined, target);
  });

  it('nothing else that is kept would have to go along', async () => {
    const { context } = await product();
    assert.deepEqual(context.globalState.keys(), []);
    assert.deepEqual(context.workspaceState.keys(), []);
  });
});
