/** The kernels of open documents, found again when a document changes. */
import * as vscode from 'vscode';
import { type KernelFile, KernelFinder } from './findKernels';

interface Entry {
  version: number;
  finder: KernelFinder;
  file: KernelFile;
}

export class KernelIndex implements vscode.Disposable {
  private readonly entries = new WeakMap<vscode.TextDocument, Entry>();
  private readonly found = new vscode.EventEmitter<vscode.TextDocument>();
  /** Fires when a document has been read again. */
  readonly onDidRead = this.found.event;

  of(document: vscode.TextDocument): KernelFile {
    const known = this.entries.get(document);
    if (known?.version === document.version) return known.file;
    const finder = known?.finder ?? new KernelFinder();
    const { version } = document;
    const file = finder.read(document.getText());
    this.entries.set(document, { version, finder, file });
    this.found.fire(document);
    return file;
  }

  dispose() {
    this.found.dispose();
  }
}
