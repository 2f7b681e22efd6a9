/** Who may use the served viewer: every address of its table, asked by another user of the machine and by pages of other sites. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { folderShelf } from '../../src/cli/profileShelf';
import { Reading } from '../../src/cli/reading';
import { type Route, Routes } from '../../src/cli/routes';
import { type Served, serve } from '../../src/cli/serve';
import { valuesSource } from '../../src/cli/values';
import { NOT_ADMITTED } from '../../src/cli/viewerAccess';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { DIST } from '../support/built';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';
import { ask, enter, type Question, send } from '../support/viewer';

describe('access to the served viewer', () => {
  const folder = temporaryFolder();
  const file = () => folder.path('profiles/a.nkiprof');
  let served: Served;
  let other: Served;
  let table: readonly Route[];
  let id = '';

  before(async () => {
    folder.write('profiles/a.nkiprof', encodeNkiprof(syntheticProfile(50)));
    for (const name of ['main.js', 'main.css']) folder.write(`dist/webview/${name}`, name);
    const shelf = folderShelf(folder.path('profiles'), new Reading({ dist: DIST }));
    const values = valuesSource(shelf, folder.path('dist'));
    table = new Routes(shelf, folder.path('dist/webview'), values).table;
    values.close();
    id = shelf.list()[0].id;
    const viewer = () => serve({ shelf, dist: folder.path('dist'), port: 0 });
    [served, other] = [await viewer(), await viewer()];
  });
  after(() => Promise.all([served?.close(), other?.close()]));

  const addressOf = ({ place, of }: Route) => (of ? place + id : place);
  const tokenOf = ({ url }: Served) => new URL(url).searchParams.get('token')!;

  async function refused(path: string, question: Question, who: string) {
    const { status, headers, body } = await send(served.port, path, question);
    assert.deepEqual([status, body.toString(), headers['set-cookie']], [403, `${NOT_ADMITTED}\n`, undefined], `${path}: ${who}`);
  }

  it('has every address in its table', () => {
    const places = table.map(({ method, place }) => `${method} ${place}`);
    for (const known of ['GET /', 'GET /assets/main.js', 'GET /api/profile/', 'GET /profile/', 'POST /api/values/', 'POST /delete/'])
      assert.ok(places.includes(known), known);
  });

  it('is refused to whoever does not have the token, at every address and with every method', async () => {
    const own = await enter(served);
    const [name, token] = own.split('=');
    const strangers: Record<string, string> = {
      'another value': `${name}=${'A'.repeat(token.length)}`,
      'no value': `${name}=`,
      'the beginning of it': own.slice(0, -1),
      'more than it': `${own}A`,
      'under the name of another port': `nki-scope-1=${token}`,
      'as a part of another name': `x${own}`,
      'the cookie of another viewer': await enter(other),
      'the token of another viewer': `${name}=${tokenOf(other)}`,
    };
    for (const route of table)
      for (const method of [route.method, 'DELETE', 'PUT', 'OPTIONS']) {
        const path = addressOf(route);
        await refused(path, { method }, `${method} without a cookie`);
        for (const [who, cookie] of Object.entries(strangers))
          await refused(path, { method, headers: { cookie } }, `${method} with ${who}`);
        for (const wrong of ['', 'guess', tokenOf(other), encodeURIComponent(`${token}\0`)])
          await refused(`${path}?token=${wrong}`, { method }, `${method} with the token ${wrong}`);
      }
    const head = await send(served.port, '/', { method: 'HEAD' });
    assert.deepEqual([head.status, head.body.length], [403, 0]);
    await refused('/', { headers: { connection: 'upgrade', upgrade: 'websocket' } }, 'a web socket');
    await refused('/nothing/here', {}, 'an address that is not there: nobody learns that');
    assert.ok(fs.existsSync(file()));
  });

  it('takes the token from those who read only: a form of another site brings no way in', async () => {
    for (const route of table.filter(({ method }) => method === 'POST'))
      await refused(`${addressOf(route)}?token=${tokenOf(served)}`, { method: 'POST' }, 'POST with the token');
  });

  it('is refused to other hosts and origins, whatever they know, at every address', async () => {
    const cookie = await enter(served);
    const own = `127.0.0.1:${served.port}`;
    for (const { method, ...route } of table) {
      const path = addressOf({ method, ...route });
      const foreign: Record<string, string>[] = [
        { host: 'evil.example' },
        { host: `evil.example:${served.port}` },
        { host: own, origin: 'http://evil.example' },
        { host: own, origin: 'null' },
        { host: own, origin: `http://127.0.0.1:${other.port}` },
      ];
      for (const headers of foreign)
        for (const query of ['', `?token=${tokenOf(served)}`]) {
          const { status, headers: answered } = await send(served.port, path + query, { method, headers: { cookie, ...headers } });
          assert.deepEqual([status, answered['set-cookie']], [403, undefined], `${method} ${path}${query} ${JSON.stringify(headers)}`);
        }
    }
    assert.ok(fs.existsSync(file()));
  });

  it('is given at every address to who opened the URL', async () => {
    for (const route of table) {
      const { status, body } = await ask(served, addressOf(route), { method: route.method, body: '' });
      assert.notEqual(body.toString(), `${NOT_ADMITTED}\n`, `${route.method} ${route.place}`);
      assert.ok(status < 500, `${route.method} ${route.place}: ${status}`);
    }
    assert.ok(fs.existsSync(file()), 'deleting asks for the list’s own token, too');
  });

  it('exchanges the token for a cookie of its port and leads to the address without it', async () => {
    assert.ok(Buffer.from(tokenOf(served), 'base64url').length >= 16);
    assert.notEqual(tokenOf(served), tokenOf(other));
    const token = tokenOf(served);
    const { status, headers } = await send(served.port, `/stack?profile=${id}&token=${token}&profile=x`);
    assert.deepEqual([status, headers.location], [303, `/stack?profile=${id}&profile=x`]);
    assert.deepEqual(headers['set-cookie'], [`nki-scope-${served.port}=${token}; Path=/; HttpOnly; SameSite=Strict`]);
    assert.deepEqual([headers['cache-control'], headers['referrer-policy']], ['no-store', 'no-referrer']);
    const forwarded = await send(served.port, `/?token=${token}`, { headers: { host: 'localhost:8080' } });
    assert.match(forwarded.headers['set-cookie']![0], /^nki-scope-8080=/);
    for (const path of ['//evil.example/', '///evil.example', 'http://evil.example/']) {
      const { location } = (await send(served.port, `${path}?token=${token}`)).headers;
      assert.equal(new URL(location!, served.url).host, new URL(served.url).host, path);
    }
  });

  it('behind a link of another site lets a page of its own go on, for redirects bring no strict cookie', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const answer = await send(served.port, `/?token=${tokenOf(served)}`, { headers });
    assert.deepEqual([answer.status, answer.headers['refresh']], [200, '0; url=/']);
    assert.match(answer.headers['set-cookie']![0], /SameSite=Strict$/);
    await refused('/', { headers }, 'without the token');
  });

  it('is kept by two viewers in one browser side by side', async () => {
    const cookie = `${await enter(other)}; ${await enter(served)}; theme=dark`;
    for (const { port } of [served, other]) assert.equal((await send(port, '/', { headers: { cookie } })).status, 200);
  });

  it('sends a policy that allows nothing, and nothing to keep, with whatever is no page', async () => {
    for (const path of ['/', '/nothing', '/api/profiles', `/api/profile/${id}`, '/assets/main.js'])
      for (const { headers } of [await send(served.port, path), await ask(served, path)]) {
        const policy = String(headers['content-security-policy']);
        for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) assert.ok(policy.includes(part), path);
        assert.match(policy, path === '/' ? /form-action '(none|self)'/ : /form-action 'none'/);
        assert.deepEqual([headers['cache-control'], headers['x-frame-options']], ['no-store', 'DENY'], path);
        assert.match(String(headers['referrer-policy']), path === '/' ? /^(no-referrer|same-origin)$/ : /^no-referrer$/);
      }
  });
});
