/**
 * Puts the page together: channel, store, panels, the frame loop. One way round: message or gesture -> action -> store ->
 * frame -> panels. Holds the `View`; the actions and panels have the behaviour.
 */
import { registerComponents } from './components';
import { hasSource } from './data/describe';
import { relatedLines } from './data/related';
import { derive } from './derive';
import { listenToDrops } from './input/drops';
import { KEY_ACTIONS } from './input/keyActions';
import { actionFor } from './input/keymap';
import { asBytes, loadProfile } from './load';
import { makeView } from './makeView';
import { type Page, page } from './page';
import { element } from './panels/dom';
import { Channel, type Port } from './protocol/channel';
import type { HostEvents, HostMethods, KeptView, SourcePosition, ViewEvents, ViewState } from './protocol/messages';
import { FrameLoop } from './render/frame';
import { stackGiven } from './stack/actions';
import type { Stack } from './stack/profiles';
import { KEPT, keptState } from './state/keeping';
import { markLines, updateMask } from './state/searching';
import { SpanAnimation } from './state/spanAnimation';
import { Store } from './state/store';
import { followValues } from './state/values';
import { type Change, changedAny, type View } from './state/view';
import { initialState, type State } from './state/viewState';
import { ThemeSource } from './themeSource';

export type HostChannel = Channel<HostMethods, HostEvents, Record<never, never>, ViewEvents>;

/** Longer than the editor takes to show the line itself. */
const RELATED_PAUSE_MS = 150;
/** What the values follow. */
const VALUES = ['selected', 'tab', 'detailsOpen', 'status', 'values'] as const;
/** State worth telling the host about, this long after the last change of it. */
const KEEP_PAUSE_MS = 250;

export class App {
  readonly store = new Store<State>(initialState);
  readonly channel: HostChannel;
  readonly view: View;
  readonly loop: FrameLoop;
  private readonly animation = new SpanAnimation();
  private readonly theme: ThemeSource;
  private readonly live = element('div.live', { 'aria-live': 'polite', role: 'status' });
  private page: Page | null = null;
  private changed = new Set<Change>(['size', 'theme']);
  private keepTimer = 0;
  private relatedTimer = 0;
  private id = '';
  /** Runs after the next complete drawing. */
  private afterDraw: (() => void) | null = null;

  constructor(
    private readonly parent: HTMLElement,
    port: Port,
    private readonly keep: (view: KeptView) => void,
  ) {
    this.theme = new ThemeSource(() => this.touch('theme'));
    this.loop = new FrameLoop([
      { name: 'animate', run: nowMs => this.animate(nowMs) },
      { name: 'draw', run: () => this.draw() },
    ]);
    this.view = makeView(this.store, this.animation, () => this.loop.request(), {
      values: {
        obstacle: () => this.channel.request('valuesObstacle'),
        of: async instruction => asBytes(await this.channel.request('instructionValues', instruction)),
        stop: () => this.channel.send('stopValues', null),
      },
      openSource: (position, focus) => this.openSource(position, focus),
      saveText: (name, text) => this.saveText(name, text),
      announce: text => {
        this.live.textContent = text;
      },
      focusSearch: () => this.page?.focusSearch(),
      setStack: stack => this.setStack(stack),
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
        valuesProgress: progress => this.store.update({ valuesProgress: progress }),
        command: ({ name }) => KEY_ACTIONS[name](this.view),
      },
    );
  }

  async start(): Promise<void> {
    // Asked for together, and sent off before the page is built: the host answers meanwhile.
    const opening = this.channel.request('ready');
    const bytes = this.channel.request('loadProfile');
    bytes.catch(() => {}); // it is told of where it is awaited
    await new Promise(resolve => setTimeout(resolve));
    this.build();
    const { id, title, state, canOpenSource } = await opening;
    this.id = id;
    this.keep({ id, state });
    this.store.update({ title, canOpenSource });
    await this.load(state, bytes);
  }

  private build() {
    registerComponents();
    this.page = page(
      this.view,
      () => this.theme.theme,
      () => void this.load(),
    );
    const { root, area } = this.page;
    root.append(this.live);
    // before what the host may have put beside it meanwhile
    this.parent.prepend(root);
    new ResizeObserver(() => this.touch('size')).observe(area);
    this.store.subscribe((_, changed) => this.onChange(changed));
    document.addEventListener('keydown', event => this.onKey(event));
    listenToDrops(this.view, root);
    this.loop.request();
  }

  private load(state: ViewState | null = null, bytes = this.channel.request('loadProfile')) {
    const draw = (after: () => void) => {
      this.afterDraw = after;
      this.touch('model');
    };
    return loadProfile(this, { bytes, kept: state, draw });
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

  private setStack(stack: Stack) {
    this.view.stack = stack;
    this.touch('stack');
  }

  /** Marks something outside the store as changed. */
  private touch(change: Change) {
    this.changed.add(change);
    if (this.page) this.loop.request();
  }

  private onChange(changed: ReadonlySet<keyof State>) {
    for (const key of changed) this.changed.add(key);
    if (changed.has('found') || changed.has('marked')) updateMask(this.view);
    if (changed.has('palette')) this.changed.add('theme');
    if (changedAny(changed, KEPT)) this.keepSoon();
    if (changed.has('selected') || changed.has('arrows')) this.tellRelatedSoon();
    if (changedAny(changed, VALUES)) followValues(this.view);
    this.loop.request();
  }

  private animate(nowMs: number) {
    const span = this.animation.step(nowMs);
    if (span) this.store.update({ span });
    if (this.animation.target) this.loop.request();
  }

  private draw() {
    if (!this.page) return;
    const { root, area, panels } = this.page;
    const changed = this.changed;
    this.changed = new Set();
    derive(this.view, changed, root, area);
    if (changed.has('theme')) this.theme.read();
    for (const panel of panels) panel.draw(changed);
    this.expose(root);
    const after = /ready|empty/.test(this.store.state.status) ? this.afterDraw : null;
    if (!after) return;
    this.afterDraw = null;
    setTimeout(after);
  }

  /** For tests and for style sheets: what is shown, as attributes. */
  private expose(root: HTMLElement) {
    const { status, span, selected, dragMode } = this.store.state;
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

  private keepSoon() {
    clearTimeout(this.keepTimer);
    this.keepTimer = window.setTimeout(() => {
      const state = keptState(this.store.state);
      this.keep({ id: this.id, state });
      this.channel.send('state', state);
    }, KEEP_PAUSE_MS);
  }

  private tellRelatedSoon() {
    clearTimeout(this.relatedTimer);
    this.relatedTimer = window.setTimeout(() => this.tellRelated(), RELATED_PAUSE_MS);
  }

  private tellRelated() {
    const { model } = this.view;
    const { selected, arrows } = this.store.state;
    this.channel.send('related', { lines: model && selected !== null && arrows ? relatedLines(model, selected) : [] });
  }
}

const pathOf = (event: KeyboardEvent) => event.composedPath().filter(node => node instanceof HTMLElement);
const isTyping = (event: KeyboardEvent) =>
  pathOf(event).some(node => /^(input|textarea|select|vscode-dropdown)$/i.test(node.localName) && node.getAttribute('type') !== 'checkbox');
/** Enter on a button presses the button. */
const isControl = (event: KeyboardEvent) => event.key === 'Enter' && pathOf(event).some(node => /button$|^summary$/.test(node.localName));
