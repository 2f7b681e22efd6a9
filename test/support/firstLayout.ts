/**
 * A profile's container as its first version was: the columns and fields of that day, in their order, operand lists as texts in the
 * order in which they first occur. Hashes that are to tell whether times, order or texts changed are made of these bytes, and so
 * do not depend on how a profile keeps its operands.
 */
import { type Columns, decodeContainer, encodeContainer } from '../../src/simulator/columns/container';
import { encodeProfile } from '../../src/simulator/profile/codec';
import { operandListText, type Profile } from '../../src/simulator/profile/profile';

const FIRST_GROUPS = ['instructions', 'waits', 'transfers', 'dmaSlices', 'allocations', 'frames', 'iterations'];

/** The distinct texts, and which of them each instruction has. */
function operandTexts(p: Profile): { texts: string[]; index: Uint32Array } {
  const numbers = new Map<string, number>();
  const ofList = Array.from(p.operandLists.end, (_, list) => {
    const text = operandListText(p, list);
    if (!numbers.has(text)) numbers.set(text, numbers.size);
    return numbers.get(text)!;
  });
  return { texts: [...numbers.keys()], index: p.instructions.operands.map(list => ofList[list]) };
}

export function firstLayout(p: Profile): Uint8Array {
  const { kind, meta, columns } = decodeContainer(encodeProfile(p), 'profile');
  const { texts, index } = operandTexts(p);
  const fields = Object.entries(meta as object).flatMap(([name, value]) => {
    if (name.startsWith('operand')) return [];
    return name === 'opcodes' ? [[name, value], ['operands', texts]] : [[name, value]]; // biome-ignore format: one thought
  });
  const kept: Columns = {};
  for (const [name, column] of Object.entries(columns))
    if (FIRST_GROUPS.includes(name.split('.')[0])) kept[name] = name === 'instructions.operands' ? index : column;
  return encodeContainer({ kind, version: 1, meta: Object.fromEntries(fields), columns: kept });
}
