/**
 * The line above each stacked profile's rows: which one it is, how long it took against the base, and what can be done with it,
 * by pointer or keys. There is none while a profile is alone.
 */
import { timeText } from '../../simulator/analyze/format';
import { listenToWheel } from '../input/gestures';
import { element } from '../panels/dom';
import { type IconName, icon } from '../panels/icons';
import { type Change, changedAny, type Panel, type View } from '../state/view';
import { headTopsPx } from '../tracks/layout';
import { makeBase, shiftProfile, toggleProfile, unstack } from './actions';
import { shareText } from './deltas';
import { HEAD_KEYS, onHeadKey } from './headKeys';
import { profileMark } from './mark';
import { letterOf, OWN, type StackedProfile } from './profiles';

const HEADS: readonly Change[] = ['model', 'stack', 'foldedProfiles', 'title'];
const KEYS = `${HEAD_KEYS.map(({ shown, text }) => `${shown}: ${text}`).join('. ')}.`;

export function stackHeads(view: View): Panel {
  const list = element('div.headList');
  const clip = element('div.stackHeads', { role: 'group', 'aria-label': 'Stacked profiles' }, list);
  listenToWheel(view, clip);
  return {
    element: clip,
    draw(changed) {
      const { layout, store } = view;
      if (changedAny(changed, HEADS)) rebuild(view, list);
      for (const [i, topPx] of headTopsPx(layout, store.state.scrollTop).entries())
        (list.children[i] as HTMLElement | undefined)?.style.setProperty('transform', `translateY(${topPx}px)`);
      clip.style.clipPath = `inset(${layout.pinnedPx}px 0 0 0)`;
    },
  };
}

/** Heads are made anew; what had the keyboard has it again. */
function rebuild(view: View, list: HTMLElement) {
  const focused = document.activeElement instanceof HTMLElement && list.contains(document.activeElement) ? document.activeElement : null;
  const [profile, act] = [focused?.closest<HTMLElement>('.stackHead')?.dataset.profile, focused?.dataset.act];
  list.replaceChildren(...view.layout.heads.map((_, place) => head(view, view.stack[place], place)));
  if (!focused) return;
  const again = list.querySelector<HTMLElement>(`[data-profile="${profile}"]`) ?? list.querySelector<HTMLElement>('.stackHead');
  (again?.querySelector<HTMLElement>(`[data-act="${act}"]:not(:disabled)`) ?? again)?.focus({ preventScroll: true });
}

function head(view: View, profile: StackedProfile, place: number): HTMLElement {
  const { number, title, model } = profile;
  const letter = letterOf(number);
  const [own, last, folded] = [number === OWN, place === view.stack.length - 1, view.store.state.foldedProfiles.includes(letter)];
  const measured = model.profile.simulated ? 'modelled' : 'measured';
  const times = timesText(profile, view.stack[0]);
  const fold = button('fold', 'chevron', `${folded ? 'Unfold' : 'Fold'} the rows of ${letter}`, () => toggleProfile(view, number));
  fold.setAttribute('aria-expanded', String(!folded));
  const made = element(
    'div.stackHead',
    {
      'data-profile': number,
      tabindex: 0,
      role: 'group',
      'aria-label': `${letter}: ${title}, ${measured}, ${times}. ${KEYS}`,
      title: `${letter}: ${title}, ${measured}, ${times}${own ? '. Details, search and marks are of this one.' : ''}`,
    },
    fold,
    profileMark(number),
    element('span.headTitle', {}, title),
    element('span.badge', {}, measured),
    element('span.headTimes', {}, times),
    place === 0
      ? element('span.badge.base', {}, 'base')
      : button('base', 'base', `Compare the others with ${letter}`, () => makeBase(view, number)),
    button('up', 'previous', `Move ${letter} up`, () => shiftProfile(view, number, -1), place === 0),
    button('down', 'next', `Move ${letter} down`, () => shiftProfile(view, number, 1), last),
    own ? null : button('remove', 'close', `Remove ${letter}`, () => unstack(view, number)),
  );
  made.style.borderLeftColor = `var(--scope-series-${number})`;
  made.addEventListener('keydown', event => onHeadKey(view, number, event));
  return made;
}

function button(act: string, name: IconName, label: string, press: () => void, disabled = false): HTMLButtonElement {
  const made = element('button.headAction', { type: 'button', title: label, 'aria-label': label, 'data-act': act, disabled }, icon(name));
  made.addEventListener('click', press);
  return made;
}

/** `48.3 µs, body 41.0 µs`, of another than the base with what it changes. */
function timesText({ model }: StackedProfile, base: StackedProfile): string {
  const text = (name: string, of: (p: typeof model.profile) => number) => {
    const [baseNs, ns] = [of(base.model.profile), of(model.profile)];
    return `${name} ${timeText(ns)}${base.model === model ? '' : ` (${shareText(baseNs, ns)})`}`;
  };
  return `${text('total', p => p.totalTimeNs)}, ${text('body', p => p.bodyEndNs - p.bodyStartNs)}`;
}
