/**
 * Inside the extension host of a fresh window: profiles kernels of many instructions, and writes down how long each took from having the
 * profile until its timeline was drawn and until the hints were there. large.mjs starts the windows and makes the table.
 */
import fs from 'node:fs';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../src/extension/extension';
import type { LoadingSteps } from '../src/webview/protocol/messages';

/** One run, milliseconds. */
export interface LargeSample {
  events: number;
  /** Of the profile's container. */
  sizeBytes: number;
  /** From the command to having the profile. */
  captured: number;
  /** From having the profile to the rows. */
  rows: number;
  /** From having the profile to the complete drawing. */
  painted: number;
  /** Of that, in the page. */
  stepsMs: LoadingSteps;
  /** From having the profile to the hints in the editor. */
  hints: number;
}

const RUNS = 3;

export async function run(): Promise<void> {
  const samples: LargeSample[] = [];
  for (const events of process.env.NKI_SCOPE_BENCH_EVENTS!.split(',').map(Number)) {
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, `many_${events}.py`);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(kernelOf(events)));
    for (let i = 0; i < RUNS; i++) {
      samples.push(await measure(uri));
      await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
    }
  }
  fs.writeFileSync(process.env.NKI_SCOPE_BENCH_RESULTS!, JSON.stringify(samples));
}

/** Two loads, two instructions and a store in each iteration, with the triggers of the DMAs: eight events. */
const kernelOf = (events: number) => `import nki
import nki.isa as nisa
import nki.language as nl
import numpy as np


@nki.jit
def many(a, b):
    out = nl.ndarray((128, 64), dtype=a.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(${Math.round(events / 8)}):
        x = nl.ndarray((128, 64), dtype=a.dtype, buffer=nl.sbuf)
        y = nl.ndarray((128, 64), dtype=a.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=x, src=a)
        nisa.dma_copy(dst=y, src=b)
        nisa.tensor_tensor(dst=x, data1=x, data2=y, op=nl.add)
        nisa.activation(dst=y, op=nl.exp, data=x)
        nisa.dma_copy(dst=out, src=y)
    return out


if __name__ == "__main__":
    z = np.zeros((128, 64), dtype=np.float32)
    many(z, z)
`;

async function measure(uri: vscode.Uri): Promise<LargeSample> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), vscode.ViewColumn.One);
  const { simulator, timelines, runs } = await (
    await vscode.extensions.getExtension<ExtensionApi>('nki-scope.nki-scope')!.activate()
  ).product();
  const askedMs = performance.now();
  const original = simulator.capture;
  let capturedMs = 0;
  let sizeBytes = 0;
  // the profile is shown when its kernel returns, before its script ends
  simulator.capture = async (request, listener, signal) => {
    const onReturn: typeof listener.onReturn = call => {
      capturedMs = performance.now();
      sizeBytes = call.profile.length;
      listener.onReturn?.(call);
    };
    const result = await original.call(simulator, request, { ...listener, onReturn }, signal);
    if (result.error) throw new Error(result.error.message);
    return result;
  };
  const painted = once(timelines.onDidPaint);
  const known = once(runs.onDidChange);
  await vscode.commands.executeCommand('nkiScope.profileKernel');
  simulator.capture = original;
  const [paint, told] = await Promise.all([painted, known]);
  return {
    events: paint.value.events,
    sizeBytes,
    captured: capturedMs - askedMs,
    // an older package sends all of a profile at once
    rows: paint.atMs - capturedMs - paint.value.stepsMs.panels - (paint.value.stepsMs.slices ?? 0),
    painted: paint.atMs - capturedMs,
    stepsMs: paint.value.stepsMs,
    hints: told.atMs - capturedMs,
  };
}

function once<T>(event: vscode.Event<T>): Promise<{ value: T; atMs: number }> {
  return new Promise(resolve => {
    const subscription = event(value => {
      subscription.dispose();
      resolve({ value, atMs: performance.now() });
    });
  });
}
