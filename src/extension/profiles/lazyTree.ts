/** A tree whose provider is made when the view is first visible. */
import * as vscode from 'vscode';

export class LazyTree<T> implements vscode.TreeDataProvider<T> {
  private readonly changed = new vscode.EventEmitter<T | T[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private made: Promise<vscode.TreeDataProvider<T>> | undefined;

  constructor(private readonly make: () => Promise<vscode.TreeDataProvider<T>>) {}

  async getChildren(node?: T): Promise<T[]> {
    return (await (await this.provider()).getChildren(node)) ?? [];
  }

  async getTreeItem(node: T): Promise<vscode.TreeItem> {
    return (await this.provider()).getTreeItem(node);
  }

  private provider(): Promise<vscode.TreeDataProvider<T>> {
    this.made ??= this.make().then(provider => {
      provider.onDidChangeTreeData?.(node => this.changed.fire(node ?? undefined));
      return provider;
    });
    return this.made;
  }
}
