/**
 * One timeline: the webview, its channel, and the requests it makes, whether the panel stands beside the code or is the editor of a
 * saved profile. What it draws is src/webview's.
 */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { Channel, type Handlers, type Port } from '../../webview/protocol/channel';
import type {
  HostEvents,
  HostMethods,
  LaunchAsked,
  LinePart,
  SourcePosition,
  ViewEvents,
  ViewState,
} from '../../webview/protocol/messages';
import { MOST_RANKS_SHOWN, pageHtml } from '../../webview/protocol/page';
import { sendingParcels } from '../../webview/protocol/parcels';
import { noticeText } from '../plainText';
import { packedForPage } from '../profiles/packing';
import type { Compared } from '../run/compared';
import type { Run } from '../run/run';
import type { Annotations } from './annotations';
import type { Experiments } from './experiments';
import { PackedAhead } from './packedAhead';
import type { OtherRank, Ranks, RankTab } from './ranks';
import type { RelatedLines } from './relatedLines';
import { saveProfile } from './saveProfile';
import { saveText } from './saveText';
import { StackedProfiles } from './stackedProfiles';
import type { TimelineValues } from './values';

/** VS Code has got the view's page by then, and a view that was waiting for its profile has asked for it. */
const LOADING_MS = 10;

/** Methods that the view answers: none yet. */
type ViewMethods = Record<never, never>;

/** Where a panel's profile comes from. */
export interface Source {
  /** `Run.key` of what it gives. */
  key: string;
  title: string;
  /** What it will give, where that is known before. */
  run?: Run;
  /** Null while there is nothing to load. @throws Error whose message the view shows in the profile's place */
  load: (() => Promise<Run>) | null;
}

export const sourceOf = (run: Run): Source => ({ key: run.key, title: run.title, run, load: async () => run });

/** Nothing yet: the panel waits until `replace` brings what it was opened for. */
export const expectedSource = (file: string, title: string): Source => ({ key: `expected\n${file}`, title, load: null });

/** What a panel asks of its owner. */
export interface PanelOwner {
  openSource(position: SourcePosition, focus: boolean, panel: TimelinePanel): Promise<void>;
  /** @throws Error with a sentence where its profile is not at hand */
  openLaunch(launch: LaunchAsked, panel: TimelinePanel): Promise<void>;
  moved(panel: TimelinePanel, state: ViewState): void;
  painted(panel: TimelinePanel, event: HostEvents['painted']): void;
  failed(panel: TimelinePanel, event: HostEvents['failed']): void;
  readonly annotations: Pick<Annotations, 'containerOf'>;
  openRank(rank: OtherRank, panel: TimelinePanel, state: ViewState | null): void;
  readonly ranks: Pick<Ranks, 'of'>;
  readonly experiments: Pick<Experiments, 'of' | 'stop' | 'forget'>;
  readonly values: Pick<TimelineValues, 'obstacle' | 'of' | 'stop'>;
  readonly related: Pick<RelatedLines, 'show'>;
}

export class TimelinePanel implements vscode.Disposable {
  private readonly channel: Channel<ViewMethods, ViewEvents, HostMethods, HostEvents>;
  private readonly subscriptions: vscode.Disposable[] = [];
  /** Until the view has drawn a profile: what it shall show then. */
  private waiting: (() => void)[] | null = [];
  private run: Run | undefined;
  /** What the view has, or will have next: it asks for the rest of it. */
  private sent: Run | undefined;
  private readonly ahead = new PackedAhead(packedForPage);
  private readonly stacked = new StackedProfiles({
    whenDrawn: act => this.whenDrawn(act),
    stack: event => this.channel.send('stack', event),
  });
  /** Of the run shown, its own too. */
  private ranks: RankTab[] = [];
  /** The view has no profile, and says why. */
  private hasFailed = false;
  /** Counts what the source had to show, and which of it the view has asked for. */
  private versions = { newest: 0, loaded: 0 };
  /** Settled when the source has something to load. */
  private readonly arrival: Promise<void>;
  private arrive: () => void = () => {};

