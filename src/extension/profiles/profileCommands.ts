/** What the Profiles view does with one profile, or several: open, star, delete, export, compare. */

import * as vscode from 'vscode';
import { openProfile } from '../commands/openProfile';
import { compareItems } from '../compare/compareRuns';
import { exportRun } from '../export/exportProfile';
import type { Run } from '../run/run';
import type { Scope } from '../scope';
import { type Item, oldestFirst, runOf } from './items';
import type { Node } from './profilesView';

/** Menus of the view pass items, those of the explorer files: the clicked one, and all selected ones. Other menus pass what means nothing here. */
type Handler = (clicked?: unknown, selected?: unknown) => Promise<void>;

/** @param selection in the view: a key passes nothing */
export function profileCommands(scope: Scope, selection: () => Promise<readonly Node[]>): Record<string, Handler> {
  const chosen = async (clicked: unknown, selected: unknown): Promise<Item[]> => {
    const several = Array.isArray(selected) && selected.length > 1 ? selected : [clicked];
    const items = several.flatMap(itemOf);
    return items.length > 0 ? items : (await selection()).flatMap(itemOf);
  };
  return {
    'profiles.open': async clicked => {
      const [item] = itemOf(clicked);
      await (item ? open(scope, item) : openProfile()());
    },
    'profiles.star': async (clicked, selected) => star(scope, await chosen(clicked, selected), true),
    'profiles.unstar': async (clicked, selected) => star(scope, await chosen(clicked, selected), false),
    'profiles.delete': async (clicked, selected) => remove(scope, await chosen(clicked, selected)),
    'profiles.export': async clicked => exportItem(scope, itemOf(clicked)[0]),
    'profiles.compare': async (clicked, selected) => compareItems(scope, oldestFirst(await chosen(clicked, selected))),
  };
}

/** None for a group, and for what is neither an item nor a profile's file. */
function itemOf(passed: unknown): Item[] {
  if (passed instanceof vscode.Uri) return /\.(nkiprof|json|ntff)$/.test(passed.path) ? [{ kind: 'file', uri: passed }] : [];
  const { kind } = (passed ?? {}) as Partial<Node>;
  return kind === 'kept' || kind === 'file' ? [passed as Item] : [];
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
