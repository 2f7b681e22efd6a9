/** A profile's way in: bytes from the host, decoded, made into a model, drawn, reported as painted. Errors become sentences. */
import { eventCount } from '../simulator/analyze/eventAccess';
import { bytesText } from '../simulator/analyze/format';
import { FormatError } from '../simulator/columns/container';
import { decodeFirst } from '../simulator/profile/parts';
import { adviseUnasked } from './actions/experiments';
import { placeMarkers } from './actions/placeMarkers';
import { search } from './actions/searching';
import { completedBy, completeStacked } from './actions/slices';
import { compactWhenIdle } from './data/compacting';
import { type Model, warningCount } from './data/model';
import { limitsOf, ownOf, withOwn, withoutExperiment } from './data/stack';
import { sentModel } from './data/systemModel';
import { whenIdle } from './dom/idle';
import { nextPaint } from './dom/nextPaint';
import { containsSpan, sameSpan, type TimeSpan } from './math/timeSpan';
import { plural } from './math/units';
import type { HostChannel } from './protocol/hostChannel';
import type { LoadingSteps, ViewEvents, ViewState } from './protocol/messages';
import type { Stages } from './stages';
import { NO_EXPERIMENTS } from './state/experimentsState';
import { restored } from './state/keeping';
import { isMissing, markersOf } from './state/marker';
import { type Progress, WAITING } from './state/progress';
import { checkedSettings, initialSettings } from './state/settings';
import type { State } from './state/viewState';
import { showsSlices } from './tracks/rows';
import type { View } from './view/view';

/** From this size on the page says what it does with a profile: below, the words would only flash. */
const LONG_BYTES = 4e6;

export interface Loading {
  /** What `loadProfile` of the host answers, asked for already. */
  bytes: Promise<Uint8Array>;
  kept: ViewState | null;
  channel: Pick<HostChannel, 'send'>;
  drawing: Pick<Stages, 'begin' | 'resume'>;
  /** Called when all of it is drawn. */
  onDrawn(model: Model): void;
}

export async function loadProfile(view: View, { bytes, kept, channel, drawing, onDrawn }: Loading): Promise<void> {
  const { store, state } = view;
  const sinceMs = performance.now();
  const stepsMs = { received: 0, read: 0, laidOut: 0, rows: 0, slices: 0, panels: 0 };
  let atMs = sinceMs;
  const done = (name: keyof LoadingSteps) => {
    const nowMs = performance.now();
    stepsMs[name] = nowMs - atMs;
    atMs = nowMs;
  };
  performance.mark('nki-scope:load');
  const step = async (text: string, sizeBytes: number) => {
    if (sizeBytes < LONG_BYTES || view.model) return;
    store.update({ loading: { text, share: null } });
    await nextPaint();
  };
  const fail = (error: Error) => {
    store.update({ status: 'failed', failure: error.message });
    channel.send('failed', { message: error.message, detail: error instanceof FormatError ? '' : (error.stack ?? '') });
  };
  if (!view.model) store.update({ status: 'loading', failure: '', loading: WAITING });
  try {
    const container = asBytes(await bytes);
    done('received');
    await step(`Reading ${bytesText(container.length)}`, container.length);
    const { profile, isWhole } = decodeFirst(container);
    // on its way while the rows are drawn
    const slices = isWhole ? null : view.loadSlices(null);
    slices?.catch(() => {}); // reported where it is awaited
    done('read');
    await step(`Laying out ${plural(eventCount(profile), 'event')}`, container.length);
    const { systemRows, dmaRows } = settingsOf(kept, state);
    const first = sentModel({ profile, isWhole }, systemRows);
    const model = slices && showsSlices(dmaRows) ? await completedBy(first, slices) : first;
    done('laidOut');
    const previous = view.model && { limits: view.limits, bodySpan: view.model.bodySpan };
    const stack = withOwn(withoutExperiment(state.stack), state.title, model);
    const next = viewOf(model, { previous, limits: limitsOf(stack) }, state, kept);
    const markers = placeMarkers(
      profile,
      next.markers ?? (profile.annotations && !previous ? markersOf(profile.annotations) : state.markers),
    );
    store.update({
      ...next,
      markers,
      stack,
      status: model.events > 0 ? 'ready' : 'empty',
      failure: '',
    });
    if (state.searchText !== '') search(view, state.searchText);
    const missing = markers.filter(isMissing).length;
    if (missing > 0) view.announce(`${plural(missing, 'marker')} without an event in this run.`);
    let shown = model;
    const rest = model.lacksSlices ? slices : null;
    const complete = async (arriving: Promise<Uint8Array>) => {
      const whole = await completeStacked(view, ownOf(stack)!, arriving);
      if (!whole) return;
      shown = whole;
      done('slices');
      drawing.resume();
    };
    drawing.begin(
      { isLarge: rest !== null || container.length >= LONG_BYTES, waits: rest !== null },
      () => {
        performance.mark('nki-scope:rows');
        done('rows');
        if (rest) complete(rest).catch(fail);
      },
      () => {
        performance.mark('nki-scope:painted');
        done('panels');
        channel.send('painted', { events: shown.events, sinceLoadMs: performance.now() - sinceMs, stepsMs });
        onDrawn(shown);
        compactWhenIdle(shown, () => performance.mark('nki-scope:compact'));
        adviseUnasked(view);
        countWarnings(view, shown);
      },
    );
  } catch (error) {
    fail(error as Error);
  }
}

