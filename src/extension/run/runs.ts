/**
 * The runs made or opened in this window; per key the latest, and the one it is measured against. The one in front is what the
 * editor's hints show.
 */
import * as vscode from 'vscode';
import { measureAgainst } from './baseline';
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

  /** Adds the run in front, measured against the latest run of saved text that differs from it. */
  put(run: Run): void {
    const latest = this.byKey.get(run.key);
    if (latest && latest !== run) measureAgainst(run, latest);
    this.toFront(run);
  }

  bringToFront(key: string): void {
    const run = this.byKey.get(key);
    if (run && this.all[0] !== run) this.toFront(run);
  }

  remove(key: string): void {
    if (this.byKey.delete(key)) this.changed.fire();
  }

  /** The frontmost run that has this source file in it. */
  ofFile(file: string): Run | undefined {
    return this.all.find(run => run.textOf(file) !== undefined);
  }

  /** The frontmost run of a kernel of this file; of one over several cores, that of the first core. */
  ofKernel(file: string, kernel: string): Run | undefined {
    return this.all.find(run => run.kernel === kernel && run.textOf(file) !== undefined);
  }

  /** Calls of the kernel that this script made when it last ran, in their order; of one on several ranks the first rank's. */
  callsFrom(script: string, kernel: string): Run[] {
    const call = ({ identity }: Run) => (identity.of === 'call' && identity.file === script && !identity.rank ? identity.call : -1);
    return this.all.filter(run => run.kernel === kernel && call(run) >= 0).sort((a, b) => call(a) - call(b));
  }

  /** The frontmost run that this script made, also of a kernel in another file. */
  ofScript(script: string): Run | undefined {
    return this.all.find(({ identity }) => identity.of === 'call' && identity.file === script);
  }

  /** The run of all kernel calls of this script, or of any. */
  launchesOf(script?: string): Run | undefined {
    return this.all.find(({ identity }) => identity.of === 'launches' && (script === undefined || identity.file === script));
  }

  /** What a run says of its lines is another now. */
  tell(): void {
    this.changed.fire();
  }

  dispose() {
    this.changed.dispose();
  }

  private toFront(run: Run) {
    this.byKey.delete(run.key);
    this.byKey.set(run.key, run);
    this.changed.fire();
  }
}
