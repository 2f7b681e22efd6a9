/** Every number that a sentence about a profile has is found: the page makes a link of each. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { advise } from '../../../src/simulator/advice/advise';
import { bounds } from '../../../src/simulator/analyze/bounds';
import { eventCount } from '../../../src/simulator/analyze/eventAccess';
import { numbersIn } from '../../../src/simulator/analyze/numbersIn';
import { stallText } from '../../../src/simulator/analyze/stallText';
import { warnings } from '../../../src/simulator/analyze/warnings';
import { decodeProfile } from '../../../src/simulator/profile/codec';
import type { Profile } from '../../../src/simulator/profile/profile';
import { SimulatorClient } from '../../../src/simulator/service/client';
import { testDist } from '../../support/dist';
import { EXAMPLES } from '../../support/examples';

const KERNELS = ['nki/softmax.py', 'nki/matmul_tiled.py', 'nki/transpose_2d.py'];

function sentencesOf(profile: Profile): string[] {
  const { headline, advice, rejected, next } = advise(profile);
  return [
    headline.sentence,
    ...[...advice, ...rejected].flatMap(({ reason, sketch, tried, ways }) => [reason, sketch, tried, ...ways.map(({ name }) => name)]),
    ...(next ? [next.text] : []),
    ...bounds(profile).sentences,
    ...warnings(profile).flatMap(({ message, advice: what }) => [message, what]),
    ...new Set(Array.from({ length: eventCount(profile) }, (_, event) => stallText(profile, event))),
  ];
}

describe('analyze/numbersIn', () => {
  it('finds numbers with their units, and no digits of names', () => {
    const found = (text: string) => numbersIn(text).map(({ from, to }) => text.slice(from, to));
    assert.deepEqual(found('−18 % of 2,5 µs for bf16, float8_e4m3 and lhsT[128]: 1.5 GB/s, ±3 times, 128x512, (-0.5 to 1-2)'), [
      '−18 %',
      '2,5 µs',
      '128',
      '1.5 GB/s',
      '±3',
      '128x512',
      '-0.5',
      '1',
      '2',
    ]);
  });

  for (const name of KERNELS)
    it(`leaves no digit outside of numbers and names: ${name}`, async () => {
      const client = new SimulatorClient({ dist: await testDist(), keepSpare: false });
      const file = path.join(EXAMPLES, name);
      const { runs } = await client.capture({ file, root: path.dirname(file) });
      client.dispose();
      const all = sentencesOf(decodeProfile(runs[0].profile));
      assert.ok(all.length > 10);
      for (const text of all) {
        let rest = text;
        for (const { from, to } of numbersIn(text).reverse()) rest = rest.slice(0, from) + rest.slice(to);
        assert.doesNotMatch(rest, /(?<![\w.])\d/, text);
      }
    });
});
