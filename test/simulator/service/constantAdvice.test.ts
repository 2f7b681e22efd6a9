/** Other values of constants as advice: each a run of the file with that value, told with its time and its outputs. */
import assert from 'node:assert/strict';
import { type AdviceReport, advise } from '../../../src/simulator/advice/advise';
import { encodeProfile } from '../../../src/simulator/profile/codec';
import { withConstantsTried } from '../../../src/simulator/service/constantAdvice';
import { editedTexts } from '../../../src/simulator/service/editedRun';
import type { CaptureRequest, CaptureResult } from '../../../src/simulator/session/capture';
import { simulate } from '../../../src/simulator/simulate';
import { randomProgram } from '../../support/randomPrograms';

const FILE = '/k.py';
const TEXT = 'import nki\nTILE = 128\nNAME = "x"\nSTEP: int = 3  # odd\nLIMIT = 1024\n';
const REQUEST: CaptureRequest = { file: FILE, root: '/', kernel: 'work', args: { given: 4 } };
const profile = simulate(randomProgram(3, 40), { pipeline: 'literal' });
const PARAMS = [
  { name: 'x', annotation: null, default: null },
  { name: 'given', annotation: null, default: '8' },
  { name: 'unroll', annotation: null, default: '2' },
];

const report = (): AdviceReport => ({ ...advise(profile), advice: [], rejected: [] });

/** Takes 10 us for each 128 of TILE's distance from 256, and 1 us less with more of `unroll`; LIMIT above 1024 is an error. */
function runs() {
  const asked: string[] = [];
  const capture = async ({ overlay, args }: CaptureRequest) => {
    const text = overlay![FILE];
    const number = (name: string) => Number(new RegExp(`^${name}\\b.*?= *(\\d+)`, 'm').exec(text)![1]);
    const unroll = Number(args!.unroll ?? 2);
    asked.push(`${number('TILE')} ${number('STEP')} ${number('LIMIT')} ${unroll}`);
    const totalTimeNs = 100_000 + 10_000 * Math.abs(number('TILE') / 128 - 2) - 1000 * unroll;
    const encoded = encodeProfile({ ...profile, totalTimeNs });
    const shape = [number('STEP') === 3 ? 8 : 9];
    const outputs = [{ name: 'y', shape, dtype: 'float32', checksum: number('TILE') === 256 ? 'b' : 'a' }];
    const error = number('LIMIT') > 1024 ? { kind: 'KernelError', message: 'too large' } : null;
    return {
      runs: [{ profile: encoded, outputs }],
      kernels: [{ name: 'work', line: 1, params: PARAMS }],
      error,
    } as unknown as CaptureResult;
  };
  return { asked, capture };
}

describe('advice on constants', () => {
  it('is what a run with that value takes; the edit writes it, and the outputs are told', async () => {
    const { asked, capture } = runs();
    const { advice, rejected } = await withConstantsTried(capture, REQUEST, { call: 0 }, TEXT, report());
    assert.deepEqual(asked, [
      '128 3 1024 2',
      '64 3 1024 2',
      '256 3 1024 2',
      // half of 3 is no whole number
      '128 6 1024 2',
      '128 3 512 2',
      '128 3 2048 2',
      '128 3 1024 1',
      '128 3 1024 4',
    ]);
    assert.deepEqual(
      advice.map(({ rule, title, gainNs, line }) => ({ rule, title, gainNs, line })),
      [
        { rule: 'constant-tile', title: 'Set TILE to 256', gainNs: 10_000, line: 2 },
        { rule: 'constant-unroll', title: 'Set unroll to 4', gainNs: 2000, line: 1 },
      ],
    );
    assert.match(advice[0].reason, /outputs are not the same bit by bit/);
    assert.match(advice[1].reason, /outputs are the same bit by bit/);
    assert.ok(editedTexts({ [FILE]: TEXT }, advice[0].edits)[FILE].includes('\nTILE = 256\n'));
    assert.deepEqual(advice[1].edits, [], 'what the caller gives is not in the text');
    // STEP changes the shape of the output; twice LIMIT does not run.
    assert.deepEqual(
      rejected.map(({ rule }) => rule),
      ['constant-limit'],
    );
  });
});
