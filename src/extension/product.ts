/**
 * The extension proper, where it is put together: every part is made here and given what it needs, by name; none looks another up.
 * Made once, at the first sign of NKI (extension.ts).
 */
import * as vscode from 'vscode';
import { ReadingClient } from '../simulator/index';
import type { KeptView } from '../webview/protocol/messages';
import { registerAdviceFixes } from './advice/quickFixes';
import { type Tools, tools } from './agents/tools';
import { type CommandHandler, commandTable } from './commands';
import { settingsOf } from './configuration';
import { Diagnostics } from './diagnostics';
import { Decorations } from './hints/decorations';
import { registerHints } from './hints/hints';
import { registerHover } from './hints/hover';
import { LineMaps } from './hints/lineMaps';
import { RangeHints } from './hints/rangeHints';
import { watchForKernels } from './kernels/firstKernel';
import { KernelIndex } from './kernels/kernelIndex';
import { registerKernelLens } from './kernels/kernelLens';
import { LastPython } from './kernels/lastPython';
import { Live } from './live/live';
import { registerQuickFixes } from './migrate/quickFixes';
import { ProfileFiles } from './profiles/profileFiles';
import { ProfileStore } from './profiles/profileStore';
import { type Node, ProfilesView } from './profiles/profilesView';
import { AskedFiles } from './run/asked';
import { Captures } from './run/capture';
import { nkiVersionFor } from './run/nkiVersion';
import { Runs } from './run/runs';
import { Simulator } from './run/simulator';
import { registerStatusBar } from './status/statusBar';
import { tasks } from './tasks/tasks';
import { Annotations } from './timeline/annotations';
import { Experiments } from './timeline/experiments';
import { openProfileEditor } from './timeline/profileEditor';
import { restoreTimeline } from './timeline/restore';
import { Timelines } from './timeline/timelines';

/** Programs start only for those who trust the workspace. */
const neuronTool = () =>
  vscode.workspace.isTrusted
    ? { named: settingsOf().neuronToolPath, howToName: 'name its path in the setting nkiScope.neuronToolPath' }
    : null;

export type Product = ReturnType<typeof makeProduct>;

/** @param selected in the Profiles view: a key, unlike a menu, passes nothing */
export function makeProduct(context: vscode.ExtensionContext, selected: () => readonly Node[]) {
  const { extension, extensionUri, globalStorageUri } = context;
  const log = vscode.window.createOutputChannel('NKI Scope', { log: true });
  const asked = new AskedFiles();
  const decorations = new Decorations();
  const diagnostics = new Diagnostics();
  const kernels = new KernelIndex();
  const lastPython = new LastPython();
  const profileFiles = new ProfileFiles();
  const profiles = new ProfileStore(context.storageUri ?? globalStorageUri);
  const dist = vscode.Uri.joinPath(extensionUri, 'dist').fsPath;
  const reading = new ReadingClient({ dist, neuronTool });
  const runs = new Runs();
  const lineMaps = new LineMaps(runs);
  const rangeHints = new RangeHints(runs);
  const simulator = new Simulator(extensionUri, log);
  const captures = new Captures({ log, simulator });
  const experiments = new Experiments(reading, simulator);
  const annotations = new Annotations(context.workspaceState);
  const timelines = new Timelines({
    annotations,
    experiments,
    log,
    extensionUri,
    simulator,
    lineMaps,
    rangeHints,
    runs,
    profiles,
    reading,
  });
  const live = new Live({ asked, captures, diagnostics, lineMaps, log, runs, timelines });
  const profilesView = new ProfilesView({ profiles, profileFiles });
  const commands: Record<string, CommandHandler> = commandTable({
    ...{
      annotations,
      asked,
      captures,
      diagnostics,
      extension,
      globalStorageUri,
      kernels,
      lastPython,
      lineMaps,
      log,
      profileFiles,
      profiles,
    },
    ...{ rangeHints, reading, runs, simulator, timelines },
    selected: () => profilesView.selected(selected),
  });
  context.subscriptions.push(
    ...[reading, experiments, timelines, profiles, profileFiles, decorations, lineMaps, rangeHints, diagnostics],
    ...[simulator, kernels, lastPython, runs, log, captures, live, profilesView],
    registerKernelLens({ experiments, kernels, lineMaps, runs }),
    registerHints({ runs, lineMaps, decorations }),
    registerHover({ experiments, lineMaps }),
    registerStatusBar({ kernels, live, runs }),
    watchForKernels({ kernels, simulator }),
    registerAdviceFixes({ experiments, log, runs, simulator }),
    registerQuickFixes(nkiVersionFor),
  );
  return {
    ...{ captures, context, decorations, diagnostics, lineMaps, live, log, profiles, profilesView, runs, simulator, timelines },
    tasks: tasks({ kernels, simulator, runs, diagnostics }),
    tools: tools({ runs, asked, simulator, diagnostics, reading, dist }) as Tools,
    /** @param id as in package.json */
    run: (id: string, args: unknown[]): unknown => commands[id](...(args as never[])),
    restore: (panel: vscode.WebviewPanel, kept: KeptView | undefined) => restoreTimeline({ log, profiles, runs, timelines }, panel, kept),
    openEditor: (uri: vscode.Uri, panel: vscode.WebviewPanel) => openProfileEditor({ reading, runs, timelines }, uri, panel),
  };
}
