/**
 * Puts the page together: channel, store, panels, the frame loop. One way round: message or gesture -> action -> store ->
 * frame -> panels. Holds the `View`; the actions and panels have the behaviour.
 */
import { registerComponents } from './components';
import { eventPosition } from './data/model';
import { KEY_ACTIONS } from './input/keyActions';
import { actionFor } from './input/keymap';
import { loadProfile } from './load';
import { counters } from './panels/counters';
import { curtain } from './panels/curtain';
import { details } from './panels/details';
import { element } from './panels/dom';
import { help } from './panels/help';
import { notes } from './panels/notes';
import { overview } from './panels/overview';
import { resizer } from './panels/resizer';
import { rowLabels } from './panels/rowLabels';
import { toolbar } from './panels/toolbar';
import { tooltip } from './panels/tooltip';
import { tracks } from './panels/tracks';
import { Channel, type Port } from './protocol/channel';
import type { HostEvents, HostMethods, KeptView, SourcePosition, ViewEvents, ViewState } from './protocol/messages';
import { FrameLoop } from './render/frame';
import { markLines, updateMask } from './state/selection';
import { SpanAnimation } from './state/spanAnimation';
import { Store } from './state/store';
import type { Changes, Panel, View } from './state/view';
import { initialState, type State } from './state/viewState';
import { ThemeSource } from './themeSource';
import { colouring } from './tracks/colouring';
import { layOutRows } from './tracks/layout';

export type HostChannel = Channel<HostMethods, HostEvents, Record<never, never>, ViewEvents>;

