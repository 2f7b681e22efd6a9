/** What the served page may ask about a profile: checked before anything is done for it. */
import assert from 'node:assert/strict';
import { askedOf } from '../../src/cli/experiments';
import { filesShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { type Served, serve } from '../../src/cli/serve';
import { advise } from '../../src/simulator/advice/advise';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { simulate } from '../../src/simulator/simulate';
import { testDist } from '../support/dist';
import { randomProgram } from '../support/randomPrograms';
import { recording } from '../support/smallRecording';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';
import { ask } from '../support/viewer';

describe('experiments over HTTP', () => {
  const folder = temporaryFolder();
  const profile = simulate(randomProgram(7, 80), { pipeline: 'literal' });
  let served: Served;
  let ids: string[];

  before(async () => {
    const dist = await testDist();
    const files = [encodeNkiprof(profile), encodeNkiprof(syntheticProfile(50))].map((bytes, i) => folder.write(`${i}.nkiprof`, bytes));
    files.push(folder.write('recorded.json', JSON.stringify(recording)));
    const shelf = await filesShelf(files, new Reading({ dist }));
    ids = shelf.list().map(({ id }) => id);
    served = await serve({ shelf, dist, port: 0 });
  });
  after(() => served?.close());

  const post = (id: string, asked: string) =>
    ask(served, `/api/experiments/${id}`, { method: 'POST', body: new URLSearchParams({ asked }).toString() });

  it('answers with how far it is, then the answer', async () => {
    const { status, body } = await post(ids[0], '{"job":"advise"}');
    assert.equal(status, 200);
    const lines = body.toString().split('\n');
    const answer = lines.pop()!;
    assert.equal(JSON.parse(lines.at(-1)!).bytes, Buffer.byteLength(answer));
    assert.ok(lines.length > 1 && lines.slice(0, -1).every(line => JSON.parse(line).share <= 1));
    assert.deepEqual(JSON.parse(answer), JSON.parse(JSON.stringify(advise(profile))));
  });

  it('answers about a recording by its replay: its bounds, and why there is no advice', async () => {
    const { body } = await post(ids[2], '{"job":"advise"}');
    const { ladder, advice, noAdvice } = JSON.parse(body.toString().split('\n').pop()!);
    assert.deepEqual(ladder.map(({ name }: { name: string }) => name).slice(0, 3), ['as it ran', 'without start-up', 'DMA starts hidden']);
    assert.deepEqual(advice, []);
    assert.match(noAdvice, /needs a program/);
  });

  it('says in a sentence why a profile cannot be timed again', async () => {
    const { body } = await post(ids[1], '{"job":"causal"}');
    assert.match(JSON.parse(body.toString()).refused, /older version|simulated/);
  });

  it('refuses what is no question', async () => {
    for (const text of ['', 'x', 'null', '[]', '{"job":"export"}', '{"job":"whatIf","wishes":[{}]}'])
      assert.equal((await post(ids[0], text)).status, 400, text);
    const wish = { resource: 'Tensor', savedShare: 0.5 };
    assert.deepEqual(askedOf(JSON.stringify({ job: 'whatIf', wishes: [wish] })), { job: 'whatIf', wishes: [wish] });
    for (const savedShare of [-1, 2, null, '1'])
      assert.equal(askedOf(JSON.stringify({ job: 'whatIf', wishes: [{ ...wish, savedShare }] })), null);
    assert.equal(askedOf(JSON.stringify({ job: 'whatIf', wishes: new Array(65).fill(wish) })), null, 'a bounded number');
    assert.deepEqual(askedOf(JSON.stringify({ job: 'retimed', wishes: [wish] })), { job: 'retimed', wishes: [wish] });
    for (const wishes of [null, 'all', [{ ...wish, savedShare: 2 }], new Array(65).fill(wish)])
      assert.equal(askedOf(JSON.stringify({ job: 'retimed', wishes })), null);
    assert.equal(askedOf(JSON.stringify({ job: 'whatIf', wishes: [{ savedShare: 1, line: { file: 1, line: 2 } }] })), null);
  });
});
