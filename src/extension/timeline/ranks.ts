/** The other ranks of a run whose timeline is open: runs of the same kernel call, or files beside a file. */
import path from 'node:path';
import * as vscode from 'vscode';
import { CAPTURE_DEPTH, isProcessFolder, type NamedRank, type ReadingClient, rankLabel, ranksBeside } from '../../simulator/index';
import { fileIdentity, readRun } from '../profiles/readRun';
import { keyOf } from '../run/identity';
import type { Run } from '../run/run';
import type { Runs } from '../run/runs';
import { EDITOR_TYPE } from './viewTypes';

interface Needs {
  reading: ReadingClient;
  runs: Runs;
}

/** One that can be opened. */
export interface OtherRank {
  key: string;
  load(): Promise<Run>;
  /** Of a file: its own editor. Absent: the run's timeline. */
  openEditor?(column: vscode.ViewColumn | undefined): Thenable<unknown>;
}

export type RankTab = Pick<NamedRank<OtherRank>, 'label' | 'of'>;

export class Ranks {
  constructor(private readonly parts: Needs) {}

  /** All of them in their order, the run's own too; none where it has no others. */
  async of(run: Run): Promise<RankTab[]> {
    const { identity } = run;
    if (identity.of === 'file') return this.files(vscode.Uri.parse(identity.uri));
    if (identity.of !== 'call' || !run.profile.rank) return [];
    const all = Array.from({ length: run.profile.rank.ranks }, (_, rank) => {
      const found = this.parts.runs.get(keyOf({ ...identity, rank }));
      return found ? [{ label: rankLabel(rank), of: { key: found.key, load: async () => found } }] : [];
    });
    const ranks = all.flat();
    return ranks.length > 1 ? ranks : [];
  }

  /** Beside the file, and where AWS's tools put the captures of other workers. */
  private async files(uri: vscode.Uri): Promise<RankTab[]> {
    const root = captureRoot(uri);
    const names = await filesBelow(root, CAPTURE_DEPTH);
    const own = path.posix.relative(root.path, uri.path);
    return ranksBeside(names, own, name => name).map(({ label, of }) => ({ label, of: this.file(vscode.Uri.joinPath(root, of)) }));
  }

  private file(uri: vscode.Uri): OtherRank {
    return {
      key: keyOf(fileIdentity(uri)),
      load: () => readRun(this.parts, uri),
      openEditor: column => vscode.commands.executeCommand('vscode.openWith', uri, EDITOR_TYPE, column),
    };
  }
}

const MOST_FILES = 5000;

/** The folder with the folders of all processes; for other files their own folder. */
function captureRoot(uri: vscode.Uri): vscode.Uri {
  const parts = path.posix.dirname(uri.path).split('/');
  const at = parts.findLastIndex(part => isProcessFolder(part));
  const isNear = at >= 0 && parts.length - at <= CAPTURE_DEPTH;
  return uri.with({ path: (isNear ? parts.slice(0, at) : parts).join('/') || '/' });
}

/** Paths from the folder; hidden ones and those beyond the limit are left out. */
async function filesBelow(folder: vscode.Uri, depth: number, before = ''): Promise<string[]> {
  const entries = await vscode.workspace.fs.readDirectory(folder).then(
    found => found.filter(([name]) => !name.startsWith('.')),
    () => [],
  );
  const own = entries.filter(([, type]) => type & vscode.FileType.File).map(([name]) => before + name);
  const folders =
    before === '' || depth > 0 ? entries.filter(([name, type]) => type & vscode.FileType.Directory && isOfCapture(name, before)) : [];
  const below = await Promise.all(folders.map(([name]) => filesBelow(vscode.Uri.joinPath(folder, name), depth - 1, `${before}${name}/`)));
  return [...own, ...below.flat()].slice(0, MOST_FILES);
}

/** Other folders beside a profile are none of its run. */
const isOfCapture = (name: string, before: string) => before !== '' || isProcessFolder(name);
