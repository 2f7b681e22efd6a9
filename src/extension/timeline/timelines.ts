/** All timelines of the window: at most one per run key, beside the code or as the editor of a saved profile. */
import * as vscode from 'vscode';
import type { ReadingClient } from '../../simulator/index';
import type { HostEvents, LaunchAsked, LoadingSteps, SourcePosition, ViewEvents, ViewState } from '../../webview/protocol/messages';
import type { LineMaps } from '../hints/lineMaps';
import type { RangeHints } from '../hints/rangeHints';
import type { ProfileStore } from '../profiles/profileStore';
import type { Compared } from '../run/compared';
import type { Run } from '../run/run';
import type { Runs } from '../run/runs';
import type { Simulator } from '../run/simulator';
import type { Annotations } from './annotations';
import type { Experiments } from './experiments';
import { findLaunch } from './findLaunch';
import { type OtherRank, Ranks } from './ranks';
import { RelatedLines } from './relatedLines';
import { revealSource } from './revealSource';
import { expectedSource, type PanelOwner, type Source, sourceOf, TimelinePanel } from './timelinePanel';
import { TimelineValues } from './values';
import { VIEW_TYPE } from './viewTypes';

interface Needs {
  annotations: Annotations;
  experiments: Experiments;
  log: vscode.LogOutputChannel;
  extensionUri: vscode.Uri;
  simulator: Simulator;
  lineMaps: LineMaps;
  rangeHints: RangeHints;
  runs: Runs;
  profiles: ProfileStore;
  reading: ReadingClient;
}

export interface Painted {
  key: string;
  events: number;
  /** From the view's own start of loading. */
  sinceLoadMs: number;
  stepsMs: LoadingSteps;
  /** From the user's command to the first complete drawing; undefined for a profile that was not run for it. */
  sinceAskedMs: number | undefined;
}

/** From this size on, sending a profile and reading its lines take long enough to get in each other's way. */
const LARGE_BYTES = 4e6;
/** A hidden timeline is not drawn. */
const PATIENCE_MS = 5000;

export class Timelines implements vscode.Disposable, PanelOwner {
  private readonly panels = new Map<string, TimelinePanel>();
  /** Opened for a run that is under way. */
  private expected: { file: string; timeline: TimelinePanel } | undefined;
  private hasOpened = false;
  private readonly drawn = new vscode.EventEmitter<Painted>();
  private readonly refused = new vscode.EventEmitter<{ title: string; message: string }>();
  readonly onDidPaint = this.drawn.event;
  /** A profile could not be shown: the view says why. */
  readonly onDidFail = this.refused.event;

  readonly values: TimelineValues;
  readonly annotations: Annotations;
  readonly experiments: Experiments;
  readonly related: RelatedLines;
  readonly ranks: Ranks;
  /** Other ranks of a run come after the first one is shown. */
  private readonly newRuns: vscode.Disposable;

  constructor(private readonly parts: Needs) {
    this.ranks = new Ranks(parts);
    this.newRuns = parts.runs.onDidChange(() => {
      for (const timeline of this.panels.values()) if (timeline.current?.identity.of === 'call') void timeline.tellRanks();
    });
    this.values = new TimelineValues(parts.simulator);
    this.annotations = parts.annotations;
    this.experiments = parts.experiments;
    this.related = new RelatedLines(parts.lineMaps);
  }

  /**
   * The first view of a window takes most of a second to load: opens one for a run of this file before there is a run, so that
   * both happen at once. Later views load fast and wait for their run, so that a run that fails moves no editor.
   */
  expect(file: string, title: string): void {
    if (this.hasOpened) return;
    this.expected = { file, timeline: this.adopt(newPanel(title), expectedSource(file, title), null) };
  }

  /** A kernel call of this file has returned: opens the timeline of its run, which is read meanwhile, unless it is open. */
  expectRun(key: string, file: string, title: string): void {
    if (this.expected || this.panels.has(key)) return;
    this.expected = { file, timeline: this.adopt(newPanel(title, this.focusedColumn), expectedSource(file, title), null) };
  }

  /** No run came: closes the timeline that was opened for it. */
  expectNothing(file: string): void {
    if (this.expected?.file === file) this.expected.timeline.panel.dispose();
  }

  /**
   * Opens the run's timeline, or brings a newer run into the one that is open. The editor keeps the focus; from a timeline, another one
   * comes as a tab beside it.
   * @param file a timeline that was opened for a run of it is taken @param column of the timeline that asks for it
   */
  show(run: Run, file?: string, column = this.focusedColumn): TimelinePanel {
    return this.open(run) ?? this.takeExpected(run, file) ?? this.adopt(newPanel(run.title, column), sourceOf(run), null);
  }

  private get focusedColumn(): vscode.ViewColumn | undefined {
    return [...this.panels.values()].find(({ panel }) => panel.active)?.panel.viewColumn;
  }

  /** As a tab beside the one that has asked, with the same view: all ranks have one clock. */
  openRank(rank: OtherRank, { panel }: TimelinePanel, state: ViewState | null): void {
    const { viewColumn } = panel;
    if (rank.openEditor) void rank.openEditor(viewColumn);
    else
      void rank.load().then(run => {
        this.open(run, false) ?? this.adopt(newPanel(run.title, viewColumn), sourceOf(run), state && { ...state, selectedEvent: null });
        this.parts.runs.bringToFront(run.key);
      });
  }

