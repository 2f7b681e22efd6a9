/** Sends changes of the state to the host: the view to keep, lines related to the selection, requests for values of operands. */
import { followExperiments } from './actions/experiments';
import { followSlices } from './actions/slices';
import { followValues } from './actions/values';
import { eventPosition } from './data/model';
import { relatedLines } from './data/related';
import type { HostChannel } from './protocol/hostChannel';
import type { ViewState } from './protocol/messages';
import { keptState } from './state/keeping';
import type { View } from './view/view';

/** Longer than the editor takes to show the line itself. */
const RELATED_PAUSE_MS = 150;
/** Time from the last change of a view until it is kept. */
const KEEP_PAUSE_MS = 250;

/** @param keep keeps the view in the page's own place, where it has one @returns what does what is due, after each change */
export function effects(view: View, channel: HostChannel, keep: (state: ViewState) => void): () => void {
  const keepSoon = paused(KEEP_PAUSE_MS, (state: ViewState) => {
    keep(state);
    channel.send('state', state);
  });
  const relateSoon = paused(RELATED_PAUSE_MS, (selected: number | null) => {
    const { model } = view;
    channel.send('related', { lines: model && selected !== null ? relatedLines(model, selected) : [] });
  });
  const tellSoon = paused(RELATED_PAUSE_MS, (selected: number | null) => {
    const { model } = view;
    channel.send('selected', { position: model && selected !== null ? eventPosition(model, selected) : null });
  });
  const all = [
    // a view of nothing is none: what was kept stays until the profile is there
    view.drawing(() => view.model && keepSoon(keptState(view.state))),
    view.drawing(() => view.model && relateSoon(view.state.arrows ? view.state.selected : null)),
    view.drawing(() => view.model && tellSoon(view.state.selected)),
    view.drawing(() => followValues(view)),
    view.drawing(() => followExperiments(view)),
    view.drawing(() => followSlices(view)),
  ];
  return () => {
    for (const effect of all) effect();
  };
}

/** Calls only the last of several calls that follow one another soon. */
function paused<T>(pauseMs: number, act: (value: T) => void): (value: T) => void {
  let timer = 0;
  return value => {
    clearTimeout(timer);
    timer = window.setTimeout(() => act(value), pauseMs);
  };
}
