/** Asks which profiles to compare: any number of kept profiles, files of the workspace, or files from elsewhere, including captures. */
import * as vscode from 'vscode';
import { NKIPROF_EXTENSION } from '../../simulator/index';
import { labelText } from '../plainText';
import { detailsOf, type Item, oldestFirst } from '../profiles/items';
import type { ProfileFiles } from '../profiles/profileFiles';
import type { ProfileStore } from '../profiles/profileStore';

interface Needs {
  profiles: ProfileStore;
  profileFiles: ProfileFiles;
}

interface Choice extends vscode.QuickPickItem {
  /** Undefined: asks for files. */
  item?: Item;
}

const FILES: Choice = {
  label: '$(folder-opened) Choose files…',
  description: `${NKIPROF_EXTENSION}, or the JSON of a capture`,
  alwaysShow: true,
};

/**
 * @param with the run that a single choice is compared with, for the question; undefined: two choices are needed
 * @returns the oldest first; empty if the user cancelled
 */
export async function pickProfiles(parts: Needs, { beside }: { beside?: string }): Promise<Item[]> {
  const kept = await parts.profiles.all();
  const choices: Choice[] = [
    ...kept.map((entry): Choice => keptChoice({ kind: 'kept', entry })),
    ...(await parts.profileFiles.all()).map(fileChoice),
    FILES,
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: 'NKI Scope: Compare',
    placeHolder: beside ? `Profiles to compare with ${beside}` : 'Two profiles or more to compare; the oldest comes first',
    canPickMany: true,
    matchOnDescription: true,
  });
  const items = (picked ?? []).flatMap(({ item }) => item ?? []);
  return oldestFirst([...(picked?.includes(FILES) ? await askForFiles() : []), ...items]);
}

function keptChoice(item: Extract<Item, { kind: 'kept' }>): Choice {
  const { starred, kernel, madeAtMs } = item.entry;
  return {
    label: `${starred ? '$(star-full) ' : ''}${labelText(kernel)}`,
    description: labelText(detailsOf(item.entry)),
    detail: new Date(madeAtMs).toLocaleString(),
    item,
  };
}

const fileChoice = (uri: vscode.Uri): Choice => ({
  label: `$(file-binary) ${labelText(vscode.workspace.asRelativePath(uri))}`,
  item: { kind: 'file', uri },
});

export const PROFILE_FILTERS = {
  'NKI Scope profiles': [NKIPROF_EXTENSION.slice(1)],
  "Recordings of Neuron's runtime": ['ntff'],
  'Captures of neuron-profile': ['json'],
  'System profiles': ['json', 'pftrace'],
};

async function askForFiles(): Promise<Item[]> {
  const uris = await vscode.window.showOpenDialog({ canSelectMany: true, filters: PROFILE_FILTERS, openLabel: 'Compare' });
  return (uris ?? []).map(uri => ({ kind: 'file', uri }));
}
