/**
 * Inside the extension host of one window: types into a profiled kernel and writes down how long it took until the hints were those
 * of the edit, how long the host was busy at a stretch meanwhile, and what drawing the hints of a long file costs. A step that takes
 * too long is told by its name, with what was measured so far.
 */
import fs from 'node:fs';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../src/extension/extension';
import { drawHints } from '../src/extension/hints/hints';
import type { Refreshed } from '../src/extension/live/live';

export interface EditorSamples {
  refreshMs: number[];
  /** Longest time without a turn of the event loop, per edit, by the clock. */
  longestTaskMs: number[];
  /** The same in CPU time of the host's thread: on a busy machine the clock says little. Empty where Node does not tell it. */
  longestTaskCpuMs: number[];
  drawMs: number[];
  drawCpuMs: number[];
  drawnLines: number;
  activationMs: number;
  /** The step that failed or took too long; what comes after it is not measured. */
  stoppedAt?: string;
}

const EDITS = 20;
const DRAWS = 20;
const LONG_FILE = 'long_kernel.py';
const LONG_LINES = 2000;
/** Of one step: a run, an edit. All of them fit into the limit of the window. */
const STEP_LIMIT_MS = 30_000;

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<ExtensionApi>('nki-scope.nki-scope')!;
  const { activationMs, product } = await extension.activate();
  const samples: EditorSamples = {
    refreshMs: [],
    longestTaskMs: [],
    longestTaskCpuMs: [],
    drawMs: [],
    drawCpuMs: [],
    drawnLines: 0,
    activationMs,
  };
  try {
    await typing(await product(), samples);
    await drawing(await product(), samples);
  } catch (error) {
    samples.stoppedAt = (error as Error).message;
  }
  fs.writeFileSync(process.env.NKI_SCOPE_BENCH_RESULTS!, JSON.stringify(samples));
}

type Product = Awaited<ReturnType<ExtensionApi['product']>>;

const fixture = (name: string) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, name);
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** @throws Error that names the step when it does not end in time */
async function step<T>(name: string, what: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name}: no end within ${STEP_LIMIT_MS / 1000} s`)), STEP_LIMIT_MS);
  });
  return Promise.race([Promise.resolve(what), limit]).finally(() => clearTimeout(timer));
}

/** Profiles the file and gives its editor, which has the focus again. */
async function profiled(name: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(fixture(name));
  const editor = await step(`open ${name}`, vscode.window.showTextDocument(document, vscode.ViewColumn.One));
  await step(`profile ${name}`, vscode.commands.executeCommand('nkiScope.profileKernel'));
  return step(`return to ${name}`, vscode.window.showTextDocument(editor.document, vscode.ViewColumn.One));
}

/** Edits a number in the kernel's loop, there and back. */
async function typing({ live }: Product, { refreshMs, longestTaskMs, longestTaskCpuMs }: EditorSamples): Promise<void> {
  const editor = await profiled('exp_script.py');
  await pause(3000);
  for (let i = 0; i < EDITS; i++) {
    const turns = new Turns();
    const refreshed = next(live.onDidRefresh);
    const [before, after] = i % 2 === 0 ? ['// 128', '// 256'] : ['// 256', '// 128'];
    const start = editor.document.positionAt(editor.document.getText().indexOf(before));
    await editor.edit(edit => edit.replace(new vscode.Range(start, start.translate(0, before.length)), after));
    refreshMs.push((await step(`hints of edit ${i + 1}`, refreshed)).sinceEditMs);
    await pause(100);
    turns.stop();
    longestTaskMs.push(turns.longestMs);
    if (threadCpuMs() !== undefined) longestTaskCpuMs.push(turns.longestCpuMs);
    await pause(1500);
  }
}

/** Watches the event loop turn, once a millisecond. */
class Turns {
  longestMs = 0;
  longestCpuMs = 0;
  private lastMs = performance.now();
  private lastCpuMs = threadCpuMs() ?? 0;
  private readonly timer = setInterval(() => this.turn(), 1);

  stop(): void {
    clearInterval(this.timer);
  }

  private turn() {
    const [nowMs, nowCpuMs] = [performance.now(), threadCpuMs() ?? 0];
    this.longestMs = Math.max(this.longestMs, nowMs - this.lastMs);
    this.longestCpuMs = Math.max(this.longestCpuMs, nowCpuMs - this.lastCpuMs);
    [this.lastMs, this.lastCpuMs] = [nowMs, nowCpuMs];
  }
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
async function drawing(product: Product, samples: EditorSamples): Promise<void> {
  fs.writeFileSync(fixture(LONG_FILE).fsPath, longKernel());
  await vscode.workspace.getConfiguration('nkiScope').update('hints.threshold', 0, vscode.ConfigurationTarget.Workspace);
  const editor = await profiled(LONG_FILE);
  for (let i = 0; i < DRAWS; i++) {
    const [startMs, startCpuMs] = [performance.now(), threadCpuMs()];
    samples.drawnLines = drawHints(product, editor);
    samples.drawMs.push(performance.now() - startMs);
    if (startCpuMs !== undefined) samples.drawCpuMs.push(threadCpuMs()! - startCpuMs);
    await pause(50);
  }
}

/** Node knows it from 23.9 on, the types do not yet. */
function threadCpuMs(): number | undefined {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  const used = threadCpuUsage?.();
  return used && (used.user + used.system) / 1000;
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
