/** One sentence above the rows: what the profile says. A press shows the advice. Its room is kept while the sentence is worked out. */
import { isAdvisedUnasked } from '../actions/experiments';
import { element } from '../dom/element';
import { KEY_ACTIONS } from '../input/keyActions';
import type { Panel, View } from '../view/view';

export function headline(view: View): Panel {
  const sentence = element('button.sentenceLink', { type: 'button' });
  sentence.addEventListener('click', () => KEY_ACTIONS.showAdvice(view));
  const line = element('div.headline', {}, sentence);
  const draw = view.drawing(() => {
    const { experiments, canExperiment } = view.state;
    const { advice } = experiments;
    const isExpected = advice.is !== 'refused' && isAdvisedUnasked({ canExperiment }, view.model);
    line.hidden = advice.is !== 'answered' && !isExpected;
    sentence.hidden = advice.is !== 'answered';
    const text = advice.is === 'answered' ? advice.answer.headline.sentence : '';
    sentence.textContent = text;
    // all of it, where the line is too short
    sentence.title = `${text} Press to show the advice (4).`;
  });
  return { element: line, draw: () => void draw() };
}
