import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anchorOf } from '../../../src/simulator/analyze/anchors';
import { decodeContainer, encodeContainer, FormatError } from '../../../src/simulator/columns/container';
import { decodeProfile, encodeProfile, PROFILE_VERSION, withAnnotations } from '../../../src/simulator/profile/codec';
import type { Profile } from '../../../src/simulator/profile/profile';
import { syntheticProfile } from '../../support/syntheticProfile';

const nested = (depth: number): object => (depth === 0 ? {} : { inside: nested(depth - 1) });

/** Frames each of which calls the next. */
const chain = (length: number) => ({
  parent: Int32Array.from({ length }, (_, i) => i - 1),
  file: new Uint32Array(length),
  line: new Uint32Array(length),
  function: new Uint32Array(length),
});

const manyDimensions = ({ accessPatterns }: Profile) => ({
  accessPatterns: { end: accessPatterns.end.map(() => 17) },
  accessDimensions: { step: new Int32Array(17), count: new Uint32Array(17) },
});

/** One long word that many lists say. */
function longList({ operandWords }: Profile) {
  const lists = 2 ** 12;
  return {
    operandWords: [...operandWords, 'x'.repeat(2 ** 20)],
    operandTemplates: { end: Uint32Array.of(1) },
    templateWords: { word: Int32Array.of(operandWords.length) },
    operandLists: { template: new Uint32Array(lists), channels: new Int32Array(lists).fill(-1), end: new Uint32Array(lists) },
    listedOperands: { operand: new Uint32Array(0) },
  };
}

