/** Advice on the size of tiles: those that SBUF has no room for, or no room for a second one. */

import { counted } from '../../analyze/format';
import type { Change } from '../../experiments/changes';
import { bufferWaits } from '../../experiments/changes';
import { previousUses } from '../../experiments/previousUse';
import type { Room } from '../room';
import type { AdviceRule, Proposal } from '../rule';
import type { LineEvents, Subject } from '../subject';
import { fixedNs } from './compute';
import { isSpill, withoutDmas } from './reuse';

/** So many tiles become of one. */
const PARTS = [2, 4, 8, 16];
/** Elements of a partition below which the fixed cost of instructions is most of their time. */
const LEAST_ELEMENTS = 256;

export const smallerTiles: AdviceRule = {
  name: 'smaller-tiles',
  title: 'Work on smaller tiles, so that SBUF has room for several',
  sketch: 'add a loop over parts of the free dimension around the lines that work on large tiles',
  tried:
    'the DMAs are left out with which the compiler moves tiles to HBM and back; or the tiles in parts, each with instructions and DMAs of its own, and two of them where there was one',
  source: 'NKI fused Mamba tutorial, tiling seq_len against spilling',
  propose: (subject, room) => {
    const spills = withoutDmas(
      subject,
      t => isSpill(subject, t),
      count => `${count} DMAs move its tiles to HBM and back, because SBUF has no room for them.`,
    );
    return [...spills.map(proposal => ({ ...proposal, way: 'tiles that need no spills' })), ...inParts(subject, room)];
  },
};

/** Lines that wait for a place in SBUF, which has no room for another one. */
function crowded(subject: Subject, room: Room): { line: LineEvents; waiting: number[] }[] {
  const { code } = subject.experiment;
  return subject.lines.flatMap(line => {
    const waiting = line.instructions.filter(i => bufferWaits(code, i).length > 0 && subject.writesSbuf(i));
    return waiting.length > 0 && room.lacking(room.placesOf(waiting)) !== undefined ? [{ line, waiting }] : [];
  });
}

function inParts(subject: Subject, room: Room): Proposal[] {
  const found = crowded(subject, room);
  if (found.length === 0) return [];
  const waiting = found.flatMap(one => one.waiting);
  const widest = waiting.reduce((most, i) => Math.max(most, subject.written(i)), 0);
  const loops = new Set(waiting.map(i => loopOf(subject, i)));
  const inLoops = Array.from({ length: subject.instructions }, (_, i) => i).filter(i => loops.has(loopOf(subject, i)));
  const most = found.reduce((a, b) => (b.waiting.length * widthOf(subject, b) > a.waiting.length * widthOf(subject, a) ? b : a));
  const { file, line } = most.line;
  const reason = `${counted(waiting.length, 'instruction')} of ${counted(found.length, 'line')} ${waiting.length === 1 ? 'waits' : 'wait'} for a place in SBUF: it has no room for two tiles of up to ${widest} elements in each partition.`;
  const buffers: Change = { kind: 'doubled buffers', events: subject.mask(waiting), previous: previousUses(subject.profile) };
  return PARTS.filter(parts => widest / parts >= LEAST_ELEMENTS).map(parts => ({
    file,
    line,
    reason,
    changes: [...cut(subject, inLoops, widest / parts), buffers],
    way: `${parts} tiles in place of one`,
  }));
}

const widthOf = (subject: Subject, { waiting }: { waiting: readonly number[] }) =>
  waiting.reduce((most, i) => Math.max(most, subject.written(i)), 0);

/** Core and line of the innermost loop around it; no line where there is none. */
function loopOf(subject: Subject, i: number): string {
  const row = subject.iterations(i).at(-1);
  return `${subject.experiment.coreOf(i)} ${row === undefined ? '' : subject.profile.iterations.line[row]}`;
}

/** Instructions of no more elements than this: what each costs besides its elements comes once for each part. */
function cut(subject: Subject, instructions: readonly number[], elements: number): Change[] {
  const { code } = subject.experiment;
  const [issueNs, durationNs] = [code.instructions.issueNs.slice(), code.instructions.durationNs.slice()];
  const transfers = new Map<number, number[]>();
  for (const i of instructions) {
    const parts = Math.ceil(subject.elements(i) / elements);
    if (parts < 2) continue;
    const transfer = code.instructions.transfer[i];
    if (transfer >= 0) {
      transfers.set(parts, [...(transfers.get(parts) ?? []), transfer]);
      continue;
    }
    const moreNs = (parts - 1) * fixedNs(subject, i);
    issueNs[i] += moreNs;
    durationNs[i] += moreNs;
  }
  const dmas = [...transfers].map(([parts, own]): Change => ({ kind: 'merged DMAs', events: subject.mask([], own), by: 1 / parts }));
  return [{ kind: 'costs', issueNs, durationNs }, ...dmas];
}
