/** Values of parameters in every spelling, and what is refused. */
import assert from 'node:assert/strict';
import { parseValues } from '../../../src/simulator/variants/values';

describe('values of a parameter', () => {
  const read: [string, unknown[]][] = [
    ['128', [128]],
    ['{512,1024, 2048}', [512, 1024, 2048]],
    ['128:512:128', [128, 256, 384, 512]],
    ['128:500:128', [128, 256, 384]],
    ['1:3', [1, 2, 3]],
    ['-2:2:2', [-2, 0, 2]],
    ['128:2048:*2', [128, 256, 512, 1024, 2048]],
    ['1,4:6,4', [1, 4, 5, 6]],
    ['true,null,-1.5,"a,b"', [true, null, -1.5, 'a,b']],
    ['nl.float32,nl.bfloat16', ['nl.float32', 'nl.bfloat16']],
    ['f(1, 2),[3, 4]', ['f(1, 2)', '[3, 4]']],
  ];
  for (const [text, values] of read) it(text, () => assert.deepEqual(parseValues('x', text), values));

  const refused: [string, RegExp][] = [
    ['', /a value is missing/],
    ['1,,2', /a value is missing/],
    ['5:1', /a range goes up/],
    ['1:5:0', /a range goes up/],
    ['1:5:*1', /a range goes up/],
    ['0:5:*2', /a range goes up/],
    ['1:1000000', /more than 10000/],
  ];
  for (const [text, message] of refused) it(`not ${text}`, () => assert.throws(() => parseValues('x', text), message));
});
