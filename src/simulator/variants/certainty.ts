/** How sure it is that the fastest of some variants is the fastest on hardware, by their likely ranges. */
import { percentText } from '../analyze/format';
import { isTooSmallShare, TOO_SMALL } from '../analyze/tellsApart';
import { fastest, type VariantRow } from './table';

export interface Certainty {
  best: VariantRow;
  /** The next fastest; null if no other runs. */
  next: VariantRow | null;
  /** Other rows whose likely range begins before that of the best ends, fastest first. */
  rivals: VariantRow[];
  /** Rows without a likely range cannot be compared. */
  hasRanges: boolean;
}

/** Null if nothing runs. */
export function certainty(rows: readonly VariantRow[]): Certainty | null {
  const best = fastest(rows);
  if (!best) return null;
  const others = rows.filter(row => row !== best && row.totalTimeNs !== null).sort((a, b) => a.totalTimeNs! - b.totalTimeNs!);
  const hasRanges = best.likelyNs !== null && others.every(row => row.likelyNs !== null);
  const rivals = hasRanges ? others.filter(row => row.likelyNs![0] < best.likelyNs![1]) : others;
  return { best, next: others[0] ?? null, rivals, hasRanges };
}

export function certaintyText({ best, next, rivals, hasRanges }: Certainty): string {
  if (!next) return 'No other setting runs.';
  const share = next.totalTimeNs! / best.totalTimeNs! - 1;
  const ahead = `In the model the next one takes ${percentText(share)} longer${isTooSmallShare(share) ? `, ${TOO_SMALL}` : ''}.`;
  if (!hasRanges) return `${ahead} No likely range on hardware is known here.`;
  if (rivals.length === 0) return `${ahead} No likely range of another setting overlaps with its range.`;
  const count =
    rivals.length === 1
      ? 'One other setting has a likely range that overlaps'
      : `${rivals.length} other settings have likely ranges that overlap`;
  return `${ahead} ${count} with its range: on hardware any of them may be the fastest.`;
}
