/** Inputs of tools: what fits, and words for what does not. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkInput, type InputSchema } from '../../../src/simulator/agents/inputSchema';
import { ToolError } from '../../../src/simulator/agents/toolError';

const SCHEMA: InputSchema = {
  type: 'object',
  required: ['file'],
  additionalProperties: false,
  properties: {
    file: { type: 'string', description: '' },
    target: { type: 'string', enum: ['trn1', 'trn2'], description: '' },
    top: { type: 'integer', minimum: 1, maximum: 9, description: '' },
    speed: { type: 'number', minimum: 0.5, description: '' },
    grid: { type: 'array', items: { type: 'integer', minimum: 1 }, description: '' },
    args: { type: 'object', additionalProperties: { type: ['string', 'number', 'null'] }, description: '' },
  },
};
const check = (input: unknown) => checkInput('tool', SCHEMA, input);

describe('inputs of tools', () => {
  it('fit with the required fields, and with all', () => {
    check({ file: 'a.py' });
    check({ file: 'a.py', target: 'trn1', top: 9, speed: 0.5, grid: [1, 2], args: { a: 'bf16[1]', n: 1, m: null } });
    check({ file: 'a.py', target: undefined });
  });

  it('are refused in words that name the field and what it takes', () => {
    const refused = (input: unknown, message: RegExp) =>
      assert.throws(
        () => check(input),
        (error: unknown) => {
          assert.ok(error instanceof ToolError);
          assert.match(error.message, message);
          assert.match(error.more.next!, /^tool takes file \(required\), target, top/);
          return true;
        },
      );
    refused([], /the input is an object/);
    refused({}, /file is missing/);
    refused({ file: 1 }, /file is a text/);
    refused({ file: 'a', files: 'b' }, /there is no files/);
    refused({ file: 'a', target: 'gpu' }, /target is one of trn1, trn2/);
    refused({ file: 'a', top: 10 }, /top is a whole number from 1 to 9/);
    refused({ file: 'a', top: 1.5 }, /top is a whole number/);
    refused({ file: 'a', speed: 0.1 }, /speed is a number from 0\.5/);
    refused({ file: 'a', grid: [0] }, /grid is a list of whole numbers from 1/);
    refused({ file: 'a', args: { a: [1] } }, /args is an object of string, number, null by name/);
  });

  it('are never accepted and wrong: any JSON is refused as a ToolError or has the schema’s types', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(SCHEMA.properties)), (value, name) => {
        const input = { file: 'a.py', [name]: value };
        try {
          check(input);
        } catch (error) {
          assert.ok(error instanceof ToolError);
          return;
        }
        const { type } = SCHEMA.properties[name];
        const kind = Array.isArray(value) ? 'array' : typeof value;
        assert.equal(kind, type === 'integer' ? 'number' : type);
      }),
      { seed: 21 },
    );
  });
});
