/** The operands of an instruction: each named and explained. Of an event of a run of several kernel calls what its text says: arrays, bytes, a rule. */
import { operandParts } from '../../simulator/analyze/operandParts';
import type { EventId, Profile } from '../../simulator/profile/profile';
import { element } from '../dom/element';
import { icon } from '../dom/icons';
import { about } from '../panels/links';

/** null for an instruction without operands. @param printed all of them in one line */
export function operandList(p: Profile, instruction: EventId, printed: string): HTMLElement | null {
  if (p.launches)
    return printed === '' ? null : element('section.group.operands', {}, element('h3', {}, 'Operands'), element('code', {}, printed));
  const parts = operandParts(p, instruction);
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
  return element('section.group.operands', {}, element('h3', {}, 'Operands'), list, element('code.line', { title: 'As printed' }, printed));
}