  /** Brings the run's timeline to the front, where it is open. */
  private open(run: Run, keepsFocus = true): TimelinePanel | undefined {
    const open = this.panels.get(run.key);
    if (open && open.current !== run) this.replace(open, run);
    open?.panel.reveal(undefined, keepsFocus);
    return open;
  }

  /** Until a large run's timeline is drawn, or will not be soon; a small one's messages leave when this turn of the loop ends. */
  async untilDrawn({ key, bytes }: Run): Promise<void> {
    const subscriptions: vscode.Disposable[] = [];
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, bytes.length > LARGE_BYTES ? PATIENCE_MS : 0);
      subscriptions.push(
        this.onDidPaint(painted => painted.key === key && resolve()),
        this.onDidFail(() => resolve()),
        { dispose: () => clearTimeout(timer) },
      );
    });
    for (const subscription of subscriptions) subscription.dispose();
  }

  /** Brings a newer run into its timeline, if that is open; moves nothing. */
  refresh(run: Run): void {
    const open = this.panels.get(run.key);
    if (open) this.replace(open, run);
  }

  private takeExpected(run: Run, file: string | undefined): TimelinePanel | undefined {
    if (!this.expected || this.expected.file !== file) return undefined;
    const { timeline } = this.expected;
    this.expected = undefined;
    this.panels.delete(timeline.key);
    this.replace(timeline, run);
    this.panels.set(run.key, timeline);
    return timeline;
  }

  /** Takes over a panel: a new one, one that VS Code kept over a reload, or the editor of a file. */
  adopt(panel: vscode.WebviewPanel, source: Source, state: ViewState | null): TimelinePanel {
    this.hasOpened = true;
    panel.iconPath = vscode.Uri.joinPath(this.parts.extensionUri, 'media', 'icon.png');
    const timeline = new TimelinePanel(panel, this.parts.extensionUri, source, this, state);
    this.panels.set(timeline.key, timeline);
    panel.onDidDispose(() => {
      if (this.panels.get(timeline.key) === timeline) this.panels.delete(timeline.key);
      if (this.expected?.timeline === timeline) this.expected = undefined;
      timeline.dispose();
    });
    panel.onDidChangeViewState(() => panel.active && this.parts.runs.bringToFront(timeline.key));
    return timeline;
  }

  /** The timeline that has the focus, or the only one. */
  get active(): TimelinePanel | undefined {
    const all = [...this.panels.values()];
    return all.find(timeline => timeline.panel.active) ?? (all.length === 1 ? all[0] : undefined);
  }

  /** Stacks other runs above this one, where its timeline is open. */
  stack(run: Run, others: readonly Compared[]): void {
    this.panels.get(run.key)?.stack(others);
  }

  command(name: ViewEvents['command']['name']): void {
    this.active?.command(name);
  }

  async openSource(position: SourcePosition, focus: boolean, { panel, current }: TimelinePanel): Promise<void> {
    if (current) await revealSource(this.parts.lineMaps, current, position, { viewColumn: panel.viewColumn, focus });
  }

  async openLaunch(launch: LaunchAsked, { current, panel }: TimelinePanel): Promise<void> {
    if (!current) return;
    const run = await findLaunch(this.parts, current, launch);
    // VS Code may not have told yet that this timeline has the focus
    this.show(run, undefined, panel.viewColumn);
    this.parts.runs.put(run);
  }

  moved({ current }: TimelinePanel, state: ViewState): void {
    if (!current) return;
    this.parts.rangeHints.moved(current, state);
    this.annotations.keep(current, state);
  }

  painted({ current }: TimelinePanel, { events, sinceLoadMs, stepsMs }: HostEvents['painted']): void {
    if (!current) return;
    const { key, title, askedAtMs } = current;
    const sinceAskedMs = askedAtMs === undefined ? undefined : performance.now() - askedAtMs;
    const asked = sinceAskedMs === undefined ? '' : `, ${Math.round(sinceAskedMs)} ms after the command`;
    this.parts.log.debug(`${title}: ${events} events drawn in ${Math.round(sinceLoadMs)} ms${asked}`);
    this.drawn.fire({ key, events, sinceLoadMs, stepsMs, sinceAskedMs });
    // Opened and restored profiles are on the disk already.
    if (askedAtMs !== undefined)
      this.parts.profiles.save(current).catch(error => this.parts.log.warn(`the profile was not kept: ${error}`));
  }

  failed({ title }: TimelinePanel, { message, detail }: HostEvents['failed']): void {
    this.parts.log.error(`${title}: ${message}\n${detail}`);
    this.refused.fire({ title, message });
  }

  dispose() {
    for (const timeline of this.panels.values()) timeline.panel.dispose();
    this.newRuns.dispose();
    this.values.dispose();
    this.related.dispose();
    this.drawn.dispose();
    this.refused.dispose();
  }

  private replace(timeline: TimelinePanel, run: Run) {
    timeline.panel.title = run.title;
    timeline.replace(sourceOf(run));
  }
}

/** Beside the code, which keeps the focus, or in a column where a timeline is. */
function newPanel(title: string, column?: vscode.ViewColumn): vscode.WebviewPanel {
  const place = { viewColumn: column ?? vscode.ViewColumn.Beside, preserveFocus: column === undefined };
  return vscode.window.createWebviewPanel(VIEW_TYPE, title, place);
}
