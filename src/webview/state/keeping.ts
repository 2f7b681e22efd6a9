/** What of the state is kept, and how it comes back: the state as a `ViewState` for the host, and a kept one fitted to a profile. */
import type { Model } from '../data/model';
import { clampSpan, type TimeSpan } from '../math/timeSpan';
import type { ViewState } from '../protocol/messages';
import { changedSettings, checkedSettings, SETTING_NAMES } from './settings';
import type { State } from './viewState';

/** State keys whose change is worth telling the host. */
export const KEPT: readonly (keyof State)[] = ['span', 'selected', 'scrollTop', ...SETTING_NAMES];

export function keptState(state: State): ViewState {
  const { span, selected, scrollTop, collapsed } = state;
  return { ...span, selectedEvent: selected, collapsed: [...collapsed], scrollTop, settings: changedSettings(state) };
}

/** The parts of a kept state that make sense for this profile. */
export function restored(kept: ViewState, model: Model): Partial<State> {
  const { startNs, endNs, selectedEvent, scrollTop, collapsed } = kept;
  const known = Number.isInteger(selectedEvent) && selectedEvent! >= 0 && selectedEvent! < model.events;
  return {
    ...checkedSettings({ collapsed, ...kept.settings }),
    span: isSpan({ startNs, endNs }) ? clampSpan({ startNs, endNs }, model.limits) : model.bodySpan,
    selected: known ? selectedEvent : null,
    scrollTop: Number.isFinite(scrollTop) ? scrollTop : 0,
  };
}

const isSpan = ({ startNs, endNs }: TimeSpan) => Number.isFinite(startNs) && Number.isFinite(endNs) && endNs > startNs;
