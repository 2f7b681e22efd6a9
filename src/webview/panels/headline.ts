/**
 * One sentence above the rows: what the profile says. It is the headline of the advice, whose space is kept while the advice is computed; where
 * no advice is asked for (several cores, captures, large profiles), it is what bounds the kernel. Its beginning shows the tab with the rest, each
 * number what it came from.
 */
import { isAdvisedUnasked } from '../actions/experiments';
import { tabOrigin } from '../actions/origins';
import { element } from '../dom/element';
import type { Panel, View } from '../view/view';
import { sentence } from './sentence';

export function headline(view: View): Panel {
  const text = element('p.headlineText', { hidden: true });
  const line = element('div.headline', {}, text);
  const draw = view.drawing(() => {
    const found = said(view);
    line.hidden = !found && !isExpected(view);
    text.hidden = !found;
    if (!found) return text.replaceChildren();
    // all of it, where the line is too short
    text.title = found.text;
    const rest = tabOrigin(found.tab, found.about);
    const [begin] = found.text.split(/(?<=[:.]) /, 1);
    const first = element('button.sentenceLink', { type: 'button', title: found.about }, begin);
    first.addEventListener('click', () => rest.open(view));
    text.replaceChildren(first, ...sentence(view, found.text.slice(begin.length), rest));
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
  if (view.model?.profile.system) return null;
  if (!view.model || status !== 'ready' || view.model.events === 0 || isExpected(view)) return null;
  return { text: view.model.analysis.bounds().sentences[0], about: 'Press to show the summary.', tab: 'summary' };
}
