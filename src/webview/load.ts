/** A profile's way in: bytes from the host, decoded, made into a model, drawn, reported as painted. Errors become sentences. */
import { FormatError } from '../simulator/columns/container';
import { decodeProfile } from '../simulator/profile/codec';
import type { App } from './app';
import { compactWhenIdle } from './data/compacting';
import { buildModel, type Model } from './data/model';
import { containsSpan, type TimeSpan } from './math/timeSpan';
import type { ViewState } from './protocol/messages';
import { recolour, useOwn } from './stack/actions';
import { limitsOf } from './stack/profiles';
import { restored } from './state/keeping';
import { search } from './state/searching';
import type { State } from './state/viewState';

export interface Loading {
  /** The container, asked for already. */
  bytes: Promise<Uint8Array>;
  kept: ViewState | null;
  /** Asks for a drawing, and calls back once it is complete. */
  draw(after: () => void): void;
}

export async function loadProfile({ channel, store, view }: App, { bytes, kept, draw }: Loading): Promise<void> {
  const sinceMs = performance.now();
  performance.mark('nki-scope:load');
  if (!view.model) store.update({ status: 'loading', failure: '' });
  try {
    const model = buildModel(decodeProfile(asBytes(await bytes)));
    const previous = view.model && limitsOf(view.stack);
    useOwn(view, store.state.title, model);
    store.update({
      ...viewOf(model, { previous, limits: limitsOf(view.stack) }, store.state, kept),
      status: model.events > 0 ? 'ready' : 'empty',
      failure: '',
    });
    if (store.state.searchText !== '') search(view, store.state.searchText);
    draw(() => {
      performance.mark('nki-scope:painted');
      channel.send('painted', { events: model.events, sinceLoadMs: performance.now() - sinceMs });
      compactWhenIdle(model, () => {
        performance.mark('nki-scope:compact');
        recolour(view, model);
      });
    });
  } catch (error) {
    const { message, stack } = error as Error;
    store.update({ status: 'failed', failure: message });
    channel.send('failed', { message, detail: error instanceof FormatError ? '' : (stack ?? '') });
  }
}

/** Hosts differ in what arrives: VS Code may hand over the buffer instead of the view on it. */
export function asBytes(value: Uint8Array | ArrayBuffer): Uint8Array {
  return value instanceof ArrayBuffer ? new Uint8Array(value) : value;
}

const NOT_ASKED = { is: 'unknown' } as const;

/** Kept state where it still makes sense; otherwise the whole run, nothing selected. */
function viewOf(
  model: Model,
  { previous, limits }: { previous: TimeSpan | null; limits: TimeSpan },
  state: State,
  kept: ViewState | null,
): Partial<State> {
  const cleared = {
    selected: null,
    found: null,
    foundAt: -1,
    marked: null,
    searchError: '',
    pointer: null,
    box: null,
    warning: null,
    values: NOT_ASKED,
  };
  if (kept) return { ...cleared, ...restored(kept, model) };
  // after a re-run: stay where one was looking, unless that was everything
  const stay = previous !== null && !containsSpan(state.span, previous) && containsSpan(limits, state.span);
  return { ...cleared, span: stay ? state.span : limits };
}
