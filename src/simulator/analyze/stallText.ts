/** Why an event waited, in words: one sentence per stall reason, with the line of the event that blocked it. */
import { type EventId, type Profile, STALL_REASONS, type StallReason } from '../profile/profile';
import { collectiveOf } from './collectives';
import { eventValue, isTransfer } from './eventAccess';
import { timeText } from './format';
import { framePosition } from './places';

interface Wording {
  /** One or two words, for tables and chips. */
  short: string;
  /** After "waited 312 ns ". `who` is the blocker: "the DMA of line 12". */
  withBlocker(who: string): string;
  alone: string;
}

const WORDS: Record<Exclude<StallReason, 'none'>, Wording> = {
  data: { short: 'data', withBlocker: who => `for the result of ${who}`, alone: 'for a value that was still being computed' },
  buffer: {
    short: 'buffer in use',
    withBlocker: who => `until ${who} had finished with the memory it writes`,
    alone: 'until the memory it writes was free',
  },
  dma: { short: 'DMA', withBlocker: who => `for ${who}`, alone: 'for a DMA' },
  queue: { short: 'DMA queue', withBlocker: who => `behind ${who} on its DMA queue`, alone: 'behind earlier transfers on its DMA queue' },
  descriptor: {
    short: 'DMA start-up',
    withBlocker: who => `for its descriptors and the start of the transfer, after ${who}`,
    alone: 'for its descriptors and the start of the transfer',
  },
  table: {
    short: 'table load',
    withBlocker: who => `while the activation table was loaded, after ${who}`,
    alone: 'while the activation table was loaded',
  },
  port: {
    short: 'memory port',
    withBlocker: who => `for a memory port or PSUM bank in use by ${who}`,
    alone: 'for a memory port or PSUM bank in use by another engine',
  },
  clock: {
    short: 'clock',
    withBlocker: who => `because its engine's clock was held back, after ${who}`,
    alone: "because its engine's clock was held back",
  },
  rank: { short: 'other rank', withBlocker: who => `for another rank, after ${who}`, alone: 'for another rank' },
  core: { short: 'other core', withBlocker: who => `for the other core, after ${who}`, alone: 'for the other core' },
};

export const stallShort = (reason: StallReason) => (reason === 'none' ? '' : WORDS[reason].short);

/** `the DMA of line 12`, `the ACTIVATE of line 14`; in other files than `besideFile` `the ACTIVATE of helper.py:14`. @param what in place of the opcode */
export function eventName(p: Profile, event: EventId, besideFile: string | null, what = nameOf(p, event)): string {
  const { file, line } = framePosition(p, eventValue(p, event, 'frame'));
  // captures without source links
  if (line === 0) return `the ${what}`;
  return `the ${what} of ${placeText({ file, line }, besideFile)}`;
}

const nameOf = (p: Profile, event: EventId) =>
  collectiveOf(p, event)?.name ?? (isTransfer(p, event) ? 'DMA' : p.opcodes[p.instructions.opcode[event]]);

/** `waited 312 ns for the DMA of line 12`; empty when it started at once. */
export function stallText(p: Profile, event: EventId): string {
  const reason = STALL_REASONS[eventValue(p, event, 'stall')];
  const waitNs = eventValue(p, event, 'startNs') - eventValue(p, event, 'readyNs');
  if (reason === 'none') return '';
  const blocker = eventValue(p, event, 'blocker');
  const own = framePosition(p, eventValue(p, event, 'frame')).file;
  const words = WORDS[reason];
  const late = reason === 'rank' ? lateRank(p, event, own) : null;
  if (late) return `waited ${timeText(waitNs)} for ${late}`;
  // a capture does not say whether the last rank or the CC core was not there
  if (reason === 'rank' && !p.simulated) return `began ${timeText(waitNs)} after its trigger`;
  return `waited ${timeText(waitNs)} ${blocker < 0 ? words.alone : words.withBlocker(eventName(p, blocker, own))}`;
}

/** `rank 2, which line 14 held up`: who was last to a collective. */
function lateRank(p: Profile, event: EventId, besideFile: string): string | null {
  const late = collectiveOf(p, event)?.late;
  if (!late) return null;
  if (late.line === 0) return `rank ${late.rank}`;
  return `rank ${late.rank}, which ${placeText(late, besideFile)} held up`;
}

const placeText = ({ file, line }: { file: string; line: number }, besideFile: string | null) =>
  file === besideFile ? `line ${line}` : `${file.split(/[\\/]/).pop()}:${line}`;
