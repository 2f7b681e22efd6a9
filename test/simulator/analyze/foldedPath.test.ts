/** The critical path folded: what repeats, how often, and its times added up. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { criticalPath } from '../../../src/simulator/analyze/criticalPath';
import { foldedPath, type PathPiece, piecesText } from '../../../src/simulator/analyze/foldedPath';
import type { Profile } from '../../../src/simulator/profile/profile';
import { simulate } from '../../../src/simulator/simulate';
import { ProgramBuilder } from '../../support/programs';
import { syntheticProfile } from '../../support/syntheticProfile';
import { tinyProfile } from '../../support/tinyProfile';

const fold = (p: Profile) => foldedPath(p, criticalPath(p));

/** One after the other, each waiting for the one before: the letters are lines. */
function chain(letters: string) {
  return tinyProfile({
    events: [...letters].map((letter, i) => ({
      line: letter.charCodeAt(0) - 96,
      track: 'Vector' as const,
      ready: 10 * i,
      start: 10 * i,
      end: 10 * i + 10,
      opcode: letter.toUpperCase(),
    })),
  });
}

const count = (pieces: readonly PathPiece[]): number =>
  pieces.reduce((sum, piece) => sum + ('times' in piece ? piece.times * count(piece.pieces) : 1), 0);
const sumNs = (pieces: readonly PathPiece[]): number => pieces.reduce((sum, { ns }) => sum + ns, 0);
const unfolded = (pieces: readonly PathPiece[]): string =>
  pieces.map(piece => ('times' in piece ? unfolded(piece.pieces).repeat(piece.times) : piece.name)).join('');

describe('the folded critical path', () => {
  it('folds what repeats, loops inside loops too', () => {
    assert.equal(piecesText(fold(chain('xabcabcabcy'))), 'X → 3 × (A → B → C) → Y');
    assert.equal(piecesText(fold(chain('aabaabaab'))), '3 × (2 × A → B)');
    assert.equal(piecesText(fold(chain('abc'))), 'A → B → C');
    assert.equal(piecesText(fold(chain('aaaa'))), '4 × A');
  });

  it('loses no step and no time, whatever the order', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(letters, list => {
        const pieces = fold(chain(list.join('')));
        assert.equal(unfolded(pieces), list.join('').toUpperCase());
        assert.equal(sumNs(pieces), 10 * list.length);
        assert.equal(count(pieces), list.length);
      }),
      { seed: 18 },
    );
    const p = syntheticProfile(600);
    assert.ok(Math.abs(sumNs(fold(p)) - (p.bodyEndNs - p.bodyStartNs)) < 1e-3);
  });

  it('names loads and stores by their tensor, instructions and their operations as AWS prints them, and keeps why each waited', () => {
    const b = new ProgramBuilder({ kernel: 'exps' });
    const y = b.hbm('y', [128, 512], 'float32', 'output');
    const tile = b.sbuf('tile', [128, 512], 'float32');
    b.loop('i', 8, () => {
      b.record('nki.isa.dma_copy', { dst: tile, src: y }, {}, { line: 12 });
      b.record('nki.isa.activation', { dst: tile, data: tile }, { op: 'exp' }, { line: 13 });
      b.record('nki.isa.dma_copy', { dst: y, src: tile }, {}, { line: 14 });
    });
    const p = simulate(b.finish());
    const pieces = fold(p);
    const repeat = pieces.find(piece => 'times' in piece)!;
    assert.ok('times' in repeat && repeat.times >= 6, piecesText(pieces));
    const names = repeat.pieces.map(piece => ('times' in piece ? '' : piece.name));
    for (const name of ['load y', 'ACTIVATE EXP', 'store y']) assert.ok(names.includes(name), names.join());
    const exp = repeat.pieces.find(piece => 'name' in piece && piece.name === 'ACTIVATE EXP')!;
    assert.ok('waitsNs' in exp && exp.waitsNs.dma! > 0);
  });
});
