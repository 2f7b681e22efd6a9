/**
 * The value of each search field for an event. Texts repeat, so each distinct text is tested once and an event is a table
 * look-up; what an instruction waits for (`S[8] (qSyncIO0)>=16`) is tested by itself, wait by wait.
 */
import { eventCount, eventValue, instructionRows } from '../../simulator/analyze/eventAccess';
import { layerOfFrame } from '../../simulator/analyze/layers';
import { waitRowText } from '../../simulator/analyze/operandText';
import { framePosition, iterationText } from '../../simulator/analyze/places';
import { stallShort } from '../../simulator/analyze/stallText';
import { DIRECTIONS, NO_SEMAPHORE, operandListText, type Profile, STALL_REASONS, signalText } from '../../simulator/profile/profile';
import type { TextTest } from './query';

/** 0: not accepted. */
export type EventTest = (id: number) => number;
type TextField = (profile: Profile, test: TextTest) => EventTest;

const tested = (texts: readonly string[], test: TextTest) => Uint8Array.from(texts, text => Number(test(text)));
const testedLists = (p: Profile, test: TextTest) => p.operandLists.end.map((_, list) => Number(test(operandListText(p, list))));

/** An event's column is an index in a table of tested texts; 0 for events of the other kind. */
function ofInstructions(profile: Profile, accepted: ArrayLike<number>, column: ArrayLike<number>): EventTest {
  const rows = instructionRows(profile);
  return id => (id < rows ? accepted[column[id]] : 0);
}
function ofTransfers(profile: Profile, accepted: Uint8Array, column: ArrayLike<number>): EventTest {
  const rows = instructionRows(profile);
  return id => (id < rows ? 0 : accepted[column[id - rows]]);
}

const opcode: TextField = (p, test) => ofInstructions(p, tested(p.opcodes, test), p.instructions.opcode);
const operands: TextField = (p, test) => {
  const own = ofInstructions(p, testedLists(p, test), p.instructions.operands);
  const semaphores = testSemaphores(p, test);
  return id => own(id) | semaphores[id];
};
const tensor: TextField = (p, test) => ofTransfers(p, tested(p.strings, test), p.transfers.variable);
const track: TextField = (p, test) => {
  const accepted = tested(p.tracks.map(t => t.name), test); // biome-ignore format: one thought
  return id => accepted[eventValue(p, id, 'track')];
};
const queue: TextField = (p, test) => ofTransfers(p, tested(p.tracks.map(t => t.name), test), p.transfers.track); // biome-ignore format: one thought

/** A frame is accepted when its own text is, or a caller's. */
const byFrame =
  (text: (p: Profile, frame: number) => string): TextField =>
  (p, test) => {
    const { parent } = p.frames;
    const accepted = new Uint8Array(parent.length);
    for (let i = 0; i < parent.length; i++) accepted[i] = Number(test(text(p, i)) || (parent[i] >= 0 && accepted[parent[i]] === 1));
    return id => accepted[eventValue(p, id, 'frame')];
  };

const line = byFrame((p, frame) => {
  const position = framePosition(p, frame);
  return `${position.file}:${position.line}`;
});

/** Fields by their short names (`fieldNames.ts`). */
export const TEXT_FIELDS: Readonly<Record<string, TextField>> = {
  kind: (p, test) => {
    const [instruction, dma] = [Number(test('instruction')), Number(test('dma'))];
    return id => (id < instructionRows(p) ? instruction : dma);
  },
  opcode,
  operands,
  engine: (p, test) => {
    const accepted = tested(p.tracks.map(t => t.engine), test); // biome-ignore format: one thought
    return id => accepted[eventValue(p, id, 'track')];
  },
  track,
  queue,
  tensor,
  direction: (p, test) => ofTransfers(p, tested(DIRECTIONS, test), p.transfers.direction),
  line,
  function: byFrame((p, frame) => p.strings[p.frames.function[frame]]),
  layer: (p, test) => {
    const accepted = Uint8Array.from(p.frames.line, (_, frame) => Number(test(layerOfFrame(p, frame))));
    return id => accepted[eventValue(p, id, 'frame')];
  },
  loop: (p, test) => {
    const accepted = Uint8Array.from(p.iterations.name, (_, i) => Number(test(iterationText(p, i))));
    return id => accepted[eventValue(p, id, 'iteration')] ?? 0;
  },
  stall: (p, test) => {
    const accepted = Uint8Array.from(STALL_REASONS, reason => Number(test(reason) || test(stallShort(reason))));
    return id => accepted[eventValue(p, id, 'stall')];
  },
};

/** What a bare text is looked for in; in file names only where nothing else has it: a file may be called as an opcode is. */
export const ANYTHING: TextField = (p, test) => {
  const tests = [opcode, operands, tensor, queue].map(field => field(p, test));
  const named: EventTest = id => tests.reduce((sum, accept) => sum | accept(id), 0);
  for (let id = 0; id < eventCount(p); id++) if (named(id) !== 0) return named;
  return line(p, test);
};

const ofTransfer =
  (column: (p: Profile) => ArrayLike<number>): ((p: Profile) => (id: number) => number) =>
  p => {
    const [rows, values] = [instructionRows(p), column(p)];
    return id => (id < rows ? Number.NaN : values[id - rows]);
  };

/** Not-a-number where an event has none: no comparison accepts it. */
export const NUMBER_FIELDS: Readonly<Record<string, (p: Profile) => (id: number) => number>> = {
  duration: p => id => eventValue(p, id, 'endNs') - eventValue(p, id, 'startNs'),
  wait: p => id => eventValue(p, id, 'startNs') - eventValue(p, id, 'readyNs'),
  start: p => id => eventValue(p, id, 'startNs'),
  end: p => id => eventValue(p, id, 'endNs'),
  bytes: ofTransfer(p => p.transfers.bytes),
  flops: p => id => p.instructions.flops[id] ?? Number.NaN,
};

/** 1 for instructions with a wait or an update that the test accepts. */
function testSemaphores(profile: Profile, test: TextTest): Uint8Array {
  const { signal } = profile.instructions;
  const updates = profile.semaphores.map(semaphore => Number(test(signalText(semaphore))));
  const accepted = Uint8Array.from(signal, semaphore => (semaphore === NO_SEMAPHORE ? 0 : updates[semaphore]));
  const { instruction } = profile.waits;
  for (let row = 0; row < instruction.length; row++) if (test(waitRowText(profile, row))) accepted[instruction[row]] = 1;
  return accepted;
}
