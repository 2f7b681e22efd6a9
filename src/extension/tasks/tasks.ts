/** Tasks of type `nki-scope`: run a script on the simulator in a terminal, with its output, the hot lines and an exit code. */
import path from 'node:path';
import * as vscode from 'vscode';
import { NoWorkspace, profileText } from '../../simulator/index';
import type { Diagnostics } from '../diagnostics';
import type { KernelIndex } from '../kernels/kernelIndex';
import { errorText } from '../run/reportError';
import { requestFor } from '../run/requests';
import type { Runs } from '../run/runs';
import type { Simulator } from '../run/simulator';
import { toRuns } from '../run/toRuns';
import { TASK_TYPE } from './taskType';

interface Needs {
  kernels: KernelIndex;
  simulator: Simulator;
  runs: Runs;
  diagnostics: Diagnostics;
}

interface Definition extends vscode.TaskDefinition {
  file: string;
  args?: string[];
}

export const tasks = (parts: Needs): vscode.TaskProvider => ({
  provideTasks: () => {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== 'python' || !parts.kernels.of(document).isScript) return [];
    return [taskOf(parts, { type: TASK_TYPE, file: vscode.workspace.asRelativePath(document.uri) })];
  },
  resolveTask: task => taskOf(parts, task.definition as Definition, task.scope),
});

function taskOf(parts: Needs, definition: Definition, of: vscode.Task['scope'] = vscode.TaskScope.Workspace): vscode.Task {
  const name = `profile ${path.basename(String(definition.file))}`;
  const execution = new vscode.CustomExecution(async resolved => new ScriptTerminal(parts, resolved as Definition));
  return new vscode.Task(definition, of, name, 'NKI Scope', execution);
}

class ScriptTerminal implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  private readonly closed = new vscode.EventEmitter<number>();
  readonly onDidWrite = this.written.event;
  readonly onDidClose = this.closed.event;
  private readonly controller = new AbortController();

  constructor(
    private readonly parts: Needs,
    private readonly definition: Definition,
  ) {}

  open(): void {
    this.run().then(
      code => this.closed.fire(code),
      error => {
        const isOurs = !(error instanceof NoWorkspace);
        this.write(`${isOurs ? 'NKI Scope failed: ' : ''}${(error as Error).message}\n`);
        this.closed.fire(isOurs ? 3 : 1);
      },
    );
  }

  close(): void {
    this.controller.abort();
  }

  handleInput(data: string): void {
    if (data === '\x03') this.controller.abort();
  }

  private async run(): Promise<number> {
    if (!vscode.workspace.isTrusted) {
      this.write('The workspace is not trusted: no kernel is run in it.\n');
      return 1;
    }
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const uri = vscode.Uri.file(path.resolve(root, this.definition.file));
    const request = { ...requestFor(uri, {}), argv: this.definition.args ?? [] };
    const result = await this.parts.simulator.capture(request, { onOutput: text => this.write(text) }, this.controller.signal);
    for (const run of toRuns(request, result)) {
      this.parts.runs.put(run);
      this.write(`\n${profileText(run.profile)}\n`);
    }
    if (result.error) this.write(`${result.error.traceback ?? errorText(result.error)}\n`);
    this.parts.diagnostics.show(
      request.file,
      result.error,
      result.runs.flatMap(run => run.checks),
    );
    return result.error || result.runs.length === 0 ? 1 : 0;
  }

  private write(text: string) {
    this.written.fire(text.replace(/\r?\n/g, '\r\n'));
  }
}
