/**
 * Assembles the page: channel, store, panels, the frame loop. Data flows in one direction: message or gesture -> action -> store -> frame
 * -> panels. It has the `View`; actions and panels have the behaviour.
 */
import { showPart } from './actions/lineParts';
import { markLines } from './actions/searching';
import { stackGiven } from './actions/stack';
import { hasSource } from './data/describe';
import type { Model } from './data/model';
import { registerComponents } from './dom/components';
import { element } from './dom/element';
import { effects } from './effects';
import { listenToDrops } from './input/drops';
import { KEY_ACTIONS } from './input/keyActions';
import { actionFor } from './input/keymap';
import { asBytes, loadProfile, receiving } from './load';
import { measuring } from './measure';
import { page } from './page';
import { Channel, type Port } from './protocol/channel';
import type { HostChannel } from './protocol/hostChannel';
import type { HostEvents, HostMethods, KeptView, LaunchAsked, SourcePosition, ViewEvents, ViewState } from './protocol/messages';
import { FrameLoop } from './render/frame';
import { Stages } from './stages';
import { stepped } from './state/motion';
import { Store } from './state/store';
import { initialState, type State } from './state/viewState';
import { followTheme } from './themeSource';
import { makeView } from './view/makeView';
import type { View } from './view/view';

export class App {
  readonly store = new Store<State>(initialState);
  readonly channel: HostChannel;
  readonly view: View;
  private readonly live = element('div.live', { 'aria-live': 'polite', role: 'status' });
  private focusSearch = () => {};
  private id = '';
  private stages = new Stages([], 0);

  constructor(
    private readonly parent: HTMLElement,
    port: Port,
    private readonly page: {
      /** Where the page has a place of its own for it. */
      keep(view: KeptView): void;
      /** A profile was drawn completely. */
      drawn(model: Model): void;
    },
  ) {
    this.view = makeView(this.store, {
      values: {
        obstacle: () => this.channel.request('valuesObstacle'),
        of: async instruction => asBytes(await this.channel.request('instructionValues', instruction)),
        stop: () => this.channel.send('stopValues', null),
      },
      experimentsHost: {
        ask: async asked => {
          const answer = await this.channel.request('experiment', asked);
          return asked.job === 'retimed' ? asBytes(answer as Uint8Array) : answer;
        },
        stop: job => this.channel.send('stopExperiment', { job }),
      },
      loadSlices: async key => asBytes(await this.channel.request('loadSlices', key)),
      openSource: (position, focus) => this.openSource(position, focus),
      openLaunch: launch => this.openLaunch(launch),
      saveText: (name, text) => this.saveText(name, text),
      saveProfile: annotations => this.tellSaved('The profile', this.channel.request('saveProfile', annotations)),
      announce: text => {
        this.live.textContent = text;
      },
      focusSearch: () => this.focusSearch(),
      openRank: at => this.channel.send('openRank', { at }),
      stackRanks: () => this.channel.send('stackRanks', null),
      tellStacked: stacked => this.channel.send('stacked', stacked),
    });
    this.channel = new Channel<HostMethods, HostEvents, Record<never, never>, ViewEvents>(
      port,
      {},
      {
        profileChanged: ({ title, bytes }) => {
          this.store.update({ title });
          void this.load(null, bytes && Promise.resolve(bytes));
        },
        selectLines: ({ positions, zoom }) => markLines(this.view, positions, zoom),
        showPart: ({ position, of }) => showPart(this.view, position, of),
        stack: ({ profiles, ...how }) =>
          stackGiven(this.view, { ...how, profiles: profiles.map(given => ({ ...given, bytes: asBytes(given.bytes) })) }),
        ranks: ({ labels, own }) => this.store.update({ rankTabs: labels.length > 0 ? { labels, own } : null }),
        profileReceived: received => this.store.update({ loading: receiving(received) }),
        experimentProgress: ({ job, share }) =>
          this.store.update({ experimentShares: { ...this.store.state.experimentShares, [job]: share } }),
        valuesProgress: progress => this.store.update({ valuesProgress: progress }),
        command: ({ name }) => KEY_ACTIONS[name](this.view),
      },
    );
  }

