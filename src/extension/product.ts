/** The extension proper: one scope, the command table, the providers. Made once, at the first sign of NKI. */
import type * as vscode from 'vscode';
import type { KeptView } from '../webview/protocol/messages';
import { type Tools, tools } from './agents/tools';
import { type Command, commandTable } from './commands';
import { registerHints } from './hints/hints';
import { registerHover } from './hints/hover';
import { watchForKernels } from './kernels/firstKernel';
import { registerKernelLens } from './kernels/kernelLens';
import { Live } from './live/live';
import { type Node, ProfilesView } from './profiles/profilesView';
import { Captures } from './run/capture';
import { Scope } from './scope';
import { registerStatusBar } from './status/statusBar';
import { tasks } from './tasks/tasks';
import { openProfileEditor } from './timeline/profileEditor';
import { restoreTimeline } from './timeline/restore';

export class Product {
  readonly scope: Scope;
  readonly live: Live;
  readonly profilesView: ProfilesView;
  readonly tasks: vscode.TaskProvider;
  readonly tools: Tools;
  private readonly commands: Record<string, Command>;

  /** @param selected in the Profiles view: a key, unlike a menu, passes nothing */
  constructor(context: vscode.ExtensionContext, selected: () => readonly Node[]) {
    this.scope = new Scope(context);
    const captures = new Captures(this.scope);
    this.live = new Live(this.scope, captures);
    this.tasks = tasks(this.scope);
    this.tools = tools(this.scope);
    this.profilesView = new ProfilesView(this.scope);
    this.commands = commandTable(this.scope, captures, () => this.profilesView.selected(selected));
    context.subscriptions.push(
      this.scope,
      captures,
      this.live,
      registerKernelLens(this.scope),
      registerHints(this.scope),
      registerHover(this.scope),
      registerStatusBar(this.scope, this.live),
      this.profilesView,
      watchForKernels(this.scope),
    );
  }

  /** @param id as in package.json */
  run(id: string, args: unknown[]): unknown {
    return this.commands[id](...(args as never[]));
  }

  restore(panel: vscode.WebviewPanel, kept: KeptView | undefined): Promise<void> {
    return restoreTimeline(this.scope, panel, kept);
  }

  openEditor(uri: vscode.Uri, panel: vscode.WebviewPanel): void {
    openProfileEditor(this.scope, uri, panel);
  }
}
