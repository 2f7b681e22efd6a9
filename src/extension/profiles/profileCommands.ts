/** Commands of the Profiles view for one or several profiles: open, star, delete, export, compare. */

import * as vscode from 'vscode';
import type { ReadingClient } from '../../simulator/index';
import { openProfile } from '../commands/openProfile';
import { compareItems } from '../compare/compareRuns';
import { exportRun } from '../export/exportProfile';
import type { LastPython } from '../kernels/lastPython';
import type { Run } from '../run/run';
import type { Runs } from '../run/runs';
import type { Annotations } from '../timeline/annotations';
import type { Timelines } from '../timeline/timelines';
import { type Item, oldestFirst, runOf } from './items';
import type { ProfileFiles } from './profileFiles';
import type { ProfileStore } from './profileStore';
import type { Node } from './profilesView';

interface Needs {
  annotations: Annotations;
  log: vscode.LogOutputChannel;
  extensionUri: vscode.Uri;
  runs: Runs;
  timelines: Timelines;
  profiles: ProfileStore;
  profileFiles: ProfileFiles;
  reading: ReadingClient;
  lastPython: LastPython;
  /** The selection of the view, because a key passes no argument. */
  selected: () => Promise<readonly Node[]>;
}

/**
 * Menus of the view pass items, those of the explorer pass files: the clicked one, and all selected ones. Arguments of other menus are
 * ignored.
 */
type Handler = (clicked?: unknown, selected?: unknown) => Promise<void>;

export function profileCommands(parts: Needs): Record<string, Handler> {
  const chosen = async (clicked: unknown, selected: unknown): Promise<Item[]> => {
    const several = Array.isArray(selected) && selected.length > 1 ? selected : [clicked];
    const items = several.flatMap(itemOf);
    return items.length > 0 ? items : (await parts.selected()).flatMap(itemOf);
  };
  return {
    'profiles.open': async clicked => {
      const [item] = itemOf(clicked);
      await (item ? open(parts, item) : openProfile()());
    },
    'profiles.star': async (clicked, selected) => star(parts, await chosen(clicked, selected), true),
    'profiles.unstar': async (clicked, selected) => star(parts, await chosen(clicked, selected), false),
    'profiles.delete': async (clicked, selected) => remove(parts, await chosen(clicked, selected)),
    'profiles.export': async clicked => exportItem(parts, itemOf(clicked)[0]),
    'profiles.compare': async (clicked, selected) => compareItems(parts, oldestFirst(await chosen(clicked, selected))),
  };
}

/** Undefined for a group, and for anything but an item or a profile's file. */
function itemOf(passed: unknown): Item[] {
  if (passed instanceof vscode.Uri) return /\.(nkiprof|json|ntff)$/.test(passed.path) ? [{ kind: 'file', uri: passed }] : [];
  const { kind } = (passed ?? {}) as Partial<Node>;
  return kind === 'kept' || kind === 'file' ? [passed as Item] : [];
}

async function open(parts: Needs, item: Item): Promise<void> {
  if (item.kind === 'file') return openProfile()(item.uri);
  const run = await runOf(parts, item);
  parts.timelines.show(run);
  parts.runs.put(run);
}

async function star(parts: Needs, items: Item[], starred: boolean): Promise<void> {
  for (const item of items) if (item.kind === 'kept') await parts.profiles.star(item.entry.id, starred);
}

/** Kept profiles are our own copies. Files belong to the user, and go to the trash after a question. */
async function remove(parts: Needs, items: Item[]): Promise<void> {
  await parts.profiles.delete(items.flatMap(item => (item.kind === 'kept' ? [item.entry.id] : [])));
  const files = items.flatMap(item => (item.kind === 'file' ? [item.uri] : []));
  if (files.length === 0) return;
  const names = files.map(uri => vscode.workspace.asRelativePath(uri)).join(', ');
  const answer = await vscode.window.showWarningMessage(`Delete ${names}?`, { modal: true }, 'Delete');
  if (answer)
    for (const uri of files)
      await vscode.workspace.fs.delete(uri, { useTrash: true }).then(undefined, () => vscode.workspace.fs.delete(uri));
}

/** From the palette: exports the run in front. */
async function exportItem(parts: Needs, item: Item | undefined): Promise<void> {
  const run = item ? await runOf(parts, item) : (parts.timelines.active?.current ?? frontmost(parts));
  if (run) await exportRun(parts, run);
  else void vscode.window.showInformationMessage('No kernel has been profiled yet.');
}

function frontmost({ runs }: Needs): Run | undefined {
  const file = vscode.window.activeTextEditor?.document.uri.fsPath;
  return (file === undefined ? undefined : runs.ofFile(file)) ?? runs.all[0];
}
