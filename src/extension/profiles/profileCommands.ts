/** What the Profiles view does with one profile, or several: open, star, delete, export, compare. */

import * as vscode from 'vscode';
import { unpackNkiprof } from '../../simulator/index';
import { openProfile } from '../commands/openProfile';
import { compareRuns } from '../compare/compareRuns';
import { exportRun } from '../export/exportProfile';
import { Run } from '../run/run';
import type { Scope } from '../scope';
import type { Item, Node } from './profilesView';

/** A menu passes the clicked item, and all selected ones when there are several; a key passes nothing. */
type Handler = (item?: Item, selected?: Item[]) => Promise<void>;

/** @param selection in the view */
export function profileCommands(scope: Scope, selection: () => readonly Node[]): Record<string, Handler> {
  const chosen = (item?: Item, selected?: Item[]): Item[] =>
    selected && selected.length > 1 ? selected : item ? [item] : selection().filter(node => node.kind !== 'group');
  return {
    'profiles.open': async item => (item ? open(scope, item) : openProfile()()),
    'profiles.star': async (item, selected) => star(scope, chosen(item, selected), true),
    'profiles.unstar': async (item, selected) => star(scope, chosen(item, selected), false),
    'profiles.delete': async (item, selected) => remove(scope, chosen(item, selected)),
    'profiles.export': async item => exportItem(scope, item),
    'profiles.compare': async (item, selected) => compareItems(scope, chosen(item, selected)),
  };
}

export async function runOf(scope: Scope, item: Item): Promise<Run> {
  if (item.kind === 'kept') return scope.profiles.read(item.entry);
  return new Run(`file\n${item.uri}`, unpackNkiprof(await vscode.workspace.fs.readFile(item.uri)));
}

async function open(scope: Scope, item: Item): Promise<void> {
  if (item.kind === 'file') return openProfile()(item.uri);
  const run = await runOf(scope, item);
  scope.timelines.show(run);
  scope.runs.put(run);
}

async function star(scope: Scope, items: Item[], starred: boolean): Promise<void> {
  for (const item of items) if (item.kind === 'kept') await scope.profiles.star(item.entry.id, starred);
}

/** Kept profiles are copies of ours; files are the user's, and go to the trash after a question. */
async function remove(scope: Scope, items: Item[]): Promise<void> {
  await scope.profiles.delete(items.flatMap(item => (item.kind === 'kept' ? [item.entry.id] : [])));
  const files = items.flatMap(item => (item.kind === 'file' ? [item.uri] : []));
  if (files.length === 0) return;
  const names = files.map(uri => vscode.workspace.asRelativePath(uri)).join(', ');
  const answer = await vscode.window.showWarningMessage(`Delete ${names}?`, { modal: true }, 'Delete');
  if (answer)
    for (const uri of files)
      await vscode.workspace.fs.delete(uri, { useTrash: true }).then(undefined, () => vscode.workspace.fs.delete(uri));
}

/** From the palette: what is in front. */
async function exportItem(scope: Scope, item: Item | undefined): Promise<void> {
  const run = item ? await runOf(scope, item) : (scope.timelines.active?.current ?? frontmost(scope));
  if (run) await exportRun(scope, run);
  else void vscode.window.showInformationMessage('No kernel has been profiled yet.');
}

function frontmost({ runs }: Scope): Run | undefined {
  const file = vscode.window.activeTextEditor?.document.uri.fsPath;
  return (file === undefined ? undefined : runs.ofFile(file)) ?? runs.all[0];
}

async function compareItems(scope: Scope, items: Item[]): Promise<void> {
  const runs = await Promise.all(items.map(item => runOf(scope, item)));
  const [before, after] = items.length === 2 ? inOrder(items, runs) : [runs[0], undefined];
  await compareRuns(scope, before, after);
}

/** The older one first; files keep the order in which they were selected. */
function inOrder([a, b]: Item[], runs: Run[]): Run[] {
  const isNewer = a.kind === 'kept' && b.kind === 'kept' && a.entry.madeAtMs > b.entry.madeAtMs;
  return isNewer ? [runs[1], runs[0]] : runs;
}
