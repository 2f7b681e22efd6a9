/** The last profiles drawn, kept in the workspace's storage, so that an open timeline survives a reload of the window. */
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import * as vscode from 'vscode';
import { packNkiprof, unpackNkiprof } from '../../simulator/index';
import { Run } from '../run/run';

const KEPT = 8;

export class SavedRuns {
  private readonly folder: vscode.Uri;
  private writing: Promise<void> = Promise.resolve();

  constructor(storage: vscode.Uri) {
    this.folder = vscode.Uri.joinPath(storage, 'timelines');
  }

  /** One write at a time: two panels may be drawn at once. */
  save(run: Run): Promise<void> {
    this.writing = this.writing.catch(() => {}).then(() => this.write(run));
    return this.writing;
  }

  /** The last run of this key. @throws when it is gone */
  async load(key: string): Promise<Run> {
    return new Run(key, unpackNkiprof(await vscode.workspace.fs.readFile(this.place(key))));
  }

  private async write(run: Run) {
    await vscode.workspace.fs.createDirectory(this.folder);
    const files = await this.newestFirst();
    const place = this.place(run.key);
    for (const old of files.filter(file => file.path !== place.path).slice(KEPT - 1)) await vscode.workspace.fs.delete(old);
    await vscode.workspace.fs.writeFile(place, packNkiprof(run.bytes, deflateRawSync));
  }

  private async newestFirst(): Promise<vscode.Uri[]> {
    const names = (await vscode.workspace.fs.readDirectory(this.folder)).map(([name]) => vscode.Uri.joinPath(this.folder, name));
    const times = await Promise.all(names.map(async uri => ({ uri, mtime: (await vscode.workspace.fs.stat(uri)).mtime })));
    return times.sort((a, b) => b.mtime - a.mtime).map(({ uri }) => uri);
  }

  /** Keys hold paths: the name is a hash. */
  private place(key: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder, `${createHash('sha256').update(key).digest('hex').slice(0, 24)}.nkiprof`);
  }
}
