import assert from 'node:assert/strict';
import { compareLines, shownLine } from '../../../../src/simulator/analyze/compare/lines';
import { oneByOne as run } from '../../../support/tinyProfile';

describe('comparing lines of several runs', () => {
  const rows = compareLines(run('add(x)\nmul(x)\n', [100, 300]), [
    run('# moved\nadd(x)\nmul(x)\n', [100, 200], 2),
    run('add(x)\nmul(x)\nexp(x)\n', [100, 350, 420]),
    run('add(x)\nmul(x)\nexp(x)\n', [100, 300, 310]),
  ]);
  const timesOf = (text: string) => rows.filter(row => shownLine(row).text === text).map(row => row.lines.map(line => line?.timeNs));

  it('has one row for a line of the first, wherever the others have it', () => {
    assert.deepEqual(timesOf('add(x)'), [[100, 100, 100, 100]]);
    assert.deepEqual(timesOf('mul(x)'), [[200, 100, 250, 200]]);
    assert.deepEqual(
      rows.find(row => shownLine(row).text === 'mul(x)')!.lines.map(line => line?.line),
      [2, 3, 2, 2],
    );
  });

  it('has one row for what is new in several, and the largest change first', () => {
    assert.deepEqual(timesOf('exp(x)'), [[undefined, undefined, 70, 10]]);
    assert.deepEqual(
      rows.map(row => shownLine(row).text),
      ['mul(x)', 'exp(x)', 'add(x)'],
    );
  });

  it('keeps new lines apart that say the same', () => {
    const twice = compareLines(run('add(x)\n', [100]), [run('add(x)\nexp(x)\nexp(x)\n', [100, 150, 170])]);
    assert.deepEqual(
      twice.map(row => row.lines.map(line => line?.timeNs)),
      [
        [undefined, 50],
        [undefined, 20],
        [100, 100],
      ],
    );
  });
});
