/**
 * What a script asks of a profile over the wire: `profile` and `ask`. Fields of the message are changed, or the profile that comes with it:
 * a kernel can write to the wire what it likes.
 */
import { decodeContainer, encodeContainer } from '../../../src/simulator/columns/container';
import { packNkiprof } from '../../../src/simulator/formats/nkiprof';
import { encodeProfile } from '../../../src/simulator/profile/codec';
import { simulate } from '../../../src/simulator/simulate';
import { copyProgram, runCopy, session } from '../../support/hostSession';
import { mutateBytes, mutateColumn, mutateJson } from './mutations';
import { type FuzzTarget, type Outcome, pick, type Random } from './target';

/** With what the scheduler needs to time it again: advice does. */
const CONTAINER = encodeProfile(simulate(copyProgram(2, 6)));
const FILE = packNkiprof(CONTAINER);

const QUESTIONS = ['summary', 'lines', 'advice', 'baseline', 'budget', 'picture', 'file', 'read'];
const BUDGET = { name: 'copy', file: 'k.py', maxUs: 5, maxSlowerPercent: 2, noNewWarnings: true };
const BASELINE = { total_time_ns: 4000, warnings: ['Small DMA transfers at k.py: y'] };

type Header = Record<string, unknown>;

export const wireTarget: FuzzTarget = next => {
  const asked = session();
  runCopy(asked);
  const message = next() < 0.2 ? { header: { call: 'profile', rank: 0 }, payload: undefined } : question(next);
  // not the name of the request: others have tests of their own
  if (next() < 0.6) mutateJson(message.header, next);
  return outcome(asked.host.handle({ header: message.header, payload: message.payload ?? new Uint8Array(0) }), asked.host.fault);
};

function question(next: Random): { header: Header; payload: Uint8Array } {
  const about = pick(next, QUESTIONS);
  const given = about === 'budget' ? structuredClone({ ...BUDGET, baseline: BASELINE }) : null;
  const original = about === 'read' ? FILE : CONTAINER;
  return { header: { call: 'ask', about, given }, payload: next() < 0.5 ? original : mutant(original, next) };
}

function mutant(original: Uint8Array, next: Random): Uint8Array {
  if (original === FILE || next() < 0.3) return mutateBytes(original, next);
  const container = decodeContainer(original.slice(), 'profile');
  if (next() < 0.5) mutateJson(container.meta as Header, next);
  else mutateColumn(pick(next, Object.values(container.columns)), next);
  return encodeContainer(container);
}

/** @throws what is a fault of ours: an answer that is none, or that the host stops for */
function outcome({ header }: { header: object }, fault: unknown): Outcome {
  if (fault !== null) throw fault;
  const { ok, error } = header as { ok?: object; error?: { message: string } };
  if (error === undefined) {
    JSON.parse(JSON.stringify(ok));
    return 'read';
  }
  if (!/^[^\n]{5,400}$/.test(error.message)) throw new Error(`the refusal is not one line: ${JSON.stringify(error.message.slice(0, 600))}`);
  return 'refused';
}