/** Of what was kept, else as it is set. */
function settingsOf(kept: ViewState | null, { systemRows, dmaRows }: State): Pick<State, 'systemRows' | 'dmaRows'> {
  const known = checkedSettings(kept?.settings);
  return { systemRows: known.systemRows ?? systemRows, dmaRows: known.dmaRows ?? dmaRows };
}

/** A large profile has its warnings worked out when they are asked for. */
const MOST_COUNTED_EVENTS = 300_000;
/** Of the count: nobody waits for it. */
const COUNT_WAIT_MS = 1000;

function countWarnings(view: View, model: Model) {
  if (model.events > MOST_COUNTED_EVENTS) return;
  whenIdle(() => {
    if (view.store.state.stack.some(({ model: shown }) => shown === model)) view.store.update({ warningCount: warningCount(model) });
  }, COUNT_WAIT_MS);
}

/** What the page says while the profile arrives. */
export const receiving = ({ receivedBytes, totalBytes }: ViewEvents['profileReceived']): Progress =>
  totalBytes === null
    ? { text: `Received ${bytesText(receivedBytes)}`, share: null }
    : { text: `Received ${bytesText(receivedBytes)} of ${bytesText(totalBytes)}`, share: receivedBytes / Math.max(1, totalBytes) };

/** Hosts differ in what arrives: VS Code may hand over the buffer instead of the view on it. */
export function asBytes<Sent>(value: Sent | ArrayBuffer): Sent | Uint8Array {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}

const NOT_ASKED = { is: 'unknown' } as const;

/** Kept state where it still makes sense; otherwise the kernel's body, nothing selected. */
function viewOf(
  model: Model,
  { previous, limits }: { previous: { limits: TimeSpan; bodySpan: TimeSpan } | null; limits: TimeSpan },
  state: State,
  kept: ViewState | null,
): Partial<State> {
  const cleared = {
    motion: null,
    selected: null,
    collective: null,
    walk: null,
    found: null,
    foundAt: -1,
    marked: null,
    searchError: '',
    pointer: null,
    box: null,
    warningCount: null,
    warning: null,
    values: NOT_ASKED,
    experiments: NO_EXPERIMENTS,
  };
  if (kept) return { ...cleared, markers: initialSettings.markers, ...restored(kept, model) };
  if (previous === null || sameSpan(state.span, previous.bodySpan)) return { ...cleared, span: model.bodySpan };
  // after a re-run: stay where one was looking, unless that was everything
  const stay = !containsSpan(state.span, previous.limits) && containsSpan(limits, state.span);
  return { ...cleared, span: stay ? state.span : limits };
}
