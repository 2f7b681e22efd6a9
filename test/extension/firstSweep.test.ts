/** The sweep that a file without one begins with: it can be run. */
import assert from 'node:assert/strict';
import { firstSweep } from '../../src/extension/sweeps/firstSweep';
import { plannedPoints, sweepPlan } from '../../src/simulator/index';

const BASE = { file: '/w/k.py', root: '/w' };

describe('first sweep of a file', () => {
  it('is half and twice of each constant that is a whole number', () => {
    const text = 'TILE = 128\nNAME = "x"\nONE = 1\nHALF = 0.5\n';
    const description = firstSweep(text, undefined, undefined);
    assert.deepEqual(description, { set: { TILE: [64, 128, 256], ONE: [1, 2] } });
    assert.equal(plannedPoints(sweepPlan(description, BASE, text)).length, 6);
  });

  it('is the targets where there is no constant, with the arguments of the kernel\u2019s case', () => {
    const description = firstSweep('import nki\n', 'k', { name: 'small', args: { a: 'bf16[128,512]', n: 4 } });
    assert.deepEqual(description, { kernel: 'k', args: { a: 'bf16[128,512]', n: 4 }, target: ['trn1', 'trn2', 'trn3'] });
    assert.equal(plannedPoints(sweepPlan(description, BASE, 'import nki\n')).length, 3);
  });

  it('leaves the kernel out where no case is known, so that the file runs as a script', () => {
    assert.deepEqual(firstSweep('T = 4\n', 'k', undefined), { set: { T: [2, 4, 8] } });
  });
});
