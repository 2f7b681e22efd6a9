/** The runs made or opened in this window; per key the latest. The one in front is what the editor's hints show. */
import * as vscode from 'vscode';
import type { Run } from './run';

export class Runs implements vscode.Disposable {
  /** The one in front last. */
  private readonly byKey = new Map<string, Run>();
  private readonly changed = new vscode.EventEmitter<void>();
  /** A run was added, or another one came to the front. */
  readonly onDidChange = this.changed.event;

  /** In front first. */
  get all(): Run[] {
    return [...this.byKey.values()].reverse();
  }

  get(key: string): Run | undefined {
    return this.byKey.get(key);
  }

  /** Adds the run and brings it to the front. */
  put(run: Run): void {
    this.byKey.delete(run.key);
    this.byKey.set(run.key, run);
    this.changed.fire();
  }

  bringToFront(key: string): void {
    const run = this.byKey.get(key);
    if (run && this.all[0] !== run) this.put(run);
  }

  /** The frontmost run that has this source file in it. */
  ofFile(file: string): Run | undefined {
    return this.all.find(run => run.textOf(file) !== undefined);
  }

  /** The frontmost run of a kernel of this file. */
  ofKernel(file: string, kernel: string): Run | undefined {
    return this.all.find(run => run.profile.kernel === kernel && run.textOf(file) !== undefined);
  }

  dispose() {
    this.changed.dispose();
  }
}
