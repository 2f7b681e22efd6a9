/** The Profiles view: starred, recent, and the .nkiprof files of the workspace. What can be done with them is in package.json's menus. */
import path from 'node:path';
import * as vscode from 'vscode';
import { nameText } from '../../simulator/index';
import { identityOf } from '../run/identity';
import type { Entry } from './entries';
import { detailsOf, type Item } from './items';
import type { ProfileFiles } from './profileFiles';
import type { ProfileStore } from './profileStore';

interface Needs {
  profiles: ProfileStore;
  profileFiles: ProfileFiles;
}

type Group = { kind: 'group'; title: string; icon: string; items: Item[] };
export type Node = Group | Item;

/** Drawing the rows anew is a matter of milliseconds; a busy machine takes longer. */
const REDRAW_LIMIT_MS = 1000;
const REDRAW_LOOK_MS = 10;

export class ProfilesView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscriptions: vscode.Disposable;
  /** `performance.now()` */
  private changedAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: Needs) {
    const refresh = () => {
      this.changedAtMs = performance.now();
      this.changed.fire(undefined);
    };
    this.subscriptions = vscode.Disposable.from(this.changed, parts.profileFiles.onDidChange(refresh), parts.profiles.onDidChange(refresh));
  }

  /**
   * What is selected. VS Code knows of no selection while it draws the rows anew, which a key shall not notice.
   * @param selection as VS Code has it at the moment
   */
  async selected(selection: () => readonly Node[]): Promise<readonly Node[]> {
    while (selection().length === 0 && performance.now() - this.changedAtMs < REDRAW_LIMIT_MS)
      await new Promise(resolve => setTimeout(resolve, REDRAW_LOOK_MS));
    return selection();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) return groups(this.parts);
    return node.kind === 'group' ? node.items : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === 'group') return groupItem(node);
    return node.kind === 'kept' ? keptItem(node.entry) : fileItem(node.uri);
  }

  dispose() {
    this.subscriptions.dispose();
  }
}

async function groups(parts: Needs): Promise<Group[]> {
  const entries = await parts.profiles.all();
  const kept = (starred: boolean) => entries.filter(e => e.starred === starred).map((entry): Item => ({ kind: 'kept', entry }));
  const all: Group[] = [
    { kind: 'group', title: 'Starred', icon: 'star-full', items: kept(true) },
    { kind: 'group', title: 'Recent', icon: 'history', items: kept(false) },
    { kind: 'group', title: 'Workspace', icon: 'folder', items: (await parts.profileFiles.all()).map(uri => ({ kind: 'file', uri })) },
  ];
  return all.filter(group => group.items.length > 0);
}

function groupItem({ title, icon, items }: Group): vscode.TreeItem {
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Expanded);
  item.id = title;
  item.iconPath = new vscode.ThemeIcon(icon);
  item.description = String(items.length);
  return item;
}

function keptItem(entry: Entry): vscode.TreeItem {
  const item = new vscode.TreeItem(entry.kernel);
  const made = new Date(entry.madeAtMs);
  item.id = entry.id;
  item.description = detailsOf(entry);
  const ran = identityOf(entry.key);
  item.tooltip = [nameText({ inputs: '', ...entry }), ran?.of === 'call' ? ran.file : '', made.toLocaleString()].filter(Boolean).join('\n');
  item.iconPath = new vscode.ThemeIcon(entry.starred ? 'star-full' : 'graph-line');
  item.contextValue = entry.starred ? 'kept starred' : 'kept';
  item.command = { command: 'nkiScope.profiles.open', title: 'Open', arguments: [{ kind: 'kept', entry }] };
  item.accessibilityInformation = { label: `${entry.kernel}, ${item.description}${entry.starred ? ', starred' : ''}` };
  return item;
}

function fileItem(uri: vscode.Uri): vscode.TreeItem {
  const item = new vscode.TreeItem(uri);
  item.description = path.dirname(vscode.workspace.asRelativePath(uri)).replace(/^\.$/, '');
  item.iconPath = new vscode.ThemeIcon('file-binary');
  item.contextValue = 'file';
  item.command = { command: 'nkiScope.profiles.open', title: 'Open', arguments: [{ kind: 'file', uri }] };
  return item;
}
