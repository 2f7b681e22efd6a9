/**
 * Assembles the page: channel, store, panels, the frame loop. Data flows in one direction: message or gesture -> action -> store -> frame
 * -> panels. It has the `View`; actions and panels have the behaviour.
 */
import { markLines } from './actions/searching';
import { stackGiven } from './actions/stack';
import { hasSource } from './data/describe';
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
import type { HostEvents, HostMethods, KeptView, SourcePosition, ViewEvents, ViewState } from './protocol/messages';
import { FrameLoop } from './render/frame';
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
  /** Runs after the next complete drawing. */
  private afterDraw: (() => void) | null = null;

  constructor(
    private readonly parent: HTMLElement,
    port: Port,
    private readonly keep: (view: KeptView) => void,
  ) {
    this.view = makeView(this.store, {
      values: {
        obstacle: () => this.channel.request('valuesObstacle'),
        of: async instruction => asBytes(await this.channel.request('instructionValues', instruction)),
        stop: () => this.channel.send('stopValues', null),
      },
      experimentsHost: {
        ask: asked => this.channel.request('experiment', asked),
        stop: job => this.channel.send('stopExperiment', { job }),
      },
      openSource: (position, focus) => this.openSource(position, focus),
      saveText: (name, text) => this.saveText(name, text),
      announce: text => {
        this.live.textContent = text;
      },
      focusSearch: () => this.focusSearch(),
      tellStacked: profiles => this.channel.send('stacked', { profiles }),
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
        stack: ({ profiles, above }) =>
          stackGiven(this.view, { above, profiles: profiles.map(given => ({ ...given, bytes: asBytes(given.bytes) })) }),
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
    const { id, title, state, canOpenSource, canExperiment } = await opening;
    this.id = id;
    this.keep({ id, state });
    this.store.update({ title, canOpenSource, canExperiment });
    await this.load(state, bytes);
  }

  private build() {
    registerComponents();
    const { store, view } = this;
    const { root, area, sharing, panels, focusSearch } = page(view, () => void this.load());
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
          for (const panel of panels) panel.draw();
          exposed();
          this.drawn();
        },
      },
    ]);
    const affect = effects(view, this.channel, state => this.keep({ id: this.id, state }));
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
    const afterDraw = (act: () => void) => {
      this.afterDraw = act;
    };
    return loadProfile(this.view, { bytes, kept, channel: this.channel, afterDraw });
  }

  private openSource(position: SourcePosition, focus: boolean) {
    if (!this.store.state.canOpenSource || !hasSource(position)) return;
    const { file, line } = position;
    this.channel.request('openSource', { file, line }, focus).catch((error: Error) => this.view.announce(error.message));
  }

  private saveText(name: string, text: string) {
    this.channel.request('saveText', { name, text }).then(
      saved => saved && this.view.announce(`${name} saved.`),
      (error: Error) => this.view.announce(error.message),
    );
  }

  private animate(nowMs: number) {
    const { motion } = this.store.state;
    if (motion) this.store.update(stepped(motion, nowMs));
  }

  private drawn() {
    const after = this.afterDraw;
    this.afterDraw = null;
    if (after) setTimeout(after);
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
