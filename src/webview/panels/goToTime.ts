/** Exact times: a point to centre on, or from - to, with units. */

import { showTimes } from '../actions/navigation';
import { textButton } from '../dom/components';
import { element } from '../dom/element';
import { parseTimes } from '../math/parseTimes';
import { instantText } from '../math/units';
import type { Panel, View } from '../view/view';
import { popover } from './popover';

export function goToTime(view: View): Panel {
  return popover(view, {
    id: 'goToTime',
    title: 'Go to time',
    focus: box => box.querySelector('input'),
    content() {
      // the field must not be replaced while the user types
      const { startNs, endNs } = view.store.state.span;
      const shown = `${Math.round(startNs * 10) / 10} - ${Math.round(endNs * 10) / 10}`;
      const field = element('input.name', { type: 'text', value: shown, 'aria-label': 'Time, or from - to' });
      // what is typed takes the place of the visible time
      field.addEventListener('focus', () => field.select());
      const problem = element('p.problem', { role: 'alert' });
      const go = () => {
        const times = parseTimes(field.value);
        if (!times) {
          problem.textContent = 'Write a time (12.5us) or two (12us - 14us); a number alone is nanoseconds.';
          return;
        }
        showTimes(view, times);
        view.store.update({ open: null });
      };
      field.addEventListener('keydown', event => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        go();
      });
      const limits = `The run: ${instantText(view.limits.startNs)} to ${instantText(view.limits.endNs)}.`;
      return [
        element('header', {}, field, textButton('Go', go)),
        problem,
        element('p.hint', {}, `${limits} Nanoseconds without a unit; us and ms are understood.`),
      ];
    },
  });
}
