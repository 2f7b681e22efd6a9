/** The reading worker and its client: files of every kind through the built worker, and workers of our own that never end. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { jsonChunks } from '../../../../src/simulator/formats/json';
import { encodeNkiprof } from '../../../../src/simulator/formats/nkiprof';
import { decodeProfile } from '../../../../src/simulator/profile/codec';
import type { JobInput } from '../../../../src/simulator/service/reading/messages';
import { ReadingClient } from '../../../../src/simulator/service/reading/readingClient';
import { ReadingError, type ReadingProblem } from '../../../../src/simulator/service/reading/readingError';
import { DIST } from '../../../support/built';
import { syntheticProfile } from '../../../support/syntheticProfile';
import { temporaryFolder } from '../../../support/temporary';

const fails = (work: Promise<unknown>, problem: ReadingProblem, message: RegExp) =>
  assert.rejects(work, (e: Error) => {
    assert.ok(e instanceof ReadingError, e.stack);
    assert.equal(e.problem, problem);
    assert.match(e.message, message);
    return true;
  });

const posixOnly = process.platform === 'win32' ? it.skip : it;

describe('reading files from anywhere', () => {
  const folder = temporaryFolder();
  const client = new ReadingClient({ dist: DIST });
  const profile = syntheticProfile(40);

  it('gives the container of a file by its path, and of bytes, in any format', async () => {
    const ours = encodeNkiprof(profile);
    const capture = new TextEncoder().encode([...jsonChunks(profile)].join(''));
    for (const source of [{ path: folder.write('a.nkiprof', ours) }, { bytes: ours, name: 'a' }])
      assert.deepEqual(decodeProfile(await client.container(source)), profile);
    for (const source of [{ path: folder.write('a.json', capture) }, { bytes: capture, name: 'a' }])
      assert.equal(decodeProfile(await client.container(source)).instructions.startNs.length, 40);
    assert.equal(ours.length > 0 && capture.length > 0, true, 'what is given is not taken away');
  });

  it('says what is wrong with a file', async () => {
    const damaged = folder.write('damaged.nkiprof', 'not one');
    await fails(client.container({ path: damaged }), 'format', /not an \.nkiprof file/);
    await fails(client.container({ bytes: new Uint8Array(3), name: 'a' }), 'format', /not an \.nkiprof file/);
    await fails(client.container({ path: folder.path('gone') }), 'disk', /ENOENT/);
  });

  posixOnly('waits for no pipe and reads no device', async () => {
    fs.mkdirSync(folder.path('tables'));
    execFileSync('mkfifo', [folder.path('pipe.nkiprof'), folder.path('tables/Instruction.parquet')]);
    for (const path of [folder.path('pipe.nkiprof'), '/dev/zero', folder.path('tables')])
      await fails(client.container({ path }), 'disk', /neither a file nor a folder/);
  });
});

describe('a reading worker that does not end', () => {
  const folder = temporaryFolder();
  const source = { sources: [{ path: '/x.nkiprof' }] };
  const started = () => new Promise<void>(resolve => setTimeout(resolve, 100));
  /** Of a worker with this code. */
  const clientOf = (code: string, deadline?: (job: string) => number) => {
    folder.write('reader.mjs', `import { parentPort } from 'node:worker_threads';\n${code}`);
    return new ReadingClient({ dist: folder.path(), deadline });
  };

  it('does one job after another in one worker, and another one after it was ended', async () => {
    const counts = `let jobs = 0;
      parentPort.on('message', ({ type, job }) => {
        if (type !== 'job') return;
        if (job === 'compare') for (;;);
        parentPort.postMessage({ type: 'done', answer: ++jobs });
      });`;
    const client = clientOf(counts, (job: string) => (job === 'compare' ? 200 : 20_000));
    const lines = () => client.run('lines', { ...source, attribute: 'leaf' }) as Promise<unknown>;
    assert.deepEqual([await lines(), await lines()], [1, 2]);
    await fails(client.run('compare', source), 'time', /longer/);
    assert.equal(await lines(), 1);
    client.dispose();
  });

  it('is one of four that do many jobs at once, one after another', async () => {
    // named by its number, so that the answers say how many there were
    const named = `import { threadId } from 'node:worker_threads';
      parentPort.on('message', ({ type }) => type === 'job' && parentPort.postMessage({ type: 'done', answer: threadId }));`;
    const warnings: Error[] = [];
    const warned = (warning: Error) => warnings.push(warning);
    process.on('warning', warned);
    const client = clientOf(named);
    const jobs = Array.from({ length: 40 }, () => client.run('lines', { ...source, attribute: 'leaf' }) as Promise<unknown>);
    const workers = new Set(await Promise.all(jobs));
    await started();
    process.off('warning', warned);
    client.dispose();
    assert.ok(workers.size <= 4, `${workers.size} workers`);
    assert.deepEqual(warnings, [], 'those that wait leave no listeners');
  });

  it('is ended by its deadline, with words that say what to do', async () => {
    await fails(
      clientOf('for (;;) {}', () => 200).run('lines', { ...source, attribute: 'leaf' }),
      'time',
      /longer than 1 s .* make it anew/,
    );
  });

  it('is ended at once when it is cancelled, before it starts, and while it waits for its turn', async () => {
    const client = clientOf('for (;;) {}');
    await fails(client.run('compare', source, AbortSignal.abort()), 'cancelled', /Cancelled/);
    const controller = new AbortController();
    // more than there may be at once
    const all = Promise.all(
      Array.from({ length: 9 }, () => fails(client.run('compare', source, controller.signal), 'cancelled', /Cancelled/)),
    );
    await started();
    controller.abort();
    await all;
  });

  it('is ended with its client', async () => {
    const client = clientOf('for (;;) {}');
    const work = fails(client.run('compare', source), 'cancelled', /Cancelled/);
    await started();
    client.dispose();
    await work;
    await fails(client.run('compare', source), 'cancelled', /Cancelled/);
  });

  it('is said to take too much memory when it does', async () => {
    const outOfMemory = "throw Object.assign(new Error('of V8'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });";
    await fails(clientOf(outOfMemory).run('compare', source), 'memory', /4 GB of memory .* use \.nkiprof instead/);
  });

  it('is a fault of ours when it throws, and when it ends without a word', async () => {
    const report = (code: string, message: RegExp) => assert.rejects(clientOf(code).run('compare', source), message);
    await report('throw new Error("of ours")', /of ours/);
    await report('', /ended early/);
  });

  it('takes no time of its job while nobody takes its pieces, and stops in the middle', async () => {
    const endless = `const say = () => parentPort.postMessage({ type: 'piece', piece: { bytes: new Uint8Array(1) } });
      parentPort.on('message', say); say();`;
    const controller = new AbortController();
    const pieces = clientOf(endless, () => 20_000).pieces(source satisfies JobInput, controller.signal);
    for (let i = 0; i < 3; i++) assert.equal((await pieces.next()).done, false);
    controller.abort();
    await fails(pieces.next(), 'cancelled', /Cancelled/);

    const slow = clientOf(endless, () => 400).pieces(source);
    for (let i = 0; i < 3; i++) {
      assert.equal((await slow.next()).done, false);
      await new Promise(resolve => setTimeout(resolve, 300));
    }
    await slow.return(undefined);
  });
});
