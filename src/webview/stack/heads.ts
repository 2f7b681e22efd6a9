/**
 * The line above each stacked profile's rows: its name, its time compared with the base, and its buttons and keys. A single profile has
 * none.
 */
import { timeText } from '../../simulator/analyze/format';
import { rankLabel } from '../../simulator/analyze/runNames';
import { makeBase, shiftProfile, toggleProfile, unstack } from '../actions/stack';
import { areRanks, baseOf, headed, isExperiment, letterOf, OWN, type StackedProfile } from '../data/stack';
import { element } from '../dom/element';
import { type IconName, icon } from '../dom/icons';
import { listenToWheel } from '../input/gestures';
import { headTopsPx } from '../tracks/layout';
import type { Panel, View } from '../view/view';
import { shareText } from './deltas';
import { HEAD_KEYS, onHeadKey } from './headKeys';
import { markColour, profileMark } from './mark';

const KEYS = `${HEAD_KEYS.map(({ shown, text }) => `${shown}: ${text}`).join('. ')}.`;

export function stackHeads(view: View): Panel {
  const list = element('div.headList');
  const clip = element('div.stackHeads', { role: 'group', 'aria-label': 'Stacked profiles' }, list);
  listenToWheel(view, clip);
  const made = view.drawing(() => rebuild(view, list));
  const placed = view.drawing(() => {
    const { layout, state } = view;
    for (const [i, topPx] of headTopsPx(layout, state.scrollTop).entries())
      (list.children[i] as HTMLElement | undefined)?.style.setProperty('transform', `translateY(${topPx}px)`);
    clip.style.clipPath = `inset(${layout.pinnedPx}px 0 0 0)`;
  });
  return {
    element: clip,
    draw() {
      placed(made());
    },
  };
}

/** Heads are made again, and the focus is restored. */
function rebuild(view: View, list: HTMLElement) {
  const focused = document.activeElement instanceof HTMLElement && list.contains(document.activeElement) ? document.activeElement : null;
  const [profile, act] = [focused?.closest<HTMLElement>('.stackHead')?.dataset.profile, focused?.dataset.act];
  const { stack } = view.state;
  list.replaceChildren(...headed(stack).map((_, place) => head(view, stack[place], place)));
  if (!focused) return;
  const again = list.querySelector<HTMLElement>(`[data-profile="${profile}"]`) ?? list.querySelector<HTMLElement>('.stackHead');
  (again?.querySelector<HTMLElement>(`[data-act="${act}"]:not(:disabled)`) ?? again)?.focus({ preventScroll: true });
}

function head(view: View, profile: StackedProfile, place: number): HTMLElement {
  const { number, model } = profile;
  const title = areRanks(view.state.stack) ? rankLabel(model.profile.rank!.rank, model.profile.rank!.process) : profile.title;
  const letter = letterOf(number);
  const [own, last, folded] = [number === OWN, place === view.state.stack.length - 1, view.state.foldedProfiles.includes(letter)];
  const measured = isExperiment(profile) ? 'experiment' : model.profile.simulated ? 'modelled' : 'measured';
  const base = baseOf(view.state.stack);
  const times = [timesText(profile, base), profile.clock].filter(Boolean).join(', ');
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
    element(isExperiment(profile) ? 'span.badge.experiment' : 'span.badge', {}, measured),
    element('span.headTimes', {}, times),
    profile === base
      ? element('span.badge.base', {}, 'base')
      : isExperiment(profile)
        ? null
        : button('base', 'base', `Compare the others with ${letter}`, () => makeBase(view, number)),
    button('up', 'previous', `Move ${letter} up`, () => shiftProfile(view, number, -1), place === 0),
    button('down', 'next', `Move ${letter} down`, () => shiftProfile(view, number, 1), last),
    own ? null : button('remove', 'close', `Remove ${letter}`, () => unstack(view, number)),
  );
  made.style.borderLeftColor = markColour(number);
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
  const isOfSystem = base.model.profile.system !== undefined;
  const text = (name: string, of: (p: typeof model.profile) => number) => {
    const [baseNs, ns] = [of(base.model.profile), of(model.profile)];
    return `${name} ${timeText(ns)}${base.model === model || isOfSystem ? '' : ` (${shareText(baseNs, ns)})`}`;
  };
  if (model.profile.system) return text('total', p => p.totalTimeNs);
  return `${text('total', p => p.totalTimeNs)}, ${text('body', p => p.bodyEndNs - p.bodyStartNs)}`;
}
