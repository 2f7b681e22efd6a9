/** From a description to the request of each point. */
import assert from 'node:assert/strict';
import { checkedDescription, plannedPoints, type SweepDescription, sweepPlan } from '../../../src/simulator/variants/description';
import { requestOf } from '../../../src/simulator/variants/request';

const TEXT = 'TILE = 128\nDTYPE = nl.float32\n';
const BASE = { file: '/w/k.py', root: '/w', env: { KEPT: '1' } };

const requests = (description: SweepDescription) => {
  const plan = sweepPlan(description, BASE, TEXT);
  return plannedPoints(plan).map(point => requestOf(plan, point));
};

describe('description of a sweep', () => {
  it('becomes sizes, values of arguments, constants, variables, targets and descriptors', () => {
    const all = requests({
      kernel: 'k',
      args: { a: 'bf16[128,{512,1024}]', b: 'bf16[{K}, {a[1]}]', n: '{1,2}', flag: true },
      set: { TILE: '128:256:128', K: [64], times: 3 },
      env: { MODE: 'fast,slow' },
      target: 'trn2,trn3',
      dge: 'off',
      where: ['a[1] == 1024', 'n == 2', 'TILE == 256', 'MODE == "slow"', 'target == "trn3"'],
    });
    assert.deepEqual(all, [
      {
        ...BASE,
        kernel: 'k',
        args: { a: 'bf16[128,1024]', b: 'bf16[64, 1024]', n: 2, flag: true, times: 3 },
        overlay: { '/w/k.py': 'TILE = 256\nDTYPE = nl.float32\n' },
        env: { KEPT: '1', MODE: 'slow' },
        target: 'trn3',
        dge: 'off',
      },
    ]);
  });

  it('leaves a script as it is where it changes no constant', () => {
    assert.deepEqual(requests({ target: ['trn1'] }), [{ ...BASE, target: 'trn1' }]);
  });

  const wrong: [string, SweepDescription, RegExp][] = [
    ['an argument without a kernel', { args: { a: 'bf16[1]' } }, /the argument a needs a kernel/],
    ['a name that is nothing', { set: { OTHER: 1 } }, /assigns no OTHER at its top level; it assigns TILE, DTYPE/],
    ['a target that is none', { target: 'trn2,gpu' }, /target gpu: one of trn1/],
    ['a choice that is none', { dge: 'on' }, /dge on: one of auto, off/],
    ['a size that nothing gives', { kernel: 'k', args: { a: 'bf16[{K}]' } }, /\{K\}: no parameter has this name/],
    ['a name given twice', { kernel: 'k', args: { n: 1 }, set: { n: 2 } }, /n is given twice/],
    ['constraints that leave out all', { set: { TILE: 1 }, where: ['TILE > 1'] }, /no point is left/],
    ['no values', { set: { TILE: [] } }, /TILE has no values/],
  ];
  for (const [what, description, message] of wrong) it(`refuses ${what}`, () => assert.throws(() => requests(description), message));

  it('is checked where it comes from a file', () => {
    assert.deepEqual(checkedDescription('s', { kernel: 'k', where: ['a > 1'] }), { kernel: 'k', where: ['a > 1'] });
    assert.throws(() => checkedDescription('s', []), /the sweep s must be an object/);
    assert.throws(() => checkedDescription('s', { tile: 1 }), /the sweep s has tile; it can have kernel, args/);
    assert.throws(() => checkedDescription('s', { sample: { count: 0 } }), /sample is not as it should be/);
    assert.throws(() => checkedDescription('s', { args: { a: { b: 1 } } }), /args is not as it should be/);
  });
});
