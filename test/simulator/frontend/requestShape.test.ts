/** Fields of the requests on the wire: what the front end sends is let through, what it never would is named. */
import assert from 'node:assert/strict';
import { shapeFault } from '../../../src/simulator/frontend/requestShape';

const PEEK = { call: 'peek', first: true, inputs: [[1, 2]], tensor: 3, offset: 0, strides: [-1], counts: [4], purpose: 'control' };
const OP = { call: 'array.op', op: 'cast', operands: [1], attributes: {}, dtype: 'float32', shape: [2] };

describe('shape of requests', () => {
  it('of the front end is right', () => {
    const requests = [
      { call: 'job' },
      { call: 'run', inputs: [1], bytes: [2], places: [[[0, 1]], []], coreBarriers: [[1], []], precise: true, pipeline: null },
      PEEK,
      { ...PEEK, dtype: 'int32', apart: { core: 1, from: 2, shared: [3] } },
      OP,
      { call: 'done', error: { kind: 'E', message: 'm', file: null, line: null, traceback: null }, kernels: [] },
      { call: 'done', error: null, kernels: [{ name: 'k', line: 1, params: [{ name: 'a', annotation: null, default: '1' }] }] },
    ];
    for (const request of requests) assert.equal(shapeFault(request), null, JSON.stringify(request));
  });

  it('of any other request is not', () => {
    const rows: [request: Record<string, unknown>, fault: RegExp][] = [
      [{}, /^no request is called undefined$/],
      [{ call: 'toString' }, /^no request is called "toString"$/],
      [{ call: ['run'] }, /^no request is called \["run"\]$/],
      [{ call: 'run' }, /^run cannot be asked with inputs = undefined$/],
      [{ call: 'run', inputs: [0.5] }, /with inputs = \[0\.5\]$/],
      [{ call: 'run', inputs: [], places: [[1, 2]] }, /with places = /],
      [{ ...PEEK, inputs: [[1]] }, /with inputs = /],
      [{ ...PEEK, offset: '0' }, /with offset = "0"$/],
      [{ ...PEEK, apart: {} }, /with apart = \{\}$/],
      [{ ...OP, attributes: null }, /with attributes = null$/],
      [{ ...OP, operands: 'x'.repeat(1000) }, /^.{20,150}$/],
      [{ call: 'done', error: 5, kernels: [] }, /with error = 5$/],
      [{ call: 'done', kernels: [{ name: 'k', line: 1 }] }, /with kernels = /],
    ];
    for (const [request, fault] of rows) assert.match(shapeFault(request) ?? 'nothing', fault);
  });
});
