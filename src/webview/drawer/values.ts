/** Values of the selected instruction's operands, as numbers and as heat maps. They come from running the kernel again, when asked to. */

import { percentText } from '../../simulator/analyze/format';
import type { InstructionValues, OperandValues } from '../../simulator/profile/instructionValues';
import { computeValues, instructionOf, stopValues } from '../actions/values';
import { textButton } from '../dom/components';
import { element } from '../dom/element';
import type { Theme } from '../render/theme';
import { operandView, placeText } from '../values/operandView';
import type { View } from '../view/view';
import type { Tab } from './tab';

export function valuesTab(): Tab {
  /** Which operand is looked at, kept from one instruction to the next: `dst after`. */
  const chosen = { key: '' };
  const bar = element('progress.valuesProgress', { 'aria-label': 'Progress' });
  const text = element('span.hint');
  return {
    id: 'values',
    title: 'Values',
    about: "What the selected instruction's operands hold",
    content: view => content(view, chosen, [bar, text]),
    move({ state }) {
      const { text: said, share } = state.valuesProgress;
      text.textContent = share === null ? said : `${said} · ${percentText(share)}`;
      if (share === null) bar.removeAttribute('value');
      else bar.value = share;
    },
  };
}

function content(view: View, chosen: { key: string }, progress: Node[]): Node[] {
  const { values, selected } = view.state;
  if (values.is === 'impossible') return [hint(values.reason)];
  if (selected === null) return [hint('Select an instruction or a DMA: its operands show here as numbers.')];
  if (instructionOf(view) === null)
    return [hint('The hardware does this by itself: no instruction and no tensor of the kernel belongs to it.')];
  if (values.is === 'computing')
    return [
      element(
        'header',
        {},
        ...progress,
        textButton('Cancel', () => stopValues(view)),
      ),
    ];
  if (values.is === 'shown') return shown(values.values, chosen, view.state.theme);
  const said = values.is === 'failed' ? values.message : OFFER;
  const again = values.is === 'failed' ? 'Try again' : 'Run again for values';
  const message = values.is === 'failed' ? element('p.warned', {}, said) : hint(said);
  return values.is === 'unknown' ? [] : [message, textButton(again, () => void computeValues(view))];
}

const OFFER =
  'A profile holds times. The values that this instruction reads and writes come from running the kernel again, with the same code and inputs, up to here; after that they follow what you select.';

const hint = (text: string) => element('p.hint', {}, text);

function shown({ operation, operands }: InstructionValues, chosen: { key: string }, theme: Theme): Node[] {
  const head = element('header', {}, element('h2', {}, operation));
  if (operands.length === 0) return [head, hint('It has no operands that are tensors.')];
  const place = element('div.operandPlace');
  const buttons = operands.map(operand => operandButton(operand, () => choose(operand)));
  const choose = (operand: OperandValues) => {
    chosen.key = keyOf(operand);
    for (const [i, button] of buttons.entries()) button.setAttribute('aria-pressed', String(operands[i] === operand));
    place.replaceChildren(operandView(operand, theme));
  };
  choose(operands.find(operand => keyOf(operand) === chosen.key) ?? operands[operands.length - 1]);
  return [head, element('div.operandChoice', { role: 'group', 'aria-label': 'Operands' }, ...buttons), place];
}

const keyOf = ({ name, moment }: OperandValues) => `${name} ${moment}`;

function operandButton(operand: OperandValues, onPress: () => void): HTMLElement {
  const when = operand.moment === 'before' ? 'read' : 'written';
  const made = element(
    'button.operandChip',
    { type: 'button' },
    element('b', {}, operand.name),
    ` ${when} `,
    element('code', {}, placeText(operand)),
  );
  made.addEventListener('click', onPress);
  return made;
}
