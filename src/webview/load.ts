/** A profile's way in: bytes from the host, decoded, made into a model, drawn, reported as painted. Errors become sentences. */
import { eventCount } from '../simulator/analyze/eventAccess';
import { bytesText } from '../simulator/analyze/format';
import { FormatError } from '../simulator/columns/container';
import { decodeProfile } from '../simulator/profile/codec';
import { adviseUnasked } from './actions/experiments';
import { search } from './actions/searching';
import { compactWhenIdle } from './data/compacting';
import { buildModel, type Model, warningCount } from './data/model';
import { limitsOf, withOwn } from './data/stack';
import { whenIdle } from './dom/idle';
import { nextPaint } from './dom/nextPaint';
import { containsSpan, sameSpan, type TimeSpan } from './math/timeSpan';
import { plural } from './math/units';
import type { HostChannel } from './protocol/hostChannel';
import type { ViewEvents, ViewState } from './protocol/messages';
import { NO_EXPERIMENTS } from './state/experimentsState';
import { restored } from './state/keeping';
import type { Progress } from './state/progress';
import type { State } from './state/viewState';
import type { View } from './view/view';

/** From this size on the page says what it does with a profile: below, the words would only flash. */
const LONG_BYTES = 4e6;

export interface Loading {
  /** The container, asked for already. */
  bytes: Promise<Uint8Array>;
  kept: ViewState | null;
  channel: Pick<HostChannel, 'send'>;
  /** Calls back once what is there by then is drawn. */
  afterDraw(act: () => void): void;
}

export async function loadProfile(view: View, { bytes, kept, channel, afterDraw }: Loading): Promise<void> {
  const { store, state } = view;
  const sinceMs = performance.now();
  performance.mark('nki-scope:load');
  const step = async (text: string, sizeBytes: number) => {
    if (sizeBytes < LONG_BYTES || view.model) return;
    store.update({ loading: { text, share: null } });
    await nextPaint();
  };
  if (!view.model) store.update({ status: 'loading', failure: '', loading: { text: 'Waiting for the profile', share: null } });
  try {
    const container = asBytes(await bytes);
    await step(`Reading ${bytesText(container.length)}`, container.length);
    const profile = decodeProfile(container);
    await step(`Laying out ${plural(eventCount(profile), 'event')}`, container.length);
    const model = buildModel(profile);
    const previous = view.model && { limits: view.limits, bodySpan: view.model.bodySpan };
    const stack = withOwn(state.stack, state.title, model);
    store.update({
      ...viewOf(model, { previous, limits: limitsOf(stack) }, state, kept),
      stack,
      status: model.events > 0 ? 'ready' : 'empty',
      failure: '',
    });
    if (state.searchText !== '') search(view, state.searchText);
    afterDraw(() => {
      performance.mark('nki-scope:painted');
      channel.send('painted', { events: model.events, sinceLoadMs: performance.now() - sinceMs });
      compactWhenIdle(model, () => performance.mark('nki-scope:compact'));
      adviseUnasked(view);
      countWarnings(view, model);
    });
  } catch (error) {
    const { message, stack } = error as Error;
    store.update({ status: 'failed', failure: message });
    channel.send('failed', { message, detail: error instanceof FormatError ? '' : (stack ?? '') });
  }
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
export function asBytes(value: Uint8Array | ArrayBuffer): Uint8Array {
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
  if (kept) return { ...cleared, ...restored(kept, model) };
  if (previous === null || sameSpan(state.span, previous.bodySpan)) return { ...cleared, span: model.bodySpan };
  // after a re-run: stay where one was looking, unless that was everything
  const stay = !containsSpan(state.span, previous.limits) && containsSpan(limits, state.span);
  return { ...cleared, span: stay ? state.span : limits };
}
