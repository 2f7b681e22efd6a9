/**
 * Files of version 1 of the profile, in which operands were texts: made by the code of that time, and opened by today's. Beside each lies
 * what that code printed for its instructions.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { operandText } from '../../../src/simulator/analyze/operandText';
import { summary } from '../../../src/simulator/analyze/summary';
import { warnings } from '../../../src/simulator/analyze/warnings';
import { decodeContainer, encodeContainer } from '../../../src/simulator/columns/container';
import { decodeNkiprof, unpackNkiprof } from '../../../src/simulator/formats/nkiprof';
import { decodeProfile, encodeProfile } from '../../../src/simulator/profile/codec';

declare const NKI_SCOPE_ROOT: string;

const FOLDER = path.join(NKI_SCOPE_ROOT, 'test/fixtures/nkiprof');
const bytesOf = (name: string) => fs.readFileSync(path.join(FOLDER, `${name}.nkiprof`));

describe('.nkiprof files of version 1', () => {
  for (const name of ['version1-matmul-tiled-trn2', 'version1-rmsnorm-trn1', 'version1-capture'])
    it(`open, with their operands as columns: ${name}`, () => {
      assert.equal(decodeContainer(unpackNkiprof(bytesOf(name)), 'profile').version, 1);
      const p = decodeNkiprof(bytesOf(name));
      const texts = Array.from(p.instructions.startNs, (_, i) => `${operandText(p, i)}\n`);
      assert.equal(texts.join(''), fs.readFileSync(path.join(FOLDER, `${name}.txt`), 'utf8'));
      assert.ok(p.operands.name.length > 20);
      assert.deepEqual(decodeProfile(encodeProfile(p)), p);
      assert.ok(Object.keys(summary(p)).length > 50 && Array.isArray(warnings(p)));
    });

  it('are refused where an index lies outside of their texts', () => {
    const { kind, version, meta, columns } = decodeContainer(unpackNkiprof(bytesOf('version1-rmsnorm-trn1')), 'profile');
    columns['instructions.operands'] = columns['instructions.operands'].map(() => 999) as Uint32Array;
    assert.throws(() => decodeProfile(encodeContainer({ kind, version, meta, columns })), /instructions\.operands\[0\] is 999/);
    const { operands: _, ...without } = meta as Record<string, unknown>;
    assert.throws(() => decodeProfile(encodeContainer({ kind, version, meta: without, columns })), /operands is missing/);
  });

  it('keep one list for a text that is there twice', () => {
    const { kind, version, meta, columns } = decodeContainer(unpackNkiprof(bytesOf('version1-rmsnorm-trn1')), 'profile');
    const given = meta as { operands: string[] };
    const twice = { ...given, operands: [...given.operands, given.operands[0]] };
    const index = columns['instructions.operands'].slice() as Uint32Array;
    const last = index.lastIndexOf(0);
    index[last] = given.operands.length;
    const p = decodeProfile(encodeContainer({ kind, version, meta: twice, columns: { ...columns, 'instructions.operands': index } }));
    assert.equal(p.instructions.operands[last], 0);
    assert.equal(p.operandLists.end.length, given.operands.length);
  });
});
