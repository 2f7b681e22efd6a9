/**
 * Profiles kept in the workspace's storage: the last ones and those with a star. An open timeline is restored from here after a
 * reload of the window; the Profiles view lists them.
 */
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { unpackNkiprof } from '../../simulator/index';
import { type Identity, identityOf } from '../run/identity';
import { Run } from '../run/run';
import { type Entry, parseEntries, withEntry } from './entries';
import { nkiprofOf } from './packing';

export class ProfileStore implements vscode.Disposable {
  private readonly folder: vscode.Uri;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private entries: Promise<Entry[]> | undefined;
  /** Ids of the runs that are kept: a view is drawn more than once. */
  private readonly kept = new WeakMap<Run, string>();
  /** One change at a time: two panels may be drawn at once. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(storage: vscode.Uri) {
    this.folder = vscode.Uri.joinPath(storage, 'profiles');
  }

  /** Newest first. */
  all(): Promise<Entry[]> {
    this.entries ??= this.readIndex();
    return this.entries;
  }

  /** @param instead the same call, kept before all of it was known: it is replaced */
  async save(run: Run, instead?: Run): Promise<void> {
    if (this.kept.has(run)) return;
    const id = (instead && this.kept.get(instead)) ?? randomUUID();
    this.kept.set(run, id);
    const entry: Entry = { id, key: run.key, ...run.name, madeAtMs: Date.now(), starred: false };
    return this.change(async entries => {
      await vscode.workspace.fs.writeFile(this.place(entry), await nkiprofOf(run.bytes));
      const { kept, dropped } = withEntry(
        entries.filter(known => known.id !== id),
        entry,
      );
      for (const old of dropped) await this.deleteFile(old);
      return kept;
    });
  }

  star(id: string, starred: boolean): Promise<void> {
    return this.change(async entries => entries.map(entry => (entry.id === id ? { ...entry, starred } : entry)));
  }

  delete(ids: readonly string[]): Promise<void> {
    return this.change(async entries => {
      for (const entry of entries) if (ids.includes(entry.id)) await this.deleteFile(entry);
      return entries.filter(entry => !ids.includes(entry.id));
    });
  }

  /** @throws when its file is gone */
  read(entry: Entry): Promise<Run> {
    return this.load(entry, { of: 'kept', id: entry.id });
  }

  /** What a timeline with this key showed last, under it. @throws when there is none */
  async latest(key: string): Promise<Run> {
    const identity = identityOf(key);
    const isIt = (entry: Entry) => (identity?.of === 'kept' ? entry.id === identity.id : entry.key === key);
    const entry = (await this.all()).find(isIt);
    if (!entry || !identity) throw new Error('no profile of it is kept');
    return this.load(entry, identity);
  }

  private async load(entry: Entry, identity: Identity): Promise<Run> {
    const bytes = unpackNkiprof(await vscode.workspace.fs.readFile(this.place(entry)));
    return new Run(identity, bytes, { isMadeHere: true, file: entry.file, caseName: entry.inputs });
  }

  dispose() {
    this.changed.dispose();
  }

  private change(make: (entries: Entry[]) => Promise<Entry[]>): Promise<void> {
    const done = this.queue.then(async () => {
      await vscode.workspace.fs.createDirectory(this.folder);
      const entries = await make(await this.all());
      await vscode.workspace.fs.writeFile(this.index(), new TextEncoder().encode(JSON.stringify(entries, null, 1)));
      this.entries = Promise.resolve(entries);
      this.changed.fire();
    });
    this.queue = done.catch(() => {});
    return done;
  }

  private async readIndex(): Promise<Entry[]> {
    try {
      return parseEntries(new TextDecoder().decode(await vscode.workspace.fs.readFile(this.index())));
    } catch {
      // Nothing was kept yet, or the index is damaged: the profiles in it are copies.
      return [];
    }
  }

  private async deleteFile(entry: Entry): Promise<void> {
    try {
      await vscode.workspace.fs.delete(this.place(entry));
    } catch {
      // Gone already.
    }
  }

  private index = () => vscode.Uri.joinPath(this.folder, 'index.json');
  private place = ({ id }: { id: string }) => vscode.Uri.joinPath(this.folder, `${id}.nkiprof`);
}