  async start(): Promise<void> {
    // All requests are sent before the page is built, so that the host can answer meanwhile.
    const opening = this.channel.request('ready');
    const bytes = this.channel.request('loadProfile');
    bytes.catch(() => {}); // errors are reported where it is awaited
    await new Promise(resolve => setTimeout(resolve));
    this.build();
    const { id, title, state, canOpenSource, canExperiment, canRunAgain } = await opening;
    this.id = id;
    this.page.keep({ id, state });
    this.store.update({ title, canOpenSource, canExperiment, canRunAgain });
    await this.load(state, bytes);
  }

  private build() {
    registerComponents();
    const { store, view } = this;
    const { root, area, sharing, panels, firstPanels, focusSearch } = page(view, () => void this.load());
    this.stages = new Stages(panels, firstPanels);
    this.focusSearch = focusSearch;
    root.append(this.live);
    // before what the host may have put beside it meanwhile
    this.parent.prepend(root);
    const measure = measuring(view, root, area, sharing);
    const exposed = view.drawing(() => this.expose(root));
    // changes on the way to the panels are drawn in the frame that they are made in
    let isBeforePanels = false;
    const loop = new FrameLoop([
      {
        name: 'prepare',
        run: nowMs => {
          isBeforePanels = true;
          this.animate(nowMs);
          measure();
          isBeforePanels = false;
          if (store.state.motion) loop.request();
        },
      },
      {
        name: 'draw',
        run: () => {
          if (this.stages.draw()) loop.request();
          exposed();
        },
      },
    ]);
    const affect = effects(view, this.channel, state => this.page.keep({ id: this.id, state }));
    store.subscribe(() => {
      affect();
      if (!isBeforePanels) loop.request();
    });
    new ResizeObserver(() => loop.request()).observe(area);
    followTheme(theme => store.update({ theme }));
    document.addEventListener('keydown', event => this.onKey(event));
    listenToDrops(view, root);
    loop.request();
  }

  private load(kept: ViewState | null = null, bytes = this.channel.request('loadProfile')) {
    return loadProfile(this.view, { bytes, kept, channel: this.channel, drawing: this.stages, onDrawn: this.page.drawn });
  }

  private openSource(position: SourcePosition, focus: boolean) {
    if (!this.store.state.canOpenSource || !hasSource(position)) return;
    const { file, line } = position;
    this.channel.request('openSource', { file, line }, focus).catch((error: Error) => this.view.announce(error.message));
  }

  private openLaunch(launch: LaunchAsked) {
    this.store.update({ launchRefusal: '' });
    this.channel.request('openLaunch', launch).catch((error: Error) => {
      this.store.update({ launchRefusal: error.message });
      this.view.announce(error.message);
    });
  }

  private saveText(name: string, text: string) {
    this.tellSaved(name, this.channel.request('saveText', { name, text }));
  }

  private tellSaved(name: string, saving: Promise<boolean>) {
    saving.then(
      saved => saved && this.view.announce(`${name} saved.`),
      (error: Error) => this.view.announce(error.message),
    );
  }

  private animate(nowMs: number) {
    const { motion } = this.store.state;
    if (motion) this.store.update(stepped(motion, nowMs));
  }

  /** For tests and for style sheets: what is shown, as attributes. */
  private expose(root: HTMLElement) {
    const { status, span, selected, dragMode } = this.view.state;
    Object.assign(root.dataset, { status, span: `${span.startNs} ${span.endNs}`, selected: String(selected), dragMode });
  }

  private onKey(event: KeyboardEvent) {
    if (event.key === 'Escape' && this.store.state.open) return this.store.update({ open: null });
    const action = actionFor(event, isTyping(event));
    if (!action || !this.view.model) return;
    if (this.store.state.open && action !== 'help') return;
    if (action === 'openSource' && isControl(event)) return;
    event.preventDefault();
    KEY_ACTIONS[action](this.view);
  }
}

const pathOf = (event: KeyboardEvent) => event.composedPath().filter(node => node instanceof HTMLElement);
const isTyping = (event: KeyboardEvent) =>
  pathOf(event).some(node => /^(input|textarea|select|vscode-dropdown)$/i.test(node.localName) && node.getAttribute('type') !== 'checkbox');
/** Enter on a button presses the button. */
const isControl = (event: KeyboardEvent) => event.key === 'Enter' && pathOf(event).some(node => /button$|^summary$/.test(node.localName));
