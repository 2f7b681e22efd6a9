/** Experiments in the reading worker: the same answers as in this thread, as plain data, with progress; ended at once when cancelled. */
import assert from 'node:assert/strict';
import { advise } from '../../../../src/simulator/advice/advise';
import { causalProfile } from '../../../../src/simulator/experiments/causal';
import { usualQuestions } from '../../../../src/simulator/experiments/whatIf';
import { encodeNkiprof } from '../../../../src/simulator/formats/nkiprof';
import {
  type CausalCurve,
  type ExperimentAsked,
  experimentIn,
  type WishAnswer,
} from '../../../../src/simulator/service/reading/experiments';
import { ReadingClient } from '../../../../src/simulator/service/reading/readingClient';
import { simulate } from '../../../../src/simulator/simulate';
import { testDist } from '../../../support/dist';
import { randomProgram } from '../../../support/randomPrograms';

describe('experiments in the reading worker', () => {
  const profile = simulate(randomProgram(7, 80), { pipeline: 'literal' });
  const source = { bytes: encodeNkiprof(profile), name: 'random' };
  let reading: ReadingClient;

  before(async () => {
    reading = new ReadingClient({ dist: await testDist() });
  });
  after(() => reading?.dispose());

  const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

  it('are those of this thread, and come through a channel of JSON as they are', async () => {
    for (const asked of [{ job: 'advise' }, { job: 'whatIf', wishes: null }, { job: 'causal' }] as ExperimentAsked[]) {
      const answer = await experimentIn(reading, source, asked);
      assert.deepEqual(plain(answer), answer, asked.job);
    }
    assert.deepEqual(await experimentIn(reading, source, { job: 'advise' }), plain(advise(profile)));
    const usual = (await experimentIn(reading, source, { job: 'whatIf', wishes: null })) as WishAnswer[];
    assert.deepEqual(
      usual.map(({ timeNs }) => timeNs),
      usualQuestions(profile).map(({ timeNs }) => timeNs),
    );
    const causal = (await experimentIn(reading, source, { job: 'causal' })) as CausalCurve[];
    assert.equal(causal.length, causalProfile(profile).length);
  });

  it('answer wishes in their order: what saves more of its time is faster', async () => {
    const [{ resource }] = ((await experimentIn(reading, source, { job: 'whatIf', wishes: null })) as WishAnswer[]).filter(
      answer => answer.resource,
    );
    const wishes = [0, 0.5, 1].map(savedShare => ({ resource: resource!, savedShare }));
    const [same, twice, free] = (await experimentIn(reading, source, { job: 'whatIf', wishes })) as WishAnswer[];
    assert.ok(Math.abs(same.deltaShare) < 1e-6);
    assert.match(twice.what, /2 times as fast/);
    assert.match(free.what, /free/);
    assert.ok(free.timeNs <= twice.timeNs + 1 && twice.timeNs <= same.timeNs + 1);
  });

  it('tell how far they are, up to the end', async () => {
    for (const job of ['advise', 'causal'] as const) {
      const shares: number[] = [];
      await experimentIn(reading, source, { job }, { onProgress: share => shares.push(share) });
      assert.ok(shares.length > 1, job);
      assert.deepEqual(
        shares,
        [...shares].sort((a, b) => a - b),
      );
      assert.equal(shares.at(-1), 1);
    }
  });

  it('end when they are cancelled', async () => {
    const stop = new AbortController();
    const answer = experimentIn(reading, source, { job: 'advise' }, { signal: stop.signal, onProgress: () => stop.abort() });
    await assert.rejects(answer, { name: 'ReadingError', problem: 'cancelled' });
  });
});
