/** Tensor specs in every spelling, and refusals that say what would be right. */
import assert from 'node:assert/strict';
import { parseArgument } from '../../../src/simulator/service/arguments';

describe('parseArgument', () => {
  const tensors: [string, string][] = [
    ['bf16[128,512]', 'bfloat16[128,512]'],
    [' f32 [ 1 , 2 ] ', 'float32[1,2]'],
    ['fp16[3]', 'float16[3]'],
    ['float32[250,512]', 'float32[250,512]'],
    ['u8[4]', 'uint8[4]'],
    ['i32[4]', 'int32[4]'],
    ['tf32[4]', 'tfloat32[4]'],
    ['f8_e4m3[4]', 'float8_e4m3[4]'],
    ['bool[4]', 'bool[4]'],
  ];
  for (const [text, value] of tensors) it(text, () => assert.equal(parseArgument(text).value, value));

  it('takes plain values', () => {
    assert.deepEqual(
      ['4', '-1.5', 'true', 'null', '"gelu"'].map(text => parseArgument(text).value),
      [4, -1.5, true, null, 'gelu'],
    );
  });

  const refused: [string, RegExp][] = [
    ['', /bf16\[128,512\]/],
    ['gelu', /"text"/],
    ['[1,2]', /dtype\[shape\]/],
    ['f31[2]', /unknown dtype f31: one of f32, bf16/],
    ['bf16[]', /not a shape/],
    ['bf16[0]', /not a shape/],
    ['bf16[1.5]', /not a shape/],
    ['bf16[-1]', /not a shape/],
    ['bf16[99999999999999999999]', /not a shape/],
  ];
  for (const [text, reason] of refused) it(`refuses ${text || 'nothing'}`, () => assert.throws(() => parseArgument(text), reason));
});
