/** A profile's file as a run. It may come from anywhere: it is read in a worker, and the user can stop that at any time. */
import path from 'node:path';
import * as vscode from 'vscode';
import { type ProfileSource, type ReadingClient, ReadingError } from '../../simulator/index';
import type { Identity } from '../run/identity';
import { notifyLate } from '../run/notifyLate';
import { Run } from '../run/run';

interface Needs {
  reading: ReadingClient;
}

export const fileIdentity = (uri: vscode.Uri): Identity => ({ of: 'file', uri: uri.toString() });

/** @param signal of who no longer needs it @throws Error that a person can read, when it is gone or no profile, CancellationError when it was stopped */
export function readRun(parts: Needs, uri: vscode.Uri, signal?: AbortSignal): Promise<Run> {
  const controller = new AbortController();
  const stopped = AbortSignal.any([controller.signal, ...(signal ? [signal] : [])]);
  return notifyLate(`NKI Scope: reading ${path.posix.basename(uri.path)}`, controller, async () => {
    const source = await sourceOf(uri);
    return new Run(fileIdentity(uri), await parts.reading.container(source, stopped).catch(rethrow));
  });
}

/** Of what the user stopped themselves VS Code tells them nothing. */
function rethrow(error: unknown): never {
  throw error instanceof ReadingError && error.problem === 'cancelled' ? new vscode.CancellationError() : error;
}

/** A file of this machine is read where it lies; of any other place VS Code brings the bytes. */
async function sourceOf(uri: vscode.Uri): Promise<ProfileSource> {
  if (uri.scheme === 'file') return { path: uri.fsPath };
  return { bytes: await vscode.workspace.fs.readFile(uri), name: path.posix.parse(uri.path).name };
}