  /** @param state of an earlier view, when one is restored */
  constructor(
    readonly panel: vscode.WebviewPanel,
    extensionUri: vscode.Uri,
    private source: Source,
    private readonly owner: PanelOwner,
    private state: ViewState | null,
  ) {
    this.run = source.run;
    this.arrival = new Promise(resolve => {
      this.arrive = resolve;
    });
    if (source.load) this.arrive();
    this.channel = new Channel<ViewMethods, ViewEvents, HostMethods, HostEvents>(
      sendingParcels(port(panel.webview), bytes => this.ahead.packed(bytes)),
      this.methods(),
      {
        state: value => {
          this.state = value;
          owner.moved(this, value);
        },
        stacked: event => this.stacked.told(event),
        openRank: ({ at }) => this.ranks[at] && owner.openRank(this.ranks[at].of, this, this.state),
        stackRanks: () => void this.stackRanks(),
        stopValues: () => owner.values.stop(),
        stopExperiment: ({ job }) => this.run && owner.experiments.stop(this.run, job),
        related: ({ lines }) => owner.related.show(lines),
        painted: event => {
          this.release();
          owner.painted(this, event);
          void this.tellRanks();
        },
        failed: event => {
          this.hasFailed = true;
          owner.failed(this, event);
        },
      },
    );
    // A hidden view is thrown away; when it is shown again it asks for everything anew.
    this.subscriptions.push(panel.onDidChangeViewState(() => panel.visible || this.expectView()));
    const assets = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    panel.webview.options = { enableScripts: true, localResourceRoots: [assets] };
    panel.webview.html = pageHtml({
      scriptUri: panel.webview.asWebviewUri(vscode.Uri.joinPath(assets, 'main.js')).toString(),
      styleUri: panel.webview.asWebviewUri(vscode.Uri.joinPath(assets, 'main.css')).toString(),
      cspSource: panel.webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      title: source.title,
    });
    this.prepare();
  }

  /** `Run.key` of what it shows or waits for. */
  get key(): string {
    return this.source.key;
  }

  get title(): string {
    return this.source.title;
  }

  /** The run shown; undefined while there is none. */
  get current(): Run | undefined {
    return this.run;
  }

  /** Another profile, or the same source with something newer in it, takes the place of the one shown. */
  replace(source: Source): void {
    this.source = source;
    this.run = source.run ?? this.run;
    this.versions.newest++;
    this.arrive();
    // A view that has not asked yet will get the newest by itself.
    if (this.hasFailed || !this.waiting) this.tellOfNewer();
    else this.prepare();
  }

  selectLines(positions: SourcePosition[]): void {
    this.whenDrawn(() => this.channel.send('selectLines', { positions, zoom: true }));
  }

  /** What a number beside this line came from. */
  showPart(position: SourcePosition, of: LinePart): void {
    this.whenDrawn(() => this.channel.send('showPart', { position, of }));
  }

  /** Above what is shown: the first of them is what all are compared with. */
  stack(others: readonly Compared[]): void {
    this.stacked.replace(others.map(toStack), true);
  }

  /** Which ranks there are beside the one shown: after each drawing, and when there may be others. */
  async tellRanks(): Promise<void> {
    const { run } = this;
    const ranks = run ? await this.owner.ranks.of(run) : [];
    if (run !== this.run || (ranks.length === 0 && this.ranks.length === 0)) return;
    this.ranks = ranks;
    const own = ranks.findIndex(({ of }) => of.key === this.key);
    this.whenDrawn(() => this.channel.send('ranks', { labels: ranks.map(({ label }) => label), own }));
  }

  command(name: ViewEvents['command']['name']): void {
    this.whenDrawn(() => this.channel.send('command', { name }));
  }

