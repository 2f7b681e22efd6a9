import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { InputError, UsageError } from '../../src/cli/errors';
import { ingest } from '../../src/cli/ingest';
import { filesShelf, folderShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { type Served, serve } from '../../src/cli/serve';
import { SharedColumns } from '../../src/cli/sharedColumns';
import { decodeContainer } from '../../src/simulator/columns/container';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { parquetFiles } from '../../src/simulator/formats/parquet/parquet';
import { decodeProfile, jsonChunks } from '../../src/simulator/index';
import { decodeFirst, decodeSlices } from '../../src/simulator/profile/parts';
import { withShared } from '../../src/simulator/profile/sharedColumns';
import { simulate } from '../../src/simulator/simulate';
import { INFLATED_BYTES, SHARES } from '../../src/webview/protocol/page';
import { unpackPart } from '../../src/webview/unpacking/unpackPart';
import { DIST } from '../support/built';
import { ntffFile } from '../support/ntffFile';
import { type RankStep, rankProgram } from '../support/ranks';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';
import { ask, send } from '../support/viewer';

declare const NKI_SCOPE_ROOT: string;

const captureText = () => [...jsonChunks(syntheticProfile(40))].join('');

async function part(of: Served, id: string, name: string): Promise<{ bytes: Uint8Array; isPacked: boolean }> {
  const { body, headers } = await ask(of, `/api/profile/${id}?part=${name}`);
  const sizeBytes = headers[INFLATED_BYTES];
  const bytes = new Uint8Array(body);
  return { bytes: sizeBytes === undefined ? bytes : await unpackPart(bytes, Number(sizeBytes)), isPacked: sizeBytes !== undefined };
}

describe('served viewer', () => {
  const folder = temporaryFolder();
  const reading = new Reading({ dist: DIST });
  let served: Served;
  let several: Served;
  let id = '';

  before(async () => {
    const file = folder.write('profiles/a.nkiprof', encodeNkiprof(syntheticProfile(50)));
    folder.write('profiles/b<b>.nkiprof', encodeNkiprof(syntheticProfile(60)));
    folder.write('profiles/damaged.nkiprof', 'not one');
    folder.write('dist/webview/main.js', 'js');
    folder.write('dist/webview/main.css', 'css');
    folder.write('dist/webview/main.js.map', 'map');
    folder.write('dist/secret.txt', 'secret');
    const shelf = await filesShelf([file], reading);
    id = shelf.list()[0].id;
    served = await serve({ shelf, dist: folder.path('dist'), port: 0 });
    several = await serve({ shelf: folderShelf(folder.path('profiles'), reading), dist: folder.path('dist'), port: 0 });
  });
  after(() => Promise.all([served.close(), several.close()]));

  it('serves page, bundle, list and profile', async () => {
    const page = await ask(served, new URL(served.url).pathname);
    assert.equal(page.status, 200);
    assert.match(page.body.toString(), new RegExp(`<meta name="nki-scope-profile" content="/api/profile/${id}">`));
    assert.deepEqual((await ask(served, '/')).status, 200);
    const script = await ask(served, '/assets/main.js');
    assert.deepEqual([script.body.toString(), script.headers['content-type']], ['js', 'text/javascript; charset=utf-8']);
    const list = JSON.parse((await ask(served, '/api/profiles')).body.toString());
    assert.deepEqual([list.length, list[0].id, list[0].name], [1, id, 'a']);
    const profile = await ask(served, `/api/profile/${id}`);
    assert.deepEqual(decodeProfile(new Uint8Array(profile.body)), syntheticProfile(50));
  });

  it('gives a profile in parts, to a page that asks for them', async () => {
    const whole = syntheticProfile(50);
    const first = await part(served, id, 'first');
    assert.ok(first.isPacked);
    assert.deepEqual(decodeFirst(first.bytes), { profile: whole, isWhole: true }, 'a small one is not cut');
    const slices = await part(served, id, 'slices');
    assert.ok(!slices.isPacked, 'a small file has no such part');
    assert.deepEqual(decodeSlices(slices.bytes, whole), whole.dmaSlices);
    assert.deepEqual(decodeProfile((await part(served, id, 'another')).bytes), whole);
  });

  it('gives a large profile in the parts of its file, without unpacking it', async () => {
    const large = simulate(rankProgram(Array<RankStep>(4000).fill('work')));
    const { timing: _, ...shown } = large;
    const file = folder.write('large/large.nkiprof', encodeNkiprof(large));
    const jobs: string[] = [];
    const run: Reading['run'] = (job, given) => {
      jobs.push(job);
      return reading.run(job, given);
    };
    const shelf = await filesShelf([file], Object.assign(Object.create(reading), { run }) as Reading);
    const viewer = await serve({ shelf, dist: folder.path('dist'), port: 0 });
    try {
      const [{ id: largeId }] = shelf.list();
      const first = decodeFirst((await part(viewer, largeId, 'first')).bytes);
      const dmaSlices = decodeSlices((await part(viewer, largeId, 'slices')).bytes, first.profile);
      assert.deepEqual({ ...first.profile, dmaSlices }, { ...shown });
      assert.deepEqual(jobs, []);
    } finally {
      await viewer.close();
    }
  });

  it('leaves out columns that the page has from profiles beside', async () => {
    const first = syntheticProfile(50);
    const beside = {
      ...first,
      kernel: 'beside',
      instructions: { ...first.instructions, flops: first.instructions.flops.map(flops => flops + 1) },
    };
    const old = path.join(NKI_SCOPE_ROOT, 'test/fixtures/nkiprof/version1-matmul-tiled-trn2.nkiprof');
    const files = [first, beside, syntheticProfile(30, 7)].map((p, k) => folder.write(`beside/${k}.nkiprof`, encodeNkiprof(p)));
    const shelf = await filesShelf([...files, old], reading);
    const viewer = await serve({ shelf, dist: folder.path('dist'), port: 0 });
    try {
      const [a, b, c, v1] = shelf.list().map(({ id: of }) => of);
      const columns = decodeContainer((await part(viewer, a, 'first')).bytes, 'profile').columns;
      const { body, headers } = await ask(viewer, `/api/profile/${b}?part=first&beside=nothing,${c},${v1},${a}`);
      assert.equal(headers[SHARES], '1');
      const sent = await unpackPart(new Uint8Array(body), Number(headers[INFLATED_BYTES]));
      const own = decodeContainer(sent, 'profile').columns;
      assert.ok('instructions.flops' in own && !('instructions.startNs' in own));
      const theirs = decodeContainer((await part(viewer, c, 'first')).bytes, 'profile').columns;
      const whole = await withShared(sent, async of => ({ [a]: columns, [c]: theirs })[of]!);
      assert.deepEqual(decodeFirst(whole).profile, beside);
      for (const others of ['nothing', v1, ''])
        assert.equal((await ask(viewer, `/api/profile/${b}?part=first&beside=${others}`)).headers[SHARES], undefined, 'nothing is shared');
      assert.equal((await ask(viewer, `/api/profile/${v1}?part=first&beside=${a}`)).headers[SHARES], undefined);
      assert.deepEqual(theirs['frames.line'], columns['frames.line']);
      assert.equal((await ask(viewer, `/api/profile/${c}?part=first&beside=${a}`)).headers[SHARES], undefined, 'little is shared');
    } finally {
      await viewer.close();
    }
  });

  it('leaves out nothing where all parts together are too large, nor for a file that was damaged meanwhile', async () => {
    const profiles = [syntheticProfile(50), { ...syntheticProfile(50), kernel: 'other' }, { ...syntheticProfile(50), kernel: 'third' }];
    const files = profiles.map((p, k) => folder.write(`large/${k}.nkiprof`, encodeNkiprof(p)));
    const shelf = await filesShelf(files, reading);
    const [a, b, c] = shelf.list();
    const { sizeBytes } = shelf.packedPart(b, 'first')!;
    const sent = async (mostBytes: number) => (await new SharedColumns(shelf, mostBytes).firstPart(b, [a]))?.sizeBytes ?? null;
    assert.equal(await sent(sizeBytes), null);
    assert.ok((await sent(3 * sizeBytes))! < sizeBytes);
    fs.writeFileSync(a.file, 'no profile');
    assert.equal(await sent(3 * sizeBytes), null);
    assert.ok((await new SharedColumns(shelf).firstPart(b, [a, c]))!.sizeBytes < sizeBytes, 'the third one is there');
  });

  it('gives parts of files of version 1, and of captures', async () => {
    const old = path.join(NKI_SCOPE_ROOT, 'test/fixtures/nkiprof/version1-matmul-tiled-trn2.nkiprof');
    const shelf = await filesShelf([old, folder.write('capture-in-parts.json', captureText())], reading);
    const viewer = await serve({ shelf, dist: folder.path('dist'), port: 0 });
    try {
      for (const { id: of } of shelf.list()) {
        const { bytes, isPacked } = await part(viewer, of, 'first');
        assert.ok(!isPacked);
        assert.ok(decodeFirst(bytes).profile.instructions.startNs.length > 0);
      }
    } finally {
      await viewer.close();
    }
  });

  it('stacks several files on one page, of any format, the first its own', async () => {
    const files = ['a', 'b<b>'].map(name => folder.path(`profiles/${name}.nkiprof`));
    const capture = folder.write('capture.json', captureText());
    const shelf = await filesShelf([...files, capture], reading);
    const stack = await serve({ shelf, dist: folder.path('dist'), port: 0 });
    try {
      const ids = shelf.list().map(profile => profile.id);
      assert.equal(new URL(stack.url).pathname, `/profile/${ids.join(',')}`);
      const page = (await ask(stack, `/profile/${ids.join(',')}`)).body.toString();
      assert.match(page, new RegExp(`<meta name="nki-scope-profile" content="/api/profile/${ids[0]}">`));
      const stacked = [...page.matchAll(/<meta name="nki-scope-stacked" content="([^"]+)" data-title="([^"]+)">/g)];
      assert.deepEqual(
        stacked.map(([, url, title]) => [url, title]),
        [
          [`/api/profile/${ids[1]}`, 'b&lt;b&gt;'],
          [`/api/profile/${ids[2]}`, 'capture.json'],
        ],
      );
      const measured = decodeProfile(new Uint8Array((await ask(stack, stacked[1][1])).body));
      assert.ok(measured.instructions.startNs.length > 0);
      assert.equal((await ask(stack, `/profile/${ids[0]},nobody`)).status, 404);
    } finally {
      await stack.close();
    }
  });

  it('has boxes in its list that lead to the stack of what is chosen', async () => {
    const list = JSON.parse((await ask(several, '/api/profiles')).body.toString()) as { id: string }[];
    const page = (await ask(several, '/')).body.toString();
    assert.equal((page.match(/<input type="checkbox" form="stack" name="profile"/g) ?? []).length, list.length);
    const chosen = await ask(several, `/stack?${list.map(profile => `profile=${profile.id}`).join('&')}`);
    assert.deepEqual([chosen.status, chosen.headers.location], [303, `/profile/${list.map(profile => profile.id).join(',')}`]);
    assert.equal((await ask(several, chosen.headers.location!)).status, 200);
    assert.equal((await ask(several, '/stack?profile=nobody')).headers.location, '/');
  });

  it('lists several, escapes their names and leaves out what is no profile', async () => {
    const page = (await ask(several, '/')).body.toString();
    assert.match(page, />a <span>/);
    assert.match(page, />b&lt;b&gt; <span>/);
    assert.doesNotMatch(page, /damaged|b<b>/);
    const style = /href="(\/assets\/[^"]+)"/.exec(page)![1];
    assert.equal((await ask(several, style)).status, 200);
    await assert.rejects(filesShelf([folder.path('profiles/damaged.nkiprof')], reading), InputError);
    assert.throws(() => folderShelf(folder.path('gone'), reading), UsageError);
  });

  it('says of each what it is, when it was made and how it looks, the newest first', async () => {
    fs.utimesSync(folder.path('profiles/a.nkiprof'), new Date(2025, 0, 2, 3, 4), new Date(2025, 0, 2, 3, 4));
    const page = (await ask(several, '/')).body.toString();
    assert.ok(page.indexOf('>b&lt;b&gt; <span>') < page.indexOf('>a <span>'));
    assert.match(page, /<span>\S+\.py: \w+ · [^<]*trn\d · [\d.]+\u00a0(ns|µs|ms)<\/span><\/a> <small>2025-01-02 03:04, /);
    const [, picture] = /<img src="([^"]+)" alt="">/.exec(page)!;
    const { status, headers, body } = await ask(several, picture);
    assert.deepEqual([status, headers['content-type']], [200, 'image/svg+xml']);
    assert.match(body.toString(), /^<svg [^>]*>(<rect [^>]*>)+<\/svg>$/);
    const policy = String((await ask(several, '/')).headers['content-security-policy']);
    assert.match(policy, /img-src 'self'/);
    assert.equal((await ask(several, '/picture/nobody')).status, 404);
  });

  it('sends a policy without unsafe-inline that fits its page, fresh each time, and nosniff', async () => {
    const [one, two] = [await ask(served, '/'), await ask(served, '/')];
    const policy = String(one.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    const nonce = /'nonce-([^']+)'/.exec(policy)![1];
    assert.ok(one.body.toString().includes(`<script nonce="${nonce}" src="/assets/main.js">`));
    assert.notEqual(two.headers['content-security-policy'], policy);
    for (const path of ['/', '/assets/main.js', '/api/profiles', '/nothing'])
      assert.equal((await ask(served, path)).headers['x-content-type-options'], 'nosniff', path);
  });

  it('knows nothing but its routes: no traversal, no unknown ids or assets', async () => {
    const paths = [
      '/assets/../secret.txt',
      '/assets/..%2fsecret.txt',
      '/assets/%2e%2e/secret.txt',
      '/../../../../etc/passwd',
      '/assets/main.js/../../secret.txt',
      '/assets/..\\secret.txt',
      '//assets/main.js',
      '/assets/main.js.map',
      '/assets/',
      '/api/profile/',
      '/api/profile/n_0000000000000000',
      `/api/profile/${id}/`,
      `/api/profile/${id}%00`,
      '/api/profile/../profiles',
      '/profile/n_1',
      '/__proto__',
      '/constructor',
      'http://127.0.0.1/assets/main.js',
    ];
    for (const path of paths) {
      const { status, body } = await ask(served, path);
      assert.equal(status, 404, path);
      assert.doesNotMatch(body.toString(), /secret|root:/, path);
    }
  });

  it('answers loopback names on any port, and nobody else', async () => {
    const own = `127.0.0.1:${served.port}`;
    const status = async (headers: Record<string, string>) => (await ask(served, `/api/profile/${id}`, { headers })).status;
    const { pathname, search } = new URL(served.url);
    for (const host of [own, 'localhost:8080', 'localhost', '[::1]:3001', '127.0.0.1']) assert.equal(await status({ host }), 200, host);
    for (const host of [
      'evil.example',
      'evil.example:3001',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '127.0.0.1@evil.example',
      '0.0.0.0:3001',
    ])
      assert.equal((await send(served.port, pathname + search, { headers: { host } })).status, 403, host);
    assert.equal(await status({ host: own, origin: `http://${own}` }), 200);
    for (const origin of ['http://evil.example', 'null', `http://${own}.evil.example`, 'http://127.0.0.1:9', `file://${own}`])
      assert.equal(await status({ host: own, origin }), 403, origin);
  });

  it('reads, and deletes nothing that its own list did not ask for', async () => {
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']) {
      const { status, headers } = await ask(served, `/api/profile/${id}`, { method });
      assert.deepEqual([status, headers.allow], [405, 'GET, HEAD, POST'], method);
    }
    for (const path of [`/delete/${id}`, `/profile/${id}`, '/delete/', '/'])
      assert.ok([403, 404].includes((await ask(several, path, { method: 'POST', body: 'token=guess' })).status), path);
    assert.equal((await ask(served, `/delete/${id}`, { method: 'POST', body: '' })).status, 404, 'a single file is not deleted');
    assert.equal((await ask(several, `/delete/${id}`, { method: 'POST', body: 'x'.repeat(1 << 16) })).status, 413);
    assert.equal((await ask(several, `/api/profile/${id}`)).status, 200);
    const head = await ask(served, '/assets/main.css', { method: 'HEAD' });
    assert.deepEqual([head.status, head.body.length, head.headers['content-length']], [200, 0, '3']);
  });

  it('shows profiles that come while it runs, and deletes from the list, with its token and from its own page only', async () => {
    const file = folder.write('live/first.nkiprof', encodeNkiprof(syntheticProfile(20)));
    const live = await serve({ shelf: folderShelf(folder.path('live'), reading), dist: folder.path('dist'), port: 0 });
    try {
      await ingest({ path: folder.path('profiles/a.nkiprof') }, { folder: folder.path('live'), name: 'second', force: false }, reading);
      const list = async () => JSON.parse((await ask(live, '/api/profiles')).body.toString()) as { id: string; name: string }[];
      assert.deepEqual(
        (await list()).map(({ name }) => name),
        ['second', 'first'],
        'the newest first',
      );
      const page = await ask(live, '/');
      assert.match(String(page.headers['content-security-policy']), /form-action 'self'/);
      const token = /name="token" value="([^"]+)"/.exec(page.body.toString())![1];
      const first = `/delete/${(await list()).find(({ name }) => name === 'first')!.id}`;
      const remove = (headers: Record<string, string>) => ask(live, first, { method: 'POST', body: `token=${token}`, headers });
      assert.equal((await remove({ origin: 'http://evil.example' })).status, 403);
      const done = await remove({ origin: `http://127.0.0.1:${live.port}` });
      assert.deepEqual([done.status, done.headers.location, fs.existsSync(file)], [303, '/', false]);
      assert.deepEqual(
        (await list()).map(({ name }) => name),
        ['second'],
      );
      await assert.rejects(
        ingest({ path: folder.path('profiles/a.nkiprof') }, { folder: folder.path('live'), name: 'second', force: false }, reading),
        /--force/,
      );
      await ingest({ path: folder.path('profiles/b<b>.nkiprof') }, { folder: folder.path('live'), name: 'second', force: true }, reading);
      for (const name of ['../out', 'a/b', '.hidden', ''])
        await assert.rejects(ingest({ path: file }, { folder: folder.path('live'), name, force: true }, reading), UsageError, name);
    } finally {
      await live.close();
    }
  });

  it('lists captures of a folder and of those below it, opens them, and deletes none', async () => {
    const p = syntheticProfile(30);
    folder.write('recorded/ours.nkiprof', encodeNkiprof(p));
    folder.write('recorded/capture.json', captureText());
    folder.write('recorded/package.json', '{"name": "x", "metadata": {"summary": [1]}}');
    folder.write('recorded/i-0_pid_7/broken.ntff', 'not one');
    folder.write('recorded/i-0_pid_7/1_vnc_0.ntff', ntffFile());
    const far = 'recorded/profiles/global/mlp@latest';
    for (const [name, bytes] of parquetFiles(p)) folder.write(`${far}/${name}`, bytes);
    for (const hidden of ['recorded/.cache', 'recorded/node_modules', 'recorded/a/b/c/d'])
      folder.write(`${hidden}/capture.json`, captureText());
    const captures = await serve({ shelf: folderShelf(folder.path('recorded'), reading), dist: folder.path('dist'), port: 0 });
    try {
      const list = async () => JSON.parse((await ask(captures, '/api/profiles')).body.toString()) as Record<string, string>[];
      const rows = await list();
      assert.deepEqual(rows.map(({ name, format }) => [name, format]).sort(), [
        ['capture', 'json'],
        ['i-0_pid_7/1_vnc_0', 'ntff'],
        ['ours', 'nkiprof'],
        ['profiles/global/mlp', 'parquet'],
      ]);
      for (const { id, name } of rows) {
        const { status, body } = await ask(captures, `/api/profile/${id}`);
        assert.equal(status, 200, name);
        assert.ok(decodeProfile(new Uint8Array(body)).totalTimeNs > 0, name);
      }
      const page = (await ask(captures, '/')).body.toString();
      assert.equal(page.match(/<button aria-label="Delete/g)?.length, 1);
      const token = /name="token" value="([^"]+)"/.exec(page)![1];
      const capture = rows.find(({ format }) => format === 'json')!;
      const headers = { origin: `http://127.0.0.1:${captures.port}` };
      assert.equal((await ask(captures, `/delete/${capture.id}`, { method: 'POST', body: `token=${token}`, headers })).status, 404);
      assert.ok(fs.existsSync(folder.path('recorded/capture.json')));
      folder.write('recorded/capture.json', [...jsonChunks(syntheticProfile(41))].join(''));
      assert.notEqual((await list()).find(({ format }) => format === 'json')!.id, capture.id, 'another one now');
      assert.equal((await ask(captures, `/api/profile/${capture.id}`)).status, 404);
    } finally {
      await captures.close();
    }
  });

  it('says why a profile has no values, and runs nothing for it', async () => {
    const place = `/api/values/${id}`;
    assert.match(JSON.parse((await ask(served, place)).body.toString()).reason, /does not say how its kernel was called/);
    const refused = await ask(served, place, { method: 'POST', body: 'instruction=0' });
    assert.match(JSON.parse(refused.body.toString()).refused, /does not say how/);
    for (const body of ['', 'instruction=-1', 'instruction=x', 'instruction=1e3'])
      assert.equal((await ask(served, place, { method: 'POST', body })).status, 400, body);
    assert.equal((await ask(served, '/api/values/none', { method: 'POST', body: 'instruction=0' })).status, 404);
    const elsewhere = await ask(served, place, { method: 'POST', headers: { origin: 'http://example.com' }, body: 'instruction=0' });
    assert.equal(elsewhere.status, 403);
  });

  it('takes the next free port when the one asked for is taken', async () => {
    const other = await serve({
      shelf: await filesShelf([folder.path('profiles/a.nkiprof')], reading),
      dist: folder.path('dist'),
      port: served.port,
    });
    try {
      assert.ok(other.port > served.port);
      assert.equal((await ask(other, '/')).status, 200);
    } finally {
      await other.close();
    }
  });

  it('says so when a profile was damaged since', async () => {
    const file = folder.write('late.nkiprof', encodeNkiprof(syntheticProfile(5)));
    const late = await serve({ shelf: await filesShelf([file], reading), dist: folder.path('dist'), port: 0 });
    try {
      folder.write('late.nkiprof', 'gone bad');
      const { status, body } = await ask(late, new URL(late.url).pathname.replace('/profile', '/api/profile'));
      assert.equal(status, 500);
      assert.match(body.toString(), /late\.nkiprof: not an \.nkiprof file/);
    } finally {
      await late.close();
    }
  });
});
