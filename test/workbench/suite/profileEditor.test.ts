/** A saved profile opens like any file, as its timeline; one that cannot be read says why. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { fileIdentity } from '../../../src/extension/profiles/readRun';
import { identityOf, keyOf } from '../../../src/extension/run/identity';
import { readSystemJson } from '../../../src/simulator/formats/capture/system/json';
import { packNkiprof, perfettoChunks } from '../../../src/simulator/index';
import { systemJson } from '../../support/systemTrace';
import { fixture, next, open, product, profile } from './support';

const saved = () => fixture('saved.nkiprof');
const keyOfFile = (uri: vscode.Uri) => keyOf(fileIdentity(uri));
const write = (uri: vscode.Uri, bytes: Uint8Array) => vscode.workspace.fs.writeFile(uri, bytes);

describe('the profile editor', () => {
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    // each is written by a test, which need not have run
    for (const uri of [saved(), fixture('corrupt.nkiprof')]) fs.rmSync(uri.fsPath, { force: true });
  });

  it('opens a .nkiprof file as its timeline', async () => {
    await open('exp_script.py');
    await profile();
    const { runs, timelines } = await product();
    const { bytes } = runs.all[0];
    await write(saved(), packNkiprof(bytes));
    const painted = next(timelines.onDidPaint);
    await vscode.commands.executeCommand('vscode.open', saved());
    assert.equal((await painted).key, keyOfFile(saved()));
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab!;
    assert.ok(input instanceof vscode.TabInputCustom);
    assert.equal(input.viewType, 'nkiScope.profileEditor');
    assert.deepEqual(runs.all[0].bytes, bytes);
  });

  it('leads to the lines of its source', async () => {
    const { runs, timelines } = await product();
    const [run] = runs.all;
    const file = fixture('exp_script.py').fsPath;
    const [line] = run.linesOf(file).keys();
    await timelines.openSource({ file, line }, true, timelines.show(run));
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, file);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, line - 1);
  });

  it('follows the file', async () => {
    await vscode.commands.executeCommand('vscode.open', saved());
    await open('two_kernels.py');
    const other = (await profile(fixture('two_kernels.py'), 'copy_once')).key;
    const { runs, timelines } = await product();
    await vscode.commands.executeCommand('vscode.open', saved());
    // The view that comes to the front may be drawn once more with what it had.
    const isNew = () => runs.get(keyOfFile(saved()))?.profile.kernel === 'copy_once';
    const painted = next(timelines.onDidPaint, ({ key }) => identityOf(key)?.of === 'file' && isNew());
    await write(saved(), packNkiprof(runs.get(other)!.bytes));
    await painted;
  });

  it('opens a system profile of AWS, as JSON and as a Perfetto trace', async () => {
    const { runs, timelines } = await product();
    const json = new TextEncoder().encode(systemJson());
    const trace = Buffer.concat([...perfettoChunks(readSystemJson([json], { name: 'system_profile' }))]);
    for (const [name, bytes] of [
      ['system_profile.json', json],
      ['system_profile.pftrace', trace],
    ] as const) {
      const uri = fixture(name);
      await write(uri, bytes);
      const painted = next(timelines.onDidPaint);
      await vscode.commands.executeCommand('nkiScope.openProfile', uri);
      assert.equal((await painted).key, keyOfFile(uri));
      const { profile: read } = runs.get(keyOfFile(uri))!;
      assert.equal(read.opcodes.includes('nc_exec_running') && read.tracks.every(({ kind }) => kind === 'system'), true);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('says why a corrupt file cannot be shown, and recovers with it', async () => {
    const { runs, timelines } = await product();
    const corrupt = fixture('corrupt.nkiprof');
    const before = runs.all.length;
    await write(corrupt, new TextEncoder().encode('NKIPROF\nnot really'));
    const failed = next(timelines.onDidFail);
    await vscode.commands.executeCommand('nkiScope.openProfile', corrupt);
    const { title, message } = await failed;
    assert.equal(title, 'corrupt.nkiprof');
    assert.match(message, /nkiprof/i);
    assert.equal(runs.all.length, before);
    const painted = next(timelines.onDidPaint);
    await write(corrupt, packNkiprof(runs.all[0].bytes));
    assert.equal((await painted).key, keyOfFile(corrupt));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
