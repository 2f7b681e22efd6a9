/** The case file survives a round trip with everything in it, and a bad one is refused with the reason. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { casesOf, formatCaseFile, parseCaseFile, withCase } from '../../../src/simulator/service/cases';

describe('case file', () => {
  it('adds, replaces and keeps what it does not know', () => {
    const before = parseCaseFile('{"note": "mine", "cases": {"k": [{"name": "a", "args": {"x": "bf16[2,2]"}, "comment": 1}]}}');
    const added = withCase(before, 'k', { name: 'b', args: { n: 4 }, grid: [2] });
    const replaced = withCase(added, 'k', { name: 'a', args: { x: 'f32[1]' } });
    assert.deepEqual(
      casesOf(replaced, 'k').map(c => c.name),
      ['b', 'a'],
    );
    const again = JSON.parse(formatCaseFile(added));
    assert.equal(again.note, 'mine');
    assert.equal(again.cases.k[0].comment, 1);
    assert.deepEqual(casesOf(parseCaseFile('{}'), 'toString'), []);
  });

  const refused: [string, string, RegExp][] = [
    ['not JSON', '{', /not JSON/],
    ['a list', '[]', /must hold an object/],
    ['cases as a list', '{"cases": []}', /"cases" must be an object/],
    ['a kernel without a list', '{"cases": {"k": {}}}', /cases of k: must be a list/],
    ['no name', '{"cases": {"k": [{}]}}', /needs a "name"/],
    ['nested arguments', '{"cases": {"k": [{"name": "a", "args": {"x": [1]}}]}}', /"args"/],
    ['a grid of words', '{"cases": {"k": [{"name": "a", "grid": ["2"]}]}}', /"grid"/],
    ['no whole number of ranks', '{"cases": {"k": [{"name": "a", "ranks": 1.5}]}}', /"ranks" must be a whole number from 1 to/],
    ['a topology that is none', '{"cases": {"k": [{"name": "a", "topology": "ring"}]}}', /"topology" must be one of trn1/],
    ['a target that is a number', '{"cases": {"k": [{"name": "a", "target": 2}]}}', /"target"/],
  ];
  for (const [title, text, reason] of refused) it(`refuses ${title}`, () => assert.throws(() => parseCaseFile(text), reason));

  it('reads back what it writes', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const one = fc.record({ name: fc.string(), args: fc.dictionary(fc.string(), value) });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.array(one)), cases => {
        assert.equal(formatCaseFile(parseCaseFile(JSON.stringify({ cases }))), formatCaseFile({ cases }));
      }),
      { seed: 3 },
    );
  });
});
