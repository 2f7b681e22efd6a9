/** A profile as the Profiles view and the explorer name it: one that is kept, or a file. What it is called, and its run. */
import path from 'node:path';
import type * as vscode from 'vscode';
import { nameText, type ReadingClient, timeText } from '../../simulator/index';
import type { Run } from '../run/run';
import type { Entry } from './entries';
import type { ProfileStore } from './profileStore';
import { readRun } from './readRun';

interface Needs {
  profiles: ProfileStore;
  reading: ReadingClient;
}

export type Item = { kind: 'kept'; entry: Entry } | { kind: 'file'; uri: vscode.Uri };

/** @throws Error that a person can read, when it is gone or no profile. */
export async function runOf(parts: Needs, item: Item): Promise<Run> {
  return item.kind === 'kept' ? parts.profiles.read(item.entry) : readRun(parts, item.uri);
}

/** Enough to tell it from another run of the same kernel. */
export const titleOf = (item: Item) =>
  item.kind === 'file' ? path.posix.basename(item.uri.path) : `${nameText({ inputs: '', ...item.entry })} · ${timeOf(item.entry)}`;

/** All that tells a kept profile from others of its kernel, in one line; the time first, which a narrow side bar still shows. */
export const detailsOf = (entry: Entry) =>
  [timeText(entry.totalNs), entry.inputs, entry.target, timeOf(entry), entry.file].filter(Boolean).join(' · ');

export const timeOf = ({ madeAtMs }: Entry) => new Date(madeAtMs).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

/** Files as they were selected, before what was kept, the oldest first: what stands first is what the others are compared with. */
export function oldestFirst(items: readonly Item[]): Item[] {
  const madeAtMs = (item: Item) => (item.kind === 'kept' ? item.entry.madeAtMs : 0);
  return [...items].sort((a, b) => madeAtMs(a) - madeAtMs(b));
}
