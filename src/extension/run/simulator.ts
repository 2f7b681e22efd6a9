/** The simulator's client, made at first use. */
import * as vscode from 'vscode';
import {
  type CaptureListener,
  type CaptureRequest,
  type CaptureResult,
  type Inspection,
  type KernelCall,
  NoWorkspace,
  SimulatorClient,
} from '../../simulator/index';
import { workspaceRoot } from './workspaceRoot';

export class Simulator implements vscode.Disposable {
  private client: SimulatorClient | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Starts an interpreter in the background for kernels of this file's folder, so that the first run finds it ready. */
  warm(uri: vscode.Uri): void {
    try {
      this.started().warm(workspaceRoot(uri, { fenced: true }));
    } catch (error) {
      // reported when it runs
      if (!(error instanceof NoWorkspace)) throw error;
    }
  }

  /** @throws SimulatorFault for our own faults; the user's are in the result. */
  capture(request: CaptureRequest, listener: CaptureListener, signal: AbortSignal): Promise<CaptureResult> {
    return this.started().capture(request, listener, signal);
  }

  /** @throws NoValues, SimulatorFault */
  inspect(request: CaptureRequest, call: KernelCall, listener: CaptureListener, signal: AbortSignal): Promise<Inspection> {
    return this.started().inspect(request, call, listener, signal);
  }

  dispose() {
    this.client?.dispose();
  }

  private started(): SimulatorClient {
    this.client ??= new SimulatorClient({
      dist: vscode.Uri.joinPath(this.extensionUri, 'dist').fsPath,
      onSandbox: confinedBy => {
        if (confinedBy.length > 0) this.log.info(`Kernels run in a process that is confined by ${confinedBy.join(' and ')}.`);
        else
          this.log.warn('Neither Node’s permission model nor bubblewrap works here: run only kernels that you trust (docs/security.md).');
      },
    });
    return this.client;
  }
}
