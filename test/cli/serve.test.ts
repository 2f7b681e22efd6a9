import assert from 'node:assert/strict';
import http from 'node:http';
import { InputError, UsageError } from '../../src/cli/errors';
import { profilesIn, type Served, serve } from '../../src/cli/serve';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { decodeProfile } from '../../src/simulator/index';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** As bytes on the wire: `path` is sent as it is, which fetch would tidy up. */
function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, headers }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }));
    });
    request.on('error', reject).end();
  });
}

describe('served viewer', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
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
    const profiles = profilesIn({ file });
    id = profiles[0].id;
    served = await serve({ profiles, dist: folder.path('dist'), port: 0 });
    several = await serve({ profiles: profilesIn({ folder: folder.path('profiles') }), dist: folder.path('dist'), port: 0 });
  });
  after(() => Promise.all([served.close(), several.close()]));

  it('serves page, bundle, list and profile', async () => {
    const page = await ask(served.port, new URL(served.url).pathname);
    assert.equal(page.status, 200);
    assert.match(page.body.toString(), new RegExp(`<meta name="nki-scope-profile" content="/api/profile/${id}">`));
    assert.deepEqual((await ask(served.port, '/')).status, 200);
    const script = await ask(served.port, '/assets/main.js');
    assert.deepEqual([script.body.toString(), script.headers['content-type']], ['js', 'text/javascript; charset=utf-8']);
    const list = JSON.parse((await ask(served.port, '/api/profiles')).body.toString());
    assert.deepEqual([list.length, list[0].id, list[0].name], [1, id, 'a.nkiprof']);
    const profile = await ask(served.port, `/api/profile/${id}`);
    assert.deepEqual(decodeProfile(new Uint8Array(profile.body)), syntheticProfile(50));
  });

  it('lists several, escapes their names and leaves out what is no profile', async () => {
    const page = (await ask(several.port, '/')).body.toString();
    assert.match(page, />a\.nkiprof<\/a>/);
    assert.match(page, />b&lt;b&gt;\.nkiprof<\/a>/);
    assert.doesNotMatch(page, /damaged|b<b>/);
    const style = /href="(\/assets\/[^"]+)"/.exec(page)![1];
    assert.equal((await ask(several.port, style)).status, 200);
    assert.throws(() => profilesIn({ file: folder.path('profiles/damaged.nkiprof') }), InputError);
    assert.throws(() => profilesIn({ folder: folder.path('dist') }), UsageError);
  });

  it('sends a policy without unsafe-inline that fits its page, fresh each time, and nosniff', async () => {
    const [one, two] = [await ask(served.port, '/'), await ask(served.port, '/')];
    const policy = String(one.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    const nonce = /'nonce-([^']+)'/.exec(policy)![1];
    assert.ok(one.body.toString().includes(`<script nonce="${nonce}" src="/assets/main.js">`));
    assert.notEqual(two.headers['content-security-policy'], policy);
    for (const path of ['/', '/assets/main.js', '/api/profiles', '/nothing'])
      assert.equal((await ask(served.port, path)).headers['x-content-type-options'], 'nosniff', path);
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
      const { status, body } = await ask(served.port, path);
      assert.equal(status, 404, path);
      assert.doesNotMatch(body.toString(), /secret|root:/, path);
    }
  });

  it('answers loopback names on any port, and nobody else', async () => {
    const own = `127.0.0.1:${served.port}`;
    const status = async (headers: Record<string, string>) => (await ask(served.port, `/api/profile/${id}`, { headers })).status;
    for (const host of [own, 'localhost:8080', 'localhost', '[::1]:3001', '127.0.0.1']) assert.equal(await status({ host }), 200, host);
    for (const host of [
      'evil.example',
      'evil.example:3001',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '127.0.0.1@evil.example',
      '0.0.0.0:3001',
    ])
      assert.equal(await status({ host }), 403, host);
    assert.equal(await status({ host: own, origin: `http://${own}` }), 200);
    for (const origin of ['http://evil.example', 'null', `http://${own}.evil.example`, 'http://127.0.0.1:9', `file://${own}`])
      assert.equal(await status({ host: own, origin }), 403, origin);
  });

  it('only reads', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE']) {
      const { status, headers } = await ask(served.port, `/api/profile/${id}`, { method });
      assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'], method);
    }
    const head = await ask(served.port, '/assets/main.css', { method: 'HEAD' });
    assert.deepEqual([head.status, head.body.length, head.headers['content-length']], [200, 0, '3']);
  });

  it('takes the next free port when the one asked for is taken', async () => {
    const other = await serve({
      profiles: profilesIn({ file: folder.path('profiles/a.nkiprof') }),
      dist: folder.path('dist'),
      port: served.port,
    });
    try {
      assert.ok(other.port > served.port);
      assert.equal((await ask(other.port, '/')).status, 200);
    } finally {
      await other.close();
    }
  });

  it('says so when a profile was damaged since', async () => {
    const file = folder.write('late.nkiprof', encodeNkiprof(syntheticProfile(5)));
    const late = await serve({ profiles: profilesIn({ file }), dist: folder.path('dist'), port: 0 });
    try {
      folder.write('late.nkiprof', 'gone bad');
      const { status, body } = await ask(late.port, new URL(late.url).pathname.replace('/profile', '/api/profile'));
      assert.equal(status, 500);
      assert.match(body.toString(), /late\.nkiprof: not an \.nkiprof file/);
    } finally {
      await late.close();
    }
  });
});
