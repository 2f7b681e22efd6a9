/**
 * Finding events: a substring (case ignored) or a /regular expression/ over opcode, operands, variable and file:line; and
 * all events of given source lines. Texts repeat, so each distinct text is tested once and the events are a table look-up;
 * what an instruction waits for (`S[8] (qSyncIO0)>=16`) is tested by itself, wait by wait.
 */

import { eventValue, instructionRows } from '../../simulator/analyze/eventAccess';
import { waitRowText } from '../../simulator/analyze/operandText';
import { framePosition } from '../../simulator/analyze/places';
import { NO_SEMAPHORE, type Profile, signalText } from '../../simulator/profile/profile';
import type { SourcePosition } from '../protocol/messages';
import { mergeByStart } from './merge';
import type { Model } from './model';

export type Query = (text: string) => boolean;

/**
 * null for an empty query.
 * @throws SyntaxError for a broken regular expression
 */
export function parseQuery(text: string): Query | null {
  const regex = /^\/(.+)\/([imsu]*)$/.exec(text.trim());
  if (regex) {
    const compiled = new RegExp(regex[1], regex[2]);
    return candidate => compiled.test(candidate);
  }
  const needle = text.trim().toLowerCase();
  return needle === '' ? null : candidate => candidate.toLowerCase().includes(needle);
}

/** EventIds in order of start. */
export function findEvents(model: Model, query: Query): Uint32Array {
  const { profile } = model;
  const { instructions, transfers, frames } = profile;
  const rows = instructionRows(profile);
  const test = (texts: readonly string[]) => Uint8Array.from(texts, text => Number(query(text)));
  const opcode = test(profile.opcodes);
  const operands = test(profile.operands);
  const semaphores = testSemaphores(profile, query);
  const strings = test(profile.strings);
  const track = test(profile.tracks.map(t => (t.kind === 'queue' ? t.name : '')));
  const frame = Uint8Array.from(frames.line, (_, i) => {
    const { file, line } = framePosition(profile, i);
    return Number(query(`${file}:${line}`));
  });
  return take(model, id => {
    const row = id - rows;
    return row < 0
      ? opcode[instructions.opcode[id]] | operands[instructions.operands[id]] | semaphores[id] | frame[instructions.frame[id]]
      : strings[transfers.variable[row]] | frame[transfers.frame[row]] | track[transfers.track[row]];
  });
}

/** 1 for instructions with a wait or an update that the query accepts. */
function testSemaphores(profile: Profile, query: Query): Uint8Array {
  const { signal } = profile.instructions;
  const updates = profile.semaphores.map(semaphore => Number(query(signalText(semaphore))));
  const accepted = Uint8Array.from(signal, semaphore => (semaphore === NO_SEMAPHORE ? 0 : updates[semaphore]));
  const { instruction } = profile.waits;
  for (let row = 0; row < instruction.length; row++) if (query(waitRowText(profile, row))) accepted[instruction[row]] = 1;
  return accepted;
}

/** Events written on these lines, or in helpers called from them. EventIds in order of start. */
export function eventsOfLines(model: Model, positions: readonly SourcePosition[]): Uint32Array {
  const { profile } = model;
  const { parent } = profile.frames;
  const wanted = new Set(positions.map(({ file, line }) => `${file}:${line}`));
  const inside = new Uint8Array(parent.length);
  for (let i = 0; i < parent.length; i++) {
    const { file, line } = framePosition(profile, i);
    inside[i] = Number(wanted.has(`${file}:${line}`) || (parent[i] >= 0 && inside[parent[i]] === 1));
  }
  return take(model, id => inside[eventValue(profile, id, 'frame')]);
}

/** Lanes are in order of start already: filter each, then merge. */
function take(model: Model, wanted: (id: number) => number): Uint32Array {
  const chunks = model.tracks.flatMap(track => track.lanes.map(lane => lane.ids.filter(id => wanted(id) !== 0)));
  return mergeByStart(chunks, id => eventValue(model.profile, id, 'startNs'));
}
