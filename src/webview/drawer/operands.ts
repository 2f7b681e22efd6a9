/** The operand string taken apart: each word named and explained. */
import { operandParts } from '../../simulator/analyze/operandParts';
import { element } from '../panels/dom';
import { icon } from '../panels/icons';
import { about } from '../panels/links';

/** null for an instruction without operands. */
export function operandList(operands: string): HTMLElement | null {
  const parts = operandParts(operands);
  if (parts.length === 0) return null;
  const list = element('dl');
  for (const part of parts)
    list.append(
      element(
        'div.field',
        {},
        element('dt', {}, part.name, about(part.about, icon('info'))),
        element('dd', {}, element('code', {}, part.value)),
      ),
    );
  return element(
    'section.group.operands',
    {},
    element('h3', {}, 'Operands'),
    list,
    element('code.line', { title: 'As printed' }, operands),
  );
}
