/** The installed package: complete, fast to activate, and silent until it is needed. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { measure } from './measures';
import { extension, open, product } from './support';

describe('the installed extension', () => {
  it('is the packaged one, not a folder under development', () => {
    assert.notEqual(path.basename(path.dirname(extension().extensionPath)), 'workbench');
    assert.equal(fs.existsSync(path.join(extension().extensionPath, 'src')), false);
    assert.equal(fs.existsSync(path.join(extension().extensionPath, 'node_modules')), false);
  });

  it('activates with a Python file', async () => {
    await open('exp_script.py');
    const { activationMs } = await extension().activate();
    assert.ok(extension().isActive);
    measure('activate()', [activationMs]);
    measure('loading the extension file again, Node’s cache emptied', Array.from({ length: 5 }, loadMs));
  });

  it('registers every command of its manifest', async () => {
    await product();
    const declared: { command: string }[] = extension().packageJSON.contributes.commands;
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      declared.map(c => c.command).filter(command => !known.has(command)),
      [],
    );
  });

  it('ships licence and notices', () => {
    const files = fs.readdirSync(extension().extensionPath).map(name => name.toLowerCase());
    assert.ok(
      files.some(name => name.startsWith('license')),
      files.join(' '),
    );
    const notices = fs.readFileSync(path.join(extension().extensionPath, 'dist/ThirdPartyNotices.txt'), 'utf8');
    for (const name of ['uplot', 'Pyodide', 'CPython']) assert.ok(notices.includes(name), `no notice for ${name}`);
  });
});

/** What VS Code does before it can call activate(). */
function loadMs(): number {
  const file = path.join(extension().extensionPath, 'dist/extension.js');
  const kept = require.cache[file];
  delete require.cache[file];
  const startedMs = performance.now();
  require(file);
  const tookMs = performance.now() - startedMs;
  if (kept) require.cache[file] = kept;
  return tookMs;
}
