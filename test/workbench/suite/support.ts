/** What every test of the suite needs: the installed extension, the fixture's files, and waiting for things to happen. */
import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/extension/extension';
import type { Painted } from '../../../src/extension/timeline/timelines';
import { WAIT_LIMIT_MS } from '../../support/patience';

const EXTENSION_ID = 'nki-scope.nki-scope';

export function extension(): vscode.Extension<ExtensionApi> {
  const found = vscode.extensions.getExtension<ExtensionApi>(EXTENSION_ID);
  assert.ok(found, `${EXTENSION_ID} is not installed`);
  return found;
}

export const product = async () => (await extension().activate()).product();

export const fixture = (name: string) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0].uri, name);

export async function open(name: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(fixture(name)), vscode.ViewColumn.One);
}

/** 1-based number of the first line with this text. */
export function lineWith(document: vscode.TextDocument, text: string): number {
  const index = document
    .getText()
    .split('\n')
    .findIndex(line => line.includes(text));
  assert.ok(index >= 0, `${path.basename(document.fileName)} has no line with ${text}`);
  return index + 1;
}

/** The value as soon as it is there. @throws Error that names what was waited for */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<Exclude<NonNullable<T>, false>> {
  const deadline = Date.now() + WAIT_LIMIT_MS;
  for (;;) {
    const value = await look();
    if (value) return value as Exclude<NonNullable<T>, false>;
    if (Date.now() > deadline) throw new Error(`waited ${WAIT_LIMIT_MS} ms in vain for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** The setting has this value in the workspace while something is done. */
export async function withSetting(name: string, value: unknown, act: () => Promise<unknown>): Promise<void> {
  const set = (to: unknown) => vscode.workspace.getConfiguration('nkiScope').update(name, to, vscode.ConfigurationTarget.Workspace);
  await set(value);
  try {
    await act();
  } finally {
    await set(undefined);
  }
}

/** What the output channel is given while something is done, which sees it. */
export async function withOutput(act: (written: string[]) => Promise<unknown>): Promise<string[]> {
  const { log } = await product();
  const written: string[] = [];
  const append = Object.getOwnPropertyDescriptor(log, 'append')!;
  Object.defineProperty(log, 'append', { ...append, value: (text: string) => written.push(text) });
  try {
    await act(written);
  } finally {
    Object.defineProperty(log, 'append', append);
  }
  return written;
}

/** The event's next value, or the next that is wanted. @throws Error where none comes */
export function next<T>(event: vscode.Event<T>, isWanted: (value: T) => boolean = () => true): Promise<T> {
  const value = new Promise<T>((resolve, reject) => {
    const inVain = setTimeout(() => {
      subscription.dispose();
      reject(new Error(`waited ${WAIT_LIMIT_MS} ms in vain for an event`));
    }, WAIT_LIMIT_MS);
    const subscription = event(value => {
      if (!isWanted(value)) return;
      clearTimeout(inVain);
      subscription.dispose();
      resolve(value);
    });
  });
  // a test that failed before it waited for this one is told of by itself
  value.catch(() => {});
  return value;
}

/** Runs the command and waits for the timeline's first complete drawing. */
export async function profile(...args: unknown[]) {
  const { timelines } = await product();
  const painted: Promise<Painted> = next(timelines.onDidPaint);
  await vscode.commands.executeCommand('nkiScope.profileKernel', ...args);
  return painted;
}

export const diagnosticsOf = (name: string) =>
  vscode.languages.getDiagnostics(fixture(name)).filter(diagnostic => diagnostic.source === 'NKI Scope');
