/** Advice to use a narrower dtype says what it does to the run's values, and is none where they do not allow it. */
import assert from 'node:assert/strict';
import { type Advice, type AdviceReport, advise } from '../../../src/simulator/advice/advise';
import { LARGEST_ERROR, withValuesTried } from '../../../src/simulator/service/narrowedAdvice';
import type { CaptureRequest, CaptureResult } from '../../../src/simulator/session/capture';
import { simulate } from '../../../src/simulator/simulate';
import { randomProgram } from '../../support/randomPrograms';

const REQUEST: CaptureRequest = { file: '/k.py', root: '/', numerics: 'auto' };
const ERRORS = { relative: 0, largest: 0, meanSquared: 0, cosine: 1, notFinite: 0 };

/** A report with one advice of bf16 and one of another kind. */
function report(): AdviceReport {
  const made = advise(simulate(randomProgram(3, 60), { pipeline: 'literal' }));
  const any = [...made.advice, ...made.rejected][0];
  const narrow: Advice = { ...any, rule: 'bf16-matmul', narrowsTo: 'bfloat16', lines: [{ file: '/k.py', line: 4, gainNs: 9 }] };
  return { ...made, advice: [narrow, any], rejected: [] };
}

function answering(outputs: { name: string; largest?: number; notFinite?: number }[], instructions = 1) {
  const asked: CaptureRequest[] = [];
  const narrowed = [{ instructions, outputs: outputs.map(output => ({ ...ERRORS, against: 'the run as it is', ...output })) }];
  const capture = async (request: CaptureRequest) => {
    asked.push(request);
    return { runs: [{ narrowed }] } as unknown as CaptureResult;
  };
  return { asked, capture };
}

const tried = (capture: (request: CaptureRequest) => Promise<CaptureResult>, request = REQUEST) =>
  withValuesTried(capture, request, { call: 0 }, report());

describe('advice tried on values', () => {
  it('says the error of the output that is furthest off', async () => {
    const { asked, capture } = answering([
      { name: 'a', largest: 0.001 },
      { name: 'b', largest: 0.004 },
    ]);
    const { advice, rejected } = await tried(capture);
    assert.deepEqual(asked[0].narrowings, [{ dtype: 'bfloat16', lines: [{ file: '/k.py', line: 4 }] }]);
    assert.deepEqual(advice[0].values, { largestError: 0.004, output: 'b', notFinite: 0, allow: true });
    assert.equal(advice[1].values, undefined);
    assert.deepEqual(rejected, []);
  });

  for (const [name, output] of [
    ['become infinite', { name: 'a', notFinite: 3 }],
    ['are too far off', { name: 'a', largest: LARGEST_ERROR * 1.1 }],
  ] as const)
    it(`is no advice where values ${name}`, async () => {
      const { advice, rejected } = await tried(answering([output]).capture);
      assert.deepEqual(advice.map(({ rule }) => rule).includes('bf16-matmul'), false);
      assert.equal(rejected[0].rule, 'bf16-matmul');
      assert.equal(rejected[0].values?.allow, false);
    });

  it('claims nothing where nothing was rounded or compared, and asks for nothing without values', async () => {
    assert.equal((await tried(answering([{ name: 'a' }], 0).capture)).advice[0].values, undefined);
    assert.equal((await tried(answering([]).capture)).advice[0].values, undefined);
    const { asked, capture } = answering([{ name: 'a' }]);
    await tried(capture, { ...REQUEST, numerics: 'off' });
    assert.deepEqual(asked, []);
  });
});