  dispose() {
    if (this.run) this.owner.experiments.forget(this.run);
    this.channel.dispose();
    this.owner.related.show([]);
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private methods(): Handlers<HostMethods> {
    return {
      ready: async () => {
        await this.arrival;
        return {
          id: this.key,
          title: this.title,
          state: this.state,
          canOpenSource: true,
          canExperiment: true,
          canRunAgain: true,
        };
      },
      loadProfile: async () => {
        await this.arrival;
        if (!this.source.load) throw new Error('nothing was profiled');
        this.hasFailed = false;
        this.versions.loaded = this.versions.newest;
        this.run = await this.source.load();
        return this.firstOf(this.run);
      },
      loadSlices: key => {
        const bytes = key === null ? this.sent?.bytes : this.stacked.bytesOf(key);
        if (!bytes) throw new Error('There is no profile.');
        return this.ahead.slicesOf(bytes);
      },
      openSource: async (position, focus) => {
        await this.owner.openSource(position, focus, this);
        return null;
      },
      openLaunch: async launch => {
        await this.owner.openLaunch(launch, this);
        return null;
      },
      saveText,
      saveProfile: annotations => (this.run ? saveProfile(this.run, annotations) : false),
      valuesObstacle: () => (this.run ? this.owner.values.obstacle(this.run) : 'There is no profile.'),
      instructionValues: instruction => {
        if (!this.run) throw new Error('There is no profile.');
        return this.owner.values.of(this.run, instruction, progress => this.channel.send('valuesProgress', progress));
      },
      experiment: asked => {
        if (!this.run) throw new Error('There is no profile.');
        return this.owner.experiments.of(this.run, asked, {
          onProgress: share => this.channel.send('experimentProgress', { job: asked.job, share }),
        });
      },
    };
  }

  /** One after the other: files are read in one worker. One that cannot be read does not keep the others back. */
  private async stackRanks(): Promise<void> {
    let goesOn = true;
    const others = this.ranks.filter(({ of }) => of.key !== this.key).slice(0, MOST_RANKS_SHOWN - 1);
    const load = async ({ label, of }: RankTab) => {
      try {
        return goesOn ? toStack({ run: await of.load(), title: label }) : undefined;
      } catch (error) {
        // by the user
        if (error instanceof vscode.CancellationError) goesOn = false;
        else void vscode.window.showErrorMessage(noticeText(`NKI Scope: ${label}: ${(error as Error).message}`));
      }
    };
    await this.stacked.oneByOne(others.map(other => () => load(other)));
  }

  private whenDrawn(act: () => void) {
    if (this.waiting) this.waiting.push(act);
    else act();
  }

  private expectView() {
    this.waiting ??= [];
  }

  private release() {
    const acts = this.waiting ?? [];
    // one that was there already has them
    if (this.waiting) this.stacked.sendAgain();
    this.waiting = null;
    if (this.versions.loaded !== this.versions.newest) this.tellOfNewer();
    for (const act of acts) act();
  }

  /** What is at hand is sent along: asking for it would take the view one more way there and back. */
  private tellOfNewer() {
    const { title, run } = this.source;
    if (run) {
      this.hasFailed = false;
      this.versions.loaded = this.versions.newest;
    }
    this.channel.send('profileChanged', { title, bytes: run && this.firstOf(run) });
  }

  /** Packs what is at hand while the view loads: it asks for it when it has loaded. */
  private prepare() {
    const { run } = this.source;
    if (!run || !this.panel.visible) return;
    const isLoading = () => this.source.run === run && this.sent !== run;
    setTimeout(() => isLoading() && this.ahead.prepare(this.owner.annotations.containerOf(run), run.bytes), LOADING_MS);
  }

  private firstOf(run: Run): Uint8Array {
    this.sent = run;
    // annotations are in the first part
    return this.ahead.firstOf(this.owner.annotations.containerOf(run), run.bytes);
  }
}

const toStack = ({ run, title }: Compared) => ({ key: run.key, title, bytes: run.bytes });

function port(webview: vscode.Webview): Port {
  return {
    post: message => void webview.postMessage(message),
    listen: handler => {
      const subscription = webview.onDidReceiveMessage(handler);
      return () => subscription.dispose();
    },
  };
}
