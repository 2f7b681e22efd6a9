/** The recorded metrics of a capture. With events, the first summary is theirs. Without, several summaries are of several profiles. */
import { FormatError } from '../../columns/container';

/** Names in a message. */
const MOST_NAMED = 4;

/** @param names of the summaries, as far as they have any; @throws FormatError where metrics of several profiles are all there is */
export function checkOneProfile(summaries: number, names: readonly string[], hasEvents: boolean): void {
  if (summaries <= 1 || hasEvents) return;
  const [listed, more] = [names.slice(0, MOST_NAMED).join(', '), names.length > MOST_NAMED ? ', …' : ''];
  const named = names.length > 0 ? ` (${listed}${more})` : '';
  throw new FormatError(`it has the metrics of ${summaries} profiles${named} and no events: leave one of them in the file`);
}
