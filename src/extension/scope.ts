/** What commands and providers share: settings, the simulator, the runs made so far, the log. Made once, by activate(). */
import * as vscode from 'vscode';
import { ReadingClient } from '../simulator/index';
import { settingsOf } from './configuration';
import { Diagnostics } from './diagnostics';
import { Decorations } from './hints/decorations';
import { LineMaps } from './hints/lineMaps';
import { RangeHints } from './hints/rangeHints';
import { KernelIndex } from './kernels/kernelIndex';
import { LastPython } from './kernels/lastPython';
import { ProfileFiles } from './profiles/profileFiles';
import { ProfileStore } from './profiles/profileStore';
import { AskedFiles } from './run/asked';
import { Runs } from './run/runs';
import { Simulator } from './run/simulator';
import type { Settings } from './settings';
import { Timelines } from './timeline/timelines';

export class Scope implements vscode.Disposable {
  readonly log = vscode.window.createOutputChannel('NKI Scope', { log: true });
  readonly runs = new Runs();
  readonly asked = new AskedFiles();
  readonly kernels = new KernelIndex();
  readonly lastPython = new LastPython();
  readonly simulator: Simulator;
  /** Of files that may come from anywhere. */
  readonly reading: ReadingClient;
  readonly diagnostics = new Diagnostics();
  readonly decorations: Decorations;
  readonly lineMaps: LineMaps;
  readonly rangeHints = new RangeHints(this.runs);
  readonly profiles: ProfileStore;
  readonly profileFiles = new ProfileFiles();
  readonly timelines: Timelines;

  constructor(readonly context: vscode.ExtensionContext) {
    this.simulator = new Simulator(context.extensionUri, this.log);
    this.reading = new ReadingClient({ dist: vscode.Uri.joinPath(context.extensionUri, 'dist').fsPath });
    this.decorations = new Decorations(context.extensionUri);
    this.lineMaps = new LineMaps(this.runs);
    this.profiles = new ProfileStore(context.storageUri ?? context.globalStorageUri);
    this.timelines = new Timelines(this);
  }

  settings(resource?: vscode.Uri): Settings {
    return settingsOf(resource);
  }

  dispose() {
    this.reading.dispose();
    for (const part of [
      this.timelines,
      this.profiles,
      this.profileFiles,
      this.decorations,
      this.lineMaps,
      this.rangeHints,
      this.diagnostics,
      this.simulator,
      this.kernels,
      this.lastPython,
      this.runs,
      this.log,
    ])
      part.dispose();
  }
}
