/**
 * Experiments with the page's own profile: asks the host for them, and puts the answers into the state. The advice is asked for by
 * itself where it takes little; everything else when it is looked at or asked for.
 */
import type { Model } from '../data/model';
import { plural } from '../math/units';
import type { ExperimentAnswers, ExperimentAsked } from '../protocol/experiments';
import { type Answered, type ExperimentsState, NO_EXPERIMENTS } from '../state/experimentsState';
import type { State } from '../state/viewState';
import type { View } from '../view/view';

/** The advice of a larger profile is not asked for by itself: it keeps a core busy for seconds. */
const MOST_UNASKED_EVENTS = 20_000;

type Job = ExperimentAsked['job'];

/** What of a profile lets a simulator time it again can only be said by the host; these can be told at once. */
export const isAdvisedUnasked = ({ canExperiment }: Pick<State, 'canExperiment'>, model: Model | null) =>
  canExperiment &&
  model?.profile.simulated === true &&
  !model.profile.launches &&
  (model.profile.machine.cores ?? 1) === 1 &&
  model.events <= MOST_UNASKED_EVENTS;

/** After the first picture. */
export function adviseUnasked(view: View): void {
  const { state } = view.store;
  if (isAdvisedUnasked(state, view.model) && state.experiments.advice.is === 'unasked') void askAdvice(view);
}

/** Asks for what a tab shows, when it is opened. */
export function followExperiments(view: View): void {
  const { tab, detailsOpen, status, canExperiment, experiments } = view.state;
  if (!detailsOpen || status !== 'ready' || !canExperiment) return;
  if (tab === 'advice' && experiments.advice.is === 'unasked') void askAdvice(view);
  if (tab === 'whatIf' && experiments.usual.is === 'unasked') void askUsual(view);
}

export const askAdvice = (view: View): Promise<void> =>
  ask(
    view,
    { job: 'advise' },
    advice => ({ advice }),
    ({ headline }) => headline.sentence,
  );

export const askAdviceByRuns = (view: View): Promise<void> =>
  ask(
    view,
    { job: 'adviseByRuns' },
    byRuns => ({ byRuns }),
    ({ advice }) => plural(advice.length, 'change'),
  );

export const askUsual = (view: View): Promise<void> => ask(view, { job: 'whatIf', wishes: null }, usual => ({ usual }));

export const askCausal = (view: View): Promise<void> =>
  ask(
    view,
    { job: 'causal' },
    causal => ({ causal }),
    lines => `Causal profile of ${lines.length} lines`,
  );

/** The user no longer wants to know. */
export function stopExperiment(view: View, job: keyof typeof STOPPED): void {
  view.experimentsHost.stop(job);
  patch(view, STOPPED[job]);
}

const STOPPED = {
  advise: { advice: { is: 'refused', reason: 'Cancelled.' } },
  adviseByRuns: { byRuns: NO_EXPERIMENTS.byRuns },
  causal: { causal: NO_EXPERIMENTS.causal },
} as const satisfies Partial<Record<Job, Partial<ExperimentsState>>>;

async function ask<J extends Job>(
  view: View,
  asked: Extract<ExperimentAsked, { job: J }>,
  put: (answered: Answered<ExperimentAnswers[J]>) => Partial<ExperimentsState>,
  said?: (answer: ExperimentAnswers[J]) => string,
): Promise<void> {
  const { model } = view;
  const isAsked = put({ is: 'asked' });
  patch(view, isAsked);
  view.store.update({ experimentShares: { ...view.store.state.experimentShares, [asked.job]: 0 } });
  const answered: Answered<ExperimentAnswers[J]> = await view.experimentsHost.ask(asked).then(
    answer => ({ is: 'answered', answer: answer as ExperimentAnswers[J] }),
    (error: Error) => ({ is: 'refused', reason: error.message }),
  );
  const { experiments } = view.store.state;
  const [name] = Object.keys(isAsked) as (keyof ExperimentsState)[];
  // another profile may have come meanwhile, or another question
  if (view.model !== model || experiments[name] !== isAsked[name]) return;
  patch(view, put(answered));
  if (answered.is === 'answered' && said) view.announce(said(answered.answer));
}

const patch = ({ store }: View, change: Partial<ExperimentsState>) =>
  store.update({ experiments: { ...store.state.experiments, ...change } });