describe('profile codec', () => {
  it('gives back the profile, column for column', () => {
    const profile = syntheticProfile(200);
    assert.deepEqual(decodeProfile(encodeProfile(profile)), profile);
  });

  it('writes the same bytes for the same profile', () => {
    assert.deepEqual(encodeProfile(syntheticProfile(50)), encodeProfile(syntheticProfile(50)));
  });

  it('puts annotations into a profile, in place of those that it has, and refuses what is none', () => {
    const profile = syntheticProfile(40);
    const container = encodeProfile(profile);
    const anchor = anchorOf(profile, 7, profile.instructions.startNs[7]);
    const annotations = [
      { name: 'slow', timeNs: 12.5, series: 2, note: 'why?', anchor },
      { name: 'end', timeNs: 900, series: 0 },
    ];
    const annotated = withAnnotations(container, annotations);
    assert.deepEqual(decodeProfile(annotated), { ...profile, annotations });
    assert.deepEqual(encodeProfile(decodeProfile(annotated)), annotated);
    assert.deepEqual(withAnnotations(annotated, []), container);
    for (const wrong of [
      {},
      [1],
      [{ name: 'x', timeNs: 'soon', series: 0 }],
      [{ ...annotations[0], anchor: { ...anchor, edge: 'middle' } }],
    ])
      assert.throws(() => withAnnotations(container, wrong), FormatError);
    assert.throws(
      () => decodeProfile(encodeProfile({ ...profile, annotations: [{ name: 'x' }] as never })),
      /annotations\[0\]\.timeNs is missing/,
    );
  });

  it('refuses a track that is not there, a missing key and a column of another length', () => {
    const outside = syntheticProfile(10);
    outside.instructions.track[3] = 99;
    assert.throws(() => decodeProfile(encodeProfile(outside)), /instructions\.track\[3\] is 99/);
    const { kernel: _, ...nameless } = syntheticProfile(10);
    assert.throws(() => decodeProfile(encodeProfile(nameless as never)), /kernel is missing/);
    const short = syntheticProfile(10);
    short.instructions.flops = new Float32Array(9);
    assert.throws(() => decodeProfile(encodeProfile(short)), /flops has 9 rows, its group 10/);
  });

  it('refuses meta and columns that analysis could not work with, naming the place', () => {
    type Change = (p: ReturnType<typeof syntheticProfile>) => unknown;
    const refused: [Change, RegExp][] = [
      [p => Object.assign(p.tracks[1], { kind: 'road' }), /tracks\[1\]\.kind is none of engine, queue/],
      [p => Object.assign(p.tracks[1], { name: undefined }), /tracks\[1\]\.name is missing/],
      [p => Object.assign(p.strings, { 2: 7 }), /strings\[2\] is not of type string/],
      [p => Object.assign(p.files[0], { text: null }), /files\[0\]\.text is not of type string/],
      [p => Object.assign(p.inputs[0], { shape: [2 ** 40, 2 ** 40] }), /number of elements is 1.2\d*e\+24, not a number from 0 to/],
      [p => Object.assign(p.inputs[0], { shape: [1.5] }), /shape\[0\] is 1\.5, not a whole number/],
      [p => Object.assign(p, { target: 'gpu' }), /target is none of trn1/],
      [p => Object.assign(p, { totalTimeNs: -1 }), /totalTimeNs is -1, not a number from 0/],
      [p => Object.assign(p, { bodyStartNs: p.bodyEndNs + 1 }), /body ends before it begins/],
      [p => Object.assign(p.machine, { generation: 'v9' }), /machine\.generation is none of v2, v3, v4/],
      [
        p => Object.assign(p, { checks: [{ severity: 'info', message: 'x', file: 'x', line: 'x' }] }),
        /checks\[0\]\.line is not of type number/,
      ],
      [p => Object.assign(p, { recorded: { summary: { a: {} }, profiler: '', ids: [] } }), /recorded\.summary\.a is not of type number/],
      [p => Object.assign(p, { rerun: { request: nested(40), call: 0 } }), /rerun\.request is nested too deeply/],
      [p => Object.assign(p, { tracks: Array.from({ length: 5000 }, () => p.tracks[0]) }), /tracks is too long: 5000 entries/],
      [p => p.instructions.startNs.fill(Number.NaN, 4, 5), /instructions\.startNs\[4\] is NaN/],
      [p => p.transfers.doneNs.fill(Number.POSITIVE_INFINITY, 1, 2), /transfers\.doneNs\[1\] is Infinity/],
      [p => p.dmaSlices.bytes.fill(-1, 3, 4), /dmaSlices\.bytes\[3\] is -1/],
      [p => p.instructions.endNs.fill(0, 9, 10), /instructions\.endNs\[9\] is 0, before its start/],
      [p => p.allocations.space.fill(9, 0, 1), /allocations\.space\[0\] is 9, outside 0\.\.2/],
      [p => p.waits.instruction.reverse(), /waits\.instruction goes back/],
      [p => p.instructions.operands.fill(1, 7, 8), /instructions\.operands\[7\] is 1, outside 0\.\.0/],
      [p => p.operandLists.template.fill(5), /operandLists\.template\[0\] is 5/],
      [p => p.operandLists.end.fill(1), /operandLists\.end does not cover its 2 rows/],
      [p => p.operandTemplates.end.fill(2), /operandTemplates\.end does not cover its 3 rows/],
      [p => p.templateWords.word.fill(9, 2), /templateWords\.word\[2\] is 9/],
      [p => p.templateWords.word.fill(0), /list 0 has 2 operands, its template places for 0/],
      [p => p.listedOperands.operand.fill(2, 1), /listedOperands\.operand\[1\] is 2/],
      [p => p.operands.name.fill(99, 1), /operands\.name\[1\] is 99/],
      [p => p.operands.dtype.fill(99, 1), /operands\.dtype\[1\] is 99/],
      [p => p.operands.space.fill(3, 1), /operands\.space\[1\] is 3/],
      [p => p.operands.addressBytes.fill(-1, 1), /operands\.addressBytes\[1\] is -1/],
      [p => p.operands.pattern.fill(1, 1), /operands\.pattern\[1\] is 1/],
      [p => p.operands.tensor.fill(99, 1), /operands\.tensor\[1\] is 99/],
      [p => Object.assign(p, manyDimensions(p)), /an access pattern has 17 dimensions/],
      [p => Object.assign(p, longList(p)), /lists of operands have 4\d{9} characters/],
      [p => Object.assign(p, { frames: chain(2000) }), /frames\.parent\[1024\] is nested more than 1024 deep/],
    ];
    for (const [change, message] of refused) {
      const profile = structuredClone(syntheticProfile(40));
      change(profile);
      assert.throws(() => decodeProfile(encodeProfile(profile)), { name: 'FormatError', message });
    }
  });

  it('says of a newer profile that it is newer', () => {
    const { meta, columns } = decodeContainer(encodeProfile(syntheticProfile(3)), 'profile');
    const newer = encodeContainer({ kind: 'profile', version: PROFILE_VERSION + 6, meta: { other: meta }, columns });
    assert.throws(() => decodeProfile(newer), {
      name: 'FormatError',
      message: /made by a newer NKI Scope, version 8; this one reads up to 2/,
    });
  });

  it('keeps the order of fields, which the hash of a profile depends on, and leaves out fields it does not know', () => {
    const profile = syntheticProfile(3);
    const turned = profile.files.map(({ path, text, sha256 }) => ({ sha256, other: [1], text, path }));
    const read = decodeProfile(encodeProfile({ ...profile, files: turned }));
    assert.deepEqual(read.files, profile.files);
    assert.deepEqual(Object.keys(read.files[0]), ['sha256', 'text', 'path']);
  });

  it('answers 3,000 seeded mutations with a profile or a FormatError', () => {
    const bytes = encodeProfile(syntheticProfile(20));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.nat(bytes.length),
        (edits, cut) => {
          const hurt = bytes.slice(0, cut < bytes.length / 8 ? cut : bytes.length);
          for (const [at, value] of edits) if (at < hurt.length) hurt[at] = value;
          try {
            decodeProfile(hurt);
          } catch (error) {
            assert.ok(error instanceof FormatError, String(error));
          }
        },
      ),
      { seed: 11, numRuns: 3000 },
    );
  });
});
