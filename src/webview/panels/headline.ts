/**
 * One sentence above the rows: what the profile says. It is the headline of the advice, whose space is kept while the advice is computed; where
 * no advice is asked for (several cores, captures, large profiles), it is what bounds the kernel. A press shows the tab with the rest.
 */
import { isAdvisedUnasked } from '../actions/experiments';
import { element } from '../dom/element';
import type { Panel, View } from '../view/view';

export function headline(view: View): Panel {
  const sentence = element('button.sentenceLink', { type: 'button' });
  sentence.addEventListener('click', () => view.store.update({ tab: said(view)?.tab ?? 'advice', detailsOpen: true }));
  const line = element('div.headline', {}, sentence);
  const draw = view.drawing(() => {
    const found = said(view);
    line.hidden = !found && !isExpected(view);
    sentence.hidden = !found;
    sentence.textContent = found?.text ?? '';
    // all of it, where the line is too short
    sentence.title = found ? `${found.text} ${found.about}` : '';
  });
  return { element: line, draw: () => void draw() };
}

/** The advice will come by itself. */
function isExpected({ state, model }: View): boolean {
  const { experiments, canExperiment } = state;
  return experiments.advice.is !== 'refused' && isAdvisedUnasked({ canExperiment }, model);
}

function said(view: View): { text: string; about: string; tab: 'advice' | 'summary' } | null {
  const { experiments, status } = view.state;
  if (experiments.advice.is === 'answered')
    return { text: experiments.advice.answer.headline.sentence, about: 'Press to show the advice (4).', tab: 'advice' };
  if (!view.model || status !== 'ready' || view.model.events === 0 || isExpected(view)) return null;
  return { text: view.model.analysis.bounds().sentences[0], about: 'Press to show the summary.', tab: 'summary' };
}
