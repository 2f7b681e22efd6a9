/** The kernels of open documents, and the calls of kernels that they import; found again when a document changes. */
import * as vscode from 'vscode';
import { extraPathsOf } from './extraPaths';
import { type KernelFile, KernelFinder } from './findKernels';
import { foldersAround, type ImportedKernelCall, ImportedKernels } from './importedKernels';

interface IndexedFile extends KernelFile {
  importedKernels: ImportedKernelCall[];
}

interface Entry {
  version: number;
  finder: KernelFinder;
  file: IndexedFile;
}

/** Of its own, or of another file that it calls. */
export const hasKernels = ({ kernels, importedKernels }: IndexedFile): boolean => kernels.length + importedKernels.length > 0;

export class KernelIndex implements vscode.Disposable {
  private readonly entries = new WeakMap<vscode.TextDocument, Entry>();
  private readonly imported = new ImportedKernels();
  private readonly found = new vscode.EventEmitter<vscode.TextDocument>();
  /** Fires when a document has been read again. */
  readonly onDidRead = this.found.event;

  of(document: vscode.TextDocument): IndexedFile {
    const known = this.entries.get(document);
    if (known?.version === document.version) return known.file;
    const finder = known?.finder ?? new KernelFinder();
    const { version } = document;
    const found = finder.read(document.getText());
    const importedKernels = this.importedInto(document, found);
    const file = { ...found, importedKernels, isScript: found.isScript || importedKernels.length > 0 };
    this.entries.set(document, { version, finder, file });
    this.found.fire(document);
    return file;
  }

  dispose() {
    this.found.dispose();
  }

  private importedInto({ uri }: vscode.TextDocument, { importedCalls }: KernelFile): ImportedKernelCall[] {
    if (uri.scheme !== 'file' || importedCalls.length === 0) return [];
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath;
    const folders = root === undefined ? [] : [...extraPathsOf(uri, root), ...foldersAround(uri.fsPath, root)];
    return this.imported.of(importedCalls, uri.fsPath, folders);
  }
}
