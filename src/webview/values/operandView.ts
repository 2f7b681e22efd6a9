/** One operand: its statistics, the picture of it, and the numbers around a cursor that both share. */
import type { OperandValues } from '../../simulator/profile/instructionValues';
import { iconButton } from '../dom/components';
import { element } from '../dom/element';
import { countText } from '../math/units';
import type { Theme } from '../render/theme';
import { cursorText, gridPage, moved, PAGE_ROWS, pageColumns } from './grid';
import { type Cursor, heatMap } from './heatMap';
import { matrixOf, type ValueMatrix, valueText } from './matrix';

export const placeText = ({ tensor, space, dtype, shape }: OperandValues) =>
  `${tensor} · ${dtype} [${shape.join(', ')}] · ${space.toUpperCase()}`;

export function operandView(operand: OperandValues, theme: Theme): HTMLElement {
  const matrix = matrixOf(operand);
  const { dtype, name, statistics } = operand;
  const numbers = element('div.numbers', {
    tabindex: 0,
    role: 'group',
    'aria-label': `Numbers of ${name}: arrow keys, Page Up and Down, Home and End`,
  });
  const readout = element('output.readout', { 'aria-live': 'polite' });
  let cursor: Cursor = { row: 0, column: 0 };
  const go = (to: Cursor) => {
    cursor = to;
    const across = pageColumns(numbers.clientWidth);
    numbers.replaceChildren(gridPage(matrix, dtype, cursor, across, go));
    readout.textContent = cursorText(matrix, cursor);
    heat.draw(cursor);
  };
  const label = `${name} as a heat map: ${matrix.rows} × ${matrix.columns} elements`;
  const heat = heatMap(matrix, { label, dtype, min: statistics.min, max: statistics.max, theme, onPick: go });
  const press = (key: string) => {
    const to = moved(cursor, key, matrix, pageColumns(numbers.clientWidth));
    if (to) go(to);
    return to !== null;
  };
  numbers.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !press(event.key)) return;
    // the page's own keys do not hear it
    event.preventDefault();
    event.stopPropagation();
  });
  // measured once it is in the page
  requestAnimationFrame(() => numbers.isConnected && matrix.columns > 0 && go(cursor));
  const facts = element('p.valueFacts', {}, ...statisticsOf(operand));
  const around = element('div.around', {}, pager(matrix, press, readout), numbers);
  return element('section.operandValues', {}, facts, element('div.operandBody', {}, heat.element, around));
}

function statisticsOf({ dtype, statistics: s, values, shape }: OperandValues): HTMLElement[] {
  const fact = (name: string, value: string) => element('span', {}, element('b', {}, name), ` ${value}`);
  const number = (value: number | null) => (value === null ? 'none' : valueText(value, dtype));
  const shown = values.length < s.elements ? [fact('sent', `the first ${countText(values.length)}`)] : [];
  return [
    fact('min', number(s.min)),
    fact('max', number(s.max)),
    fact('mean', s.mean === null ? 'none' : String(Number(s.mean.toPrecision(6)))),
    fact('NaN', countText(s.nans)),
    fact('infinite', countText(s.infinities)),
    fact('zero', countText(s.zeros)),
    fact('elements', `${countText(s.elements)}${shape.length > 0 ? ` = ${shape.join(' × ')}` : ''}`),
    ...shown,
  ];
}

/** For those without a keyboard at hand. */
function pager(matrix: ValueMatrix, press: (key: string) => boolean, readout: HTMLElement): HTMLElement {
  const buttons = [
    matrix.rows > PAGE_ROWS
      ? [
          iconButton('previous', 'Rows before (Page Up)', () => press('PageUp')),
          iconButton('next', 'Rows after (Page Down)', () => press('PageDown')),
        ]
      : [],
    matrix.columns > 1
      ? [iconButton('back', 'Columns before ([)', () => press('[')), iconButton('chevron', 'Columns after (])', () => press(']'))]
      : [],
  ].flat();
  return element('div.pager', {}, ...buttons, readout);
}
