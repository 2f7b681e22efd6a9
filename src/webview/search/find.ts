/** Finding events: each term becomes a test by event, made of tables; the events of all lanes are filtered and merged in order of start. */
import { eventValue } from '../../simulator/analyze/eventAccess';
import { framePosition } from '../../simulator/analyze/places';
import type { Model } from '../data/model';
import type { SourcePosition } from '../protocol/messages';
import { ANYTHING, type EventTest, NUMBER_FIELDS, TEXT_FIELDS } from './fields';
import { mergeByStart } from './merge';
import type { Term } from './query';

/** EventIds in order of start. */
export function findEvents(model: Model, terms: readonly Term[]): Uint32Array {
  const tests = terms.map(term => compile(model, term));
  return take(model, id => tests.every(test => test(id) !== 0));
}

function compile({ profile }: Model, term: Term): EventTest {
  const accepted = (): EventTest => {
    if (term.kind === 'text') return (term.field === null ? ANYTHING : TEXT_FIELDS[term.field])(profile, term.test);
    const value = NUMBER_FIELDS[term.field](profile);
    return id => Number(term.test(value(id)));
  };
  const test = accepted();
  return term.negated ? id => 1 - Math.min(1, test(id)) : test;
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
  return take(model, id => inside[eventValue(profile, id, 'frame')] === 1);
}

/** Lanes are in order of start already: filter each, then merge. */
function take(model: Model, wanted: (id: number) => boolean): Uint32Array {
  const chunks = model.tracks.flatMap(track => track.lanes.map(lane => lane.idsWhere(wanted)));
  return mergeByStart(chunks, id => eventValue(model.profile, id, 'startNs'));
}
