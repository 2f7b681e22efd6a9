/** Names of files after names of kernels: readable, valid everywhere, and as many as there are kernels. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fileStem, fileStems } from '../../../src/simulator/formats/fileNames';

describe('file names', () => {
  it('keep letters of every script, composed', () => {
    for (const name of ['softmax', 'ядро_7', '核心', 'größe', 'नाभिक', 'k (1)', 'a-b.c+d'])
      assert.equal(fileStem(name), name.normalize('NFC'));
    assert.equal(fileStem('gro\u0308\u00dfe'), 'gr\u00f6\u00dfe');
  });

  it('have nothing in them that a file system or a shell acts on', () => {
    const rows = [
      ['a/b\\c:d', 'a_b_c_d'],
      ['<x>|"?*', '_x_____'],
      ['a\u0000\u202eb\n', 'a__b_'],
      ['..', '_'],
      ['.hidden', '_hidden'],
      ['ends. ', 'ends_'],
      ['', '_'],
      ['$(x);`y`', '_(x)__y_'],
      ['\ud800', '_'],
    ];
    for (const [name, stem] of rows) assert.equal(fileStem(name), stem, JSON.stringify(name));
  });

  it('are no devices of Windows, with or without extension', () => {
    for (const name of ['CON', 'nul', 'Aux', 'prn', 'COM1', 'lpt9', 'com²', 'NUL.txt', 'nul.tar.gz']) {
      const stem = fileStem(name);
      assert.equal(stem, name.replace(/^\w+²?/, '$&_'));
    }
    for (const name of ['console', 'nullify', 'com', 'com10', 'my.nul']) assert.equal(fileStem(name), name);
  });

  it('are cut between characters, and told apart by what was cut', () => {
    const long = '核'.repeat(500);
    const [a, b] = [fileStem(`${long}a`), fileStem(`${long}b`)];
    assert.notEqual(a, b);
    for (const stem of [a, b]) assert.match(stem, /^核{37}-[0-9a-f]{8}$/);
    assert.match(fileStem('𝒌'.repeat(100)), /^𝒌{27}-[0-9a-f]{8}$/u);
  });

  it('of one folder are numbered where a disk would see one', () => {
    assert.deepEqual(fileStems(['add', 'mul', 'add']), ['add-1', 'mul', 'add-2']);
    assert.deepEqual(fileStems(['Add', 'add', 'ADD']), ['Add-1', 'add-2', 'ADD-3']);
    assert.deepEqual(fileStems(['核', '心']), ['核', '心']);
    assert.deepEqual(fileStems(['é', 'e\u0301']), ['é-1', 'é-2']);
    assert.deepEqual(fileStems(['a/b', 'a:b']), ['a_b-1', 'a_b-2']);
    assert.deepEqual(fileStems(['a', 'a', 'a-1', 'A-2']), ['a-3', 'a-4', 'a-1', 'A-2']);
    assert.deepEqual(fileStems(['straße', 'STRASSE']), ['straße-1', 'STRASSE-2']);
  });

  it('are different for any names, on a disk to which case and composition are one', () => {
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('a', 'A', 'a-1', 'a-2', 'nul', 'NUL_', 'é', 'e\u0301'),
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), names => {
        const stems = fileStems(names);
        const keys = stems.map(stem => stem.normalize('NFC').toLowerCase());
        assert.equal(new Set(keys).size, names.length, JSON.stringify(stems));
        for (const stem of stems) {
          assert.match(stem, /^[^. /\\:*?"<>|][^/\\:*?"<>|]*$/u);
          assert.ok(!/[. ]$/.test(stem) && Buffer.byteLength(stem) < 140, stem);
        }
      }),
      { seed: 14, numRuns: 300 },
    );
  });
});
