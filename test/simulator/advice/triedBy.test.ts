/** Warnings are ranked by what advice gained: the rules that they name are there. */
import assert from 'node:assert/strict';
import { RULES } from '../../../src/simulator/advice/rules';
import { TRIED_BY } from '../../../src/simulator/analyze/warnings';

describe('rules of advice that warnings name', () => {
  it('are there', () => {
    const known = RULES.map(({ name }) => name);
    const named = Object.values(TRIED_BY).flat();
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter(name => !known.includes(name)),
      [],
    );
  });
});
