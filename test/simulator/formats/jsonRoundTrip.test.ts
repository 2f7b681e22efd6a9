import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anchorOf } from '../../../src/simulator/analyze/anchors';
import { operandText } from '../../../src/simulator/analyze/operandText';
import { callStack } from '../../../src/simulator/analyze/places';
import { readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { jsonChunks } from '../../../src/simulator/formats/json';
import type { Profile } from '../../../src/simulator/profile/profile';
import { simulate } from '../../../src/simulator/simulate';
import { randomProgram } from '../../support/randomPrograms';
import { onTheClock, syntheticProfile } from '../../support/syntheticProfile';

const written = (p: Profile): string => [...jsonChunks(p)].join('');
const readBack = (text: string) => readCaptureJson([new TextEncoder().encode(text)], { name: 'back' });
/** The name of the content is a hash of tables that may be numbered anew. */
const unnamed = (text: string) => text.replace(/"profile_id":"[0-9a-z_]+"/, '');

/** The profile with texts instead of indices into tables that are made anew: equal when nothing was lost. */
function said(p: Profile) {
  const { instructions: e, transfers: t, strings } = p;
  const { strings: _, opcodes, operands, frames, iterations, allocations, instructions, transfers, ...rest } = p;
  return {
    ...rest,
    instructions: { ...e, opcode: Array.from(e.opcode, k => opcodes[k]), operands: Array.from(e.opcode, (_, i) => operandText(p, i)) },
    transfers: { ...t, variable: Array.from(t.variable, k => strings[k]) },
    operands: { ...operands, tensor: Array.from(operands.tensor, k => strings[k]) },
    frames: Array.from(frames.line, (_, k) => callStack(p, k)),
    iterations: { ...iterations, name: Array.from(iterations.name, k => strings[k]) },
    allocations: { ...allocations, name: Array.from(allocations.name, k => strings[k]) },
  };
}

function assertRoundTrip(p: Profile) {
  const text = written(p);
  const back = readBack(text);
  assert.deepEqual(said(back), said(p));
  assert.equal(unnamed(written(back)), unnamed(text));
}

describe('json, written and read', () => {
  it('is exact for profiles on the clock and off it: times, waits, reasons, lines, loops, bytes, tables', () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 120 }), fc.nat());
    fc.assert(
      fc.property(sizes, ([size, seed]) => {
        const p = syntheticProfile(size, seed);
        assertRoundTrip(p);
        assertRoundTrip(onTheClock(p));
      }),
      { seed: 11, numRuns: 40 },
    );
  });

  it('is exact for what the simulator makes', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10_000 }), seed => assertRoundTrip(simulate(randomProgram(seed)))),
      { seed: 12, numRuns: 15 },
    );
  });

  it('keeps annotations, of a simulated profile and of a capture, and refuses what is none', () => {
    const p = syntheticProfile(60);
    const annotations = [
      { name: 'here', timeNs: 1.5, series: 2, note: 'why "now"?\n', anchor: anchorOf(p, 7, p.instructions.startNs[7]) },
      { name: 'a time', timeNs: 10, series: 0 },
    ];
    assertRoundTrip({ ...p, annotations });
    const capture = readBack(written({ ...p, simulated: false, annotations }));
    assert.ok(capture.recorded);
    assert.deepEqual(capture.annotations, annotations);
    assert.deepEqual(readBack(written(capture)).annotations, annotations);
    const damaged = written({ ...p, annotations: [{ name: 'x', timeNs: 'soon', series: 0 } as never] });
    assert.throws(() => readBack(damaged), /annotations\[0\]\.timeNs is not of type number/);
  });

  it('writes whole nanoseconds as whole numbers, as captures have them', () => {
    const made = syntheticProfile(60);
    const whole = <T extends object>(group: T): T =>
      Object.fromEntries(Object.entries(group).map(([name, column]) => [name, name.endsWith('Ns') ? column.map(Math.round) : column])) as T;
    const p = { ...made, instructions: whole(made.instructions), transfers: whole(made.transfers), dmaSlices: whole(made.dmaSlices) };
    assertRoundTrip(p);
    const tables = JSON.parse(written(p));
    for (const row of [...tables.instruction, ...tables.dma]) {
      assert.ok(Number.isInteger(row.timestamp) && Number.isInteger(row.duration));
      assert.ok(!('end' in row) && !('ready' in row));
    }
  });
});
