/** Ranks that carry out a collective together, as an instruction's attributes name them. */
import type { InstructionRow } from '../isa/types';
import type { AttributeValue } from './program';

/** Lists of ranks that meet; empty where the attribute does not say any. */
export function rankLists(
  { ranksAttribute }: Pick<InstructionRow, 'ranksAttribute'>,
  attribute: (name: string) => AttributeValue | undefined,
): number[][] {
  const named = ranksAttribute && attribute(ranksAttribute);
  if (!Array.isArray(named) || !named.every(isRanks)) return [];
  // pairs of sender and receiver are one list
  return ranksAttribute === 'replica_group' ? named : [[...new Set(named.flat())].sort((a, b) => a - b)];
}

const isRanks = (value: unknown): value is number[] => Array.isArray(value) && value.every(rank => Number.isSafeInteger(rank) && rank >= 0);