type Change = Changes extends ReadonlySet<infer C> ? C : never;

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
  private readonly root = element('div.app');
  private panels: Panel[] = [];
  private changed = new Set<Change>(['size', 'theme']);
  private keepTimer = 0;
  private id = '';
  /** Runs after the next complete drawing. */
  private afterDraw: (() => void) | null = null;

  constructor(
    private readonly parent: HTMLElement,
    port: Port,
    private readonly keep: (view: KeptView) => void,
  ) {
    this.theme = new ThemeSource(() => this.touch('theme'));
    this.view = this.makeView();
    this.loop = new FrameLoop([
      { name: 'animate', run: nowMs => this.animate(nowMs) },
      { name: 'draw', run: () => this.draw() },
    ]);
    this.channel = new Channel<HostMethods, HostEvents, Record<never, never>, ViewEvents>(
      port,
      {},
      {
        profileChanged: ({ title }) => {
          this.store.update({ title });
          void this.load();
        },
        selectLines: ({ positions, zoom }) => markLines(this.view, positions, zoom),
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
    this.compose();
    // before what the host may have put beside it meanwhile
    this.parent.prepend(this.root);
    this.store.subscribe((_, changed) => this.onChange(changed));
    document.addEventListener('keydown', event => this.onKey(event));
    this.loop.request();
  }

  private load(state: ViewState | null = null, bytes = this.channel.request('loadProfile')) {
    const draw = (after: () => void) => {
      this.afterDraw = after;
      this.touch('model');
    };
    return loadProfile(this, { bytes, kept: state, draw });
  }

  private makeView(): View {
    const { store } = this;
    return {
      store,
      model: null,
      layout: { rows: [], heightPx: 0 },
      colouring: null,
      mask: null,
      hit: null,
      refreshHit: () => {},
      widthPx: 1,
      heightPx: 1,
      moveTo: (span, animated) => {
        this.animation.stop();
        if (!animated || matchMedia('(prefers-reduced-motion: reduce)').matches) return store.update({ span });
        this.animation.start(store.state.span, span);
        this.loop.request();
      },
      target: () => this.animation.target ?? store.state.span,
      openSource: position => this.openSource(position),
      announce: text => {
        this.live.textContent = text;
      },
      focusSearch: () => {},
    };
  }

  private openSource(position: SourcePosition) {
    if (!this.store.state.canOpenSource) return;
    this.channel.request('openSource', position).catch((error: Error) => this.view.announce(error.message));
  }

  private compose() {
    const { view } = this;
    const theme = () => this.theme.theme;
    const bar = toolbar(view);
    view.focusSearch = bar.focusSearch;
    const rows = tracks(view, theme);
    const names = rowLabels(view);
    const strip = overview(view, theme);
    const graphs = counters(view, theme);
    const below = [notes(view), details(view)];
    const cover = curtain(view, () => void this.load());
    const floating = [tooltip(view, rows.element), help(view)];
    const stage = element(
      'div.stage',
      {},
      element('div.corner'),
      strip.element,
      element('div.corner'),
      rows.axis,
      names.element,
      rows.element,
    );
    stage.append(resizer(view), cover.element);
    this.root.append(bar.element, stage, graphs.element, ...below.map(p => p.element), ...floating.map(p => p.element), this.live);
    // the rows first: they find what is under the pointer, the tooltip shows it
    this.panels = [cover, bar, rows, names, strip, graphs, ...below, ...floating];
    new ResizeObserver(() => this.touch('size')).observe(rows.element);
  }

  /** Marks something outside the store as changed. */
  private touch(change: Change) {
    this.changed.add(change);
    if (this.panels.length > 0) this.loop.request();
  }

  private onChange(changed: ReadonlySet<keyof State>) {
    for (const key of changed) this.changed.add(key);
    if (changed.has('found') || changed.has('marked')) updateMask(this.view);
    if (['span', 'selected', 'collapsed', 'scrollTop'].some(key => changed.has(key as keyof State))) this.keepSoon();
    if (changed.has('selected')) this.tellSelection();
    this.loop.request();
  }

  private animate(nowMs: number) {
    const span = this.animation.step(nowMs);
    if (span) this.store.update({ span });
    if (this.animation.target) this.loop.request();
  }

  private draw() {
    const changed = this.changed;
    this.changed = new Set();
    if (changed.has('theme')) this.theme.read();
    this.derive(changed);
    for (const panel of this.panels) panel.draw(changed);
    this.expose();
    const after = /ready|empty/.test(this.store.state.status) ? this.afterDraw : null;
    if (!after) return;
    this.afterDraw = null;
    setTimeout(after);
  }

  /** For tests and for style sheets: what is shown, as attributes. */
  private expose() {
    const { status, span, selected } = this.store.state;
    Object.assign(this.root.dataset, { status, span: `${span.startNs} ${span.endNs}`, selected: String(selected) });
  }

  /** What panels share and the store does not hold. */
  private derive(changed: Set<Change>) {
    const { view } = this;
    const { model } = view;
    const { collapsed, colourBy, labelsPx, detailsOpen } = this.store.state;
    this.root.style.setProperty('--labels', `${Math.min(labelsPx, Math.round(this.root.clientWidth * 0.4))}px`);
    this.root.classList.toggle('detailsOpen', detailsOpen);
    if (model && (changed.has('model') || changed.has('collapsed'))) {
      view.layout = layOutRows(model.profile, model.tracks, collapsed);
      this.root.style.setProperty('--content', `${view.layout.heightPx}px`);
    }
    if (model && (changed.has('model') || changed.has('colourBy'))) view.colouring = colouring(model.profile, colourBy);
    const area = this.root.querySelector('.tracks')!;
    const [widthPx, heightPx] = [Math.max(1, area.clientWidth), Math.max(1, area.clientHeight)];
    if (widthPx !== view.widthPx || heightPx !== view.heightPx) changed.add('size');
    view.widthPx = widthPx;
    view.heightPx = heightPx;
  }

  private onKey(event: KeyboardEvent) {
    if (event.key === 'Escape' && this.store.state.helpOpen) return this.store.update({ helpOpen: false });
    const action = actionFor(event, isTyping(event));
    if (!action || !this.view.model) return;
    if (action === 'openSource' && isControl(event)) return;
    event.preventDefault();
    KEY_ACTIONS[action](this.view);
  }

  private keepSoon() {
    clearTimeout(this.keepTimer);
    this.keepTimer = window.setTimeout(() => {
      const { span, selected, collapsed, scrollTop } = this.store.state;
      const state: ViewState = { ...span, selectedEvent: selected, collapsed: [...collapsed], scrollTop };
      this.keep({ id: this.id, state });
      this.channel.send('state', state);
    }, KEEP_PAUSE_MS);
  }

  private tellSelection() {
    const { selected } = this.store.state;
    const position = this.view.model && selected !== null ? eventPosition(this.view.model, selected) : null;
    this.channel.send('selection', { event: selected, position });
  }
}

const pathOf = (event: KeyboardEvent) => event.composedPath().filter(node => node instanceof HTMLElement);
const isTyping = (event: KeyboardEvent) => pathOf(event).some(node => /^(input|textarea|select|vscode-dropdown)$/i.test(node.localName));
/** Enter on a button presses the button. */
const isControl = (event: KeyboardEvent) => event.key === 'Enter' && pathOf(event).some(node => /button$/.test(node.localName));
