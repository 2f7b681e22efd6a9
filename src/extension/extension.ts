/**
 * activate() only listens: for our commands, for a timeline to restore, for a saved profile to open, for the first Python file that mentions NKI. Everything
 * else (product.ts) is evaluated when one of them comes, so that windows without NKI pay nothing.
 */
import * as vscode from 'vscode';
import type { KeptView } from '../webview/protocol/messages';
import { registerMcpServer } from './agents/mcpProvider';
import type { Product } from './product';
import { LazyTree } from './profiles/lazyTree';
import type { Node } from './profiles/profilesView';
import { TASK_TYPE } from './tasks/taskType';
import { EDITOR_TYPE, VIEW_TYPE } from './timeline/viewTypes';

/** For the workbench tests; no stable API for other extensions. */
export interface ExtensionApi {
  activationMs: number;
  product(): Promise<Product>;
}

interface Contributions {
  commands: { command: string }[];
  languageModelTools: { name: string }[];
}

export function activate(context: vscode.ExtensionContext): ExtensionApi {
  const startedMs = performance.now();
  let loading: Promise<Product> | undefined;
  const product = (): Promise<Product> => {
    loading ??= import('./product').then(module => module.makeProduct(context, () => profilesTree.selection));
    return loading;
  };
  const profilesTree: vscode.TreeView<Node> = vscode.window.createTreeView<Node>('nkiScope.profiles', {
    treeDataProvider: new LazyTree<Node>(async () => (await product()).profilesView),
    canSelectMany: true,
    showCollapseAll: true,
  });
  const { commands, languageModelTools } = context.extension.packageJSON.contributes as Contributions;
  context.subscriptions.push(
    ...commands.map(({ command }) =>
      vscode.commands.registerCommand(command, async (...args: unknown[]) => (await product()).run(command, args)),
    ),
    vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, kept) => (await product()).restore(panel, kept as KeptView | undefined),
    }),
    vscode.window.registerCustomEditorProvider(EDITOR_TYPE, {
      openCustomDocument: uri => ({ uri, dispose() {} }),
      resolveCustomEditor: async ({ uri }, panel) => (await product()).openEditor(uri, panel),
    }),
    profilesTree,
    vscode.tasks.registerTaskProvider(TASK_TYPE, {
      provideTasks: async token => (await product()).tasks.provideTasks(token),
      resolveTask: async (task, token) => (await product()).tasks.resolveTask(task, token),
    }),
    ...languageModelTools.map(({ name }) =>
      vscode.lm.registerTool<never>(name, {
        prepareInvocation: async (options, token) => (await product()).tools[name].prepareInvocation?.(options, token),
        invoke: async (options, token) => (await product()).tools[name].invoke(options, token),
      }),
    ),
    ...registerMcpServer(context),
    onFirstMention(() => void product()),
  );
  return { activationMs: performance.now() - startedMs, product };
}

/** Calls once, as soon as an open Python document has the word in it. */
function onFirstMention(found: () => void): vscode.Disposable {
  const look = (document: vscode.TextDocument) => {
    if (document.languageId !== 'python' || !document.getText().includes('nki')) return;
    listening.dispose();
    found();
  };
  const listening = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(event => look(event.document)),
  );
  for (const document of vscode.workspace.textDocuments) look(document);
  return listening;
}
