/** The workspace's files of profiles: looked for once, and again when one comes or goes. */
import * as vscode from 'vscode';
import { NKIPROF_EXTENSION } from '../../simulator/index';

/** More would not be looked through by hand. */
const MAX_FILES = 200;
/** Files may come one after another for a while: they are looked for no more often than this. */
const PAUSE_MS = 250;

export class ProfileFiles implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** The list is another one, and there already. */
  readonly onDidChange = this.changed.event;
  private readonly watcher = vscode.workspace.createFileSystemWatcher(`**/*${NKIPROF_EXTENSION}`, false, true, false);
  private found: Promise<vscode.Uri[]> | undefined;
  private looking = false;
  private isStale = false;

  constructor() {
    const look = () => void this.lookAgain();
    this.watcher.onDidCreate(look);
    this.watcher.onDidDelete(look);
  }

  /** By their paths. */
  all(): Promise<vscode.Uri[]> {
    this.found ??= find();
    return this.found;
  }

  dispose() {
    this.watcher.dispose();
    this.changed.dispose();
  }

  private async lookAgain(): Promise<void> {
    this.isStale = true;
    // Nobody has asked yet, or a look is under way, which is followed by another.
    if (!this.found || this.looking) return;
    this.looking = true;
    try {
      while (this.isStale) {
        this.isStale = false;
        const before = await this.found;
        const after = await find();
        this.found = Promise.resolve(after);
        if (String(before) !== String(after)) this.changed.fire();
        await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
      }
    } finally {
      this.looking = false;
    }
  }
}

async function find(): Promise<vscode.Uri[]> {
  const files = await vscode.workspace.findFiles(`**/*${NKIPROF_EXTENSION}`, '**/node_modules/**', MAX_FILES);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}
