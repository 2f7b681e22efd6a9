/** The workspace's profile files: searched once, and again when one is added or removed. */
import * as vscode from 'vscode';
import { NKIPROF_EXTENSION } from '../../simulator/index';

/** A longer list would not be useful. */
const MAX_FILES = 200;
/** Least time between two searches, because many files may be added one after another. */
const PAUSE_MS = 250;

export class ProfileFiles implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires after the list has changed. */
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
    // The list is not in use yet, or a search is running, which is followed by another one.
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
