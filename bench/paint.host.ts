/**
 * Inside the extension host of a fresh window: asks for “Profile Kernel” at once, then again and again, and writes down how long each
 * took until the timeline was drawn. paint.mjs starts the windows and makes the table.
 */
import fs from 'node:fs';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../src/extension/extension';
import type { Painted } from '../src/extension/timeline/timelines';
import type { CaptureResult } from '../src/simulator/index';

/** One run, milliseconds. */
export interface Sample {
  /** From the command to the complete drawing. */
  painted: number;
  /** From the command to having the profile. */
  captured: number;
  /** Of that, before the simulator was asked: loading the extension's main part, finding out what to run. */
  asked: number;
  /** In the view: from asking for the profile to having drawn it. */
  drawn: number;
  phases: CaptureResult['timingsMs'];
}

type Product = Awaited<ReturnType<ExtensionApi['product']>>;

const FILE = 'exp_script.py';
const AGAIN = 5;
/** The next interpreter starts in the background; a person takes longer than this between two runs. */
const PAUSE_MS = 3000;

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension<ExtensionApi>('nki-scope.nki-scope')!;
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, FILE);
  const settled = process.env.NKI_SCOPE_BENCH_SETTLED === '1';
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), vscode.ViewColumn.One);
  if (settled) await pause(PAUSE_MS);
  const samples = [await measure(extension)];
  for (let i = 0; i < AGAIN; i++) {
    await pause(PAUSE_MS);
    samples.push(await measure(extension));
  }
  fs.writeFileSync(process.env.NKI_SCOPE_BENCH_RESULTS!, JSON.stringify(samples));
}

async function measure(extension: vscode.Extension<ExtensionApi>): Promise<Sample> {
  const startMs = performance.now();
  // The time includes loading; listening begins before the command, so that no event of it is missed.
  const { simulator, timelines } = await (await extension.activate()).product();
  const [capture, painted] = [nextCapture(simulator), nextPaint(timelines)];
  const command = vscode.commands.executeCommand('nkiScope.profileKernel');
  const { askedMs, capturedMs, phases } = await capture;
  const { sinceLoadMs: drawn } = await painted;
  const sample = { painted: performance.now() - startMs, captured: capturedMs - startMs, asked: askedMs - startMs, drawn, phases };
  await command;
  return sample;
}

/** Listens to one call. */
function nextCapture(simulator: Product['simulator']): Promise<{ askedMs: number; capturedMs: number; phases: Sample['phases'] }> {
  const original = simulator.capture;
  return new Promise((resolve, reject) => {
    simulator.capture = async (...args) => {
      const askedMs = performance.now();
      simulator.capture = original;
      const result = await original.apply(simulator, args);
      if (result.error) reject(new Error(result.error.message));
      resolve({ askedMs, capturedMs: performance.now(), phases: result.timingsMs });
      return result;
    };
  });
}

function nextPaint(timelines: Product['timelines']): Promise<Painted> {
  return new Promise(resolve => {
    const once = timelines.onDidPaint(event => {
      once.dispose();
      resolve(event);
    });
  });
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
