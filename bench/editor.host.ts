/**
 * Inside the extension host of one window: types into a profiled kernel and writes down how long it took until the hints were those
 * of the edit, how long the host was busy at a stretch meanwhile, and what drawing the hints of a long file costs.
 */
import fs from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../src/extension/extension';
import { drawHints } from '../src/extension/hints/hints';
import type { Refreshed } from '../src/extension/live/live';

export interface EditorSamples {
  refreshMs: number[];
  /** Longest time without a turn of the event loop, per edit. */
  longestTaskMs: number[];
  drawMs: number[];
  drawnLines: number;
  activationMs: number;
}

const EDITS = 20;
const DRAWS = 20;
const LONG_FILE = 'long_kernel.py';
const LONG_LINES = 2000;

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<ExtensionApi>('nki-scope.nki-scope')!;
  const { activationMs, product } = await extension.activate();
  const typed = await typing(await product());
  const drawn = await drawing(await product());
  fs.writeFileSync(process.env.NKI_SCOPE_BENCH_RESULTS!, JSON.stringify({ ...typed, ...drawn, activationMs } satisfies EditorSamples));
}

type Product = Awaited<ReturnType<ExtensionApi['product']>>;

const fixture = (name: string) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, name);
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** Edits a number in the kernel's loop, there and back. */
async function typing({ live }: Product) {
  const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(fixture('exp_script.py')));
  await vscode.commands.executeCommand('nkiScope.profileKernel');
  await vscode.window.showTextDocument(editor.document, vscode.ViewColumn.One);
  await pause(3000);
  const [refreshMs, longestTaskMs]: [number[], number[]] = [[], []];
  for (let i = 0; i < EDITS; i++) {
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    const refreshed = next(live.onDidRefresh);
    const [before, after] = i % 2 === 0 ? ['// 128', '// 256'] : ['// 256', '// 128'];
    const start = editor.document.positionAt(editor.document.getText().indexOf(before));
    await editor.edit(edit => edit.replace(new vscode.Range(start, start.translate(0, before.length)), after));
    refreshMs.push((await refreshed).sinceEditMs);
    await pause(100);
    longestTaskMs.push(delays.max / 1e6);
    delays.disable();
    await pause(1500);
  }
  return { refreshMs, longestTaskMs };
}

function next(event: vscode.Event<Refreshed>): Promise<Refreshed> {
  return new Promise(resolve => {
    const once = event(value => {
      once.dispose();
      resolve(value);
    });
  });
}

/** A kernel of thousands of lines, each of them hot. */
async function drawing({ scope }: Product) {
  fs.writeFileSync(fixture(LONG_FILE).fsPath, longKernel());
  await vscode.workspace.getConfiguration('nkiScope').update('hints.threshold', 0, vscode.ConfigurationTarget.Workspace);
  const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(fixture(LONG_FILE)), vscode.ViewColumn.One);
  await vscode.commands.executeCommand('nkiScope.profileKernel');
  await vscode.window.showTextDocument(editor.document, vscode.ViewColumn.One);
  const drawMs: number[] = [];
  let drawnLines = 0;
  for (let i = 0; i < DRAWS; i++) {
    const startMs = performance.now();
    drawnLines = drawHints(scope, editor);
    drawMs.push(performance.now() - startMs);
    await pause(50);
  }
  return { drawMs, drawnLines };
}

function longKernel(): string {
  const body = Array.from({ length: LONG_LINES }, () => '    nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=1.5)');
  return `import numpy as np

import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def long_kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
${body.join('\n')}
    nisa.dma_copy(dst=out, src=tile)
    return out


long_kernel(np.ones((128, 64), dtype=np.float32))
`;
}
