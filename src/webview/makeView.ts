/** The `View` that actions and panels share, before there is a profile. */
import { spanNs } from './math/timeSpan';
import { ownOf, profileOf } from './stack/profiles';
import type { SpanAnimation } from './state/spanAnimation';
import type { Store } from './state/store';
import type { View } from './state/view';
import type { State } from './state/viewState';
import { EMPTY_LAYOUT } from './tracks/layout';

/** What only the app can do. */
type AppPart = Pick<View, 'values' | 'openSource' | 'saveText' | 'announce' | 'focusSearch' | 'setStack' | 'tellStacked'>;

export function makeView(store: Store<State>, animation: SpanAnimation, requestFrame: () => void, app: AppPart): View {
  const view: View = {
    store,
    stack: [],
    get model() {
      return ownOf(view.stack)?.model ?? null;
    },
    get colouring() {
      return ownOf(view.stack)?.colouring ?? null;
    },
    limits: { startNs: 0, endNs: 1 },
    layout: EMPTY_LAYOUT,
    mask: null,
    walk: null,
    hit: null,
    refreshHit: () => {},
    widthPx: 1,
    heightPx: 1,
    viewport(row) {
      const { startNs, endNs } = store.state.span;
      const shiftNs = profileOf(view.stack, row.profile)?.shiftNs ?? 0;
      return { startNs: startNs + shiftNs, endNs: endNs + shiftNs, widthPx: view.widthPx };
    },
    moveTo(span, animated) {
      animation.stop();
      const still = !animated || spanNs(span) <= 0 || matchMedia('(prefers-reduced-motion: reduce)').matches;
      if (still) return store.update({ span });
      animation.start(store.state.span, span);
      requestFrame();
    },
    target: () => animation.target ?? store.state.span,
    ...app,
  };
  return view;
}
