/**
 * The viewer over HTTP: the same webview bundle that VS Code shows, on the loopback address only. Read-only, with a fixed
 * table of routes made when it starts: no part of a request's path ever becomes a file name.
 *
 * A page of another site cannot use it: requests must name a loopback host (no DNS rebinding) and, where a browser sends
 * an origin, our own. It does not authenticate: every program of this user's machine may read the profiles.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { FormatError, NKIPROF_EXTENSION, nkiprofId } from '../simulator/index';
import { contentSecurityPolicy, pageHtml } from '../webview/protocol/page';
import { InputError, UsageError } from './errors';
import { LIST_STYLE, LIST_STYLE_PATH, listHtml } from './listPage';
import { readContainer, readFile } from './profileFile';

export interface ServedProfile {
  id: string;
  /** File name. */
  name: string;
  file: string;
  sizeBytes: number;
}

export interface Served {
  port: number;
  url: string;
  close(): Promise<void>;
}

interface Reply {
  status: number;
  type: string;
  body: string | Uint8Array;
  headers?: Record<string, string>;
}

type Route = () => Reply;

const HOST = '127.0.0.1';
/** Ports tried after the one asked for. */
const MORE_PORTS = 50;

const ASSET_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/** Profiles of a folder by name; files that are none are left out. @throws UsageError, InputError when there is nothing to show. */
export function profilesIn(from: { file: string } | { folder: string }): ServedProfile[] {
  if ('file' in from) return [describe(from.file)];
  const { folder } = from;
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError(`-d ${folder}: not a folder`);
  const files = fs.readdirSync(folder).filter(name => name.endsWith(NKIPROF_EXTENSION));
  const profiles = files.sort().flatMap(name => {
    try {
      return [describe(path.join(folder, name))];
    } catch (error) {
      if (error instanceof InputError) return [];
      throw error;
    }
  });
  if (profiles.length === 0) throw new UsageError(`-d ${folder}: no ${NKIPROF_EXTENSION} file in it`);
  return profiles;
}

function describe(file: string): ServedProfile {
  const bytes = readFile(file);
  try {
    return { id: nkiprofId(bytes), name: path.basename(file), file, sizeBytes: bytes.length };
  } catch (error) {
    if (error instanceof FormatError) throw new InputError(`${file}: ${error.message}`);
    throw error;
  }
}

export async function serve({ profiles, dist, port }: { profiles: ServedProfile[]; dist: string; port: number }): Promise<Served> {
  const routes = routeTable(profiles, path.join(dist, 'webview'));
  const server = http.createServer((request, response) => {
    const reply = answer(routes, request);
    response.writeHead(reply.status, {
      ...SECURITY_HEADERS,
      'content-type': reply.type,
      'content-length': Buffer.byteLength(reply.body),
      ...reply.headers,
    });
    response.end(request.method === 'HEAD' ? undefined : reply.body);
  });
  await listen(server, port);
  const actual = (server.address() as AddressInfo).port;
  const page = profiles.length === 1 ? `profile/${profiles[0].id}` : '';
  return {
    port: actual,
    url: `http://${HOST}:${actual}/${page}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: http.Server, port: number): Promise<void> {
  for (let next = port; ; next++) {
    const error = await new Promise<NodeJS.ErrnoException | null>(resolve => {
      server.once('error', resolve).listen(next, HOST, () => {
        server.removeListener('error', resolve);
        resolve(null);
      });
    });
    if (!error) return;
    if (error.code !== 'EADDRINUSE' || next >= port + MORE_PORTS || next >= 65535)
      throw new UsageError(`cannot listen on port ${next}: ${error.message}`);
  }
}

const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

const plain = (status: number, body: string, headers?: Record<string, string>): Reply => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${body}\n`,
  headers: { 'content-security-policy': "default-src 'none'", ...headers },
});

/** Exact paths only. */
function routeTable(profiles: ServedProfile[], assets: string): Map<string, Route> {
  const routes = new Map<string, Route>();
  for (const { id, name, file } of profiles) {
    routes.set(`/profile/${id}`, () => profilePage(id, name));
    routes.set(`/api/profile/${id}`, () => ({ status: 200, type: 'application/octet-stream', body: readContainer(file) }));
  }
  routes.set('/', profiles.length === 1 ? routes.get(`/profile/${profiles[0].id}`)! : () => listPage(profiles));
  routes.set(LIST_STYLE_PATH, () => ({ status: 200, type: ASSET_TYPES['.css'], body: LIST_STYLE }));
  const list = profiles.map(({ id, name, sizeBytes }) => ({ id, name, size_bytes: sizeBytes }));
  routes.set('/api/profiles', () => ({ status: 200, type: 'application/json; charset=utf-8', body: JSON.stringify(list) }));
  for (const name of fs.existsSync(assets) ? fs.readdirSync(assets) : []) {
    const type = ASSET_TYPES[path.extname(name)];
    if (type) routes.set(`/assets/${name}`, () => ({ status: 200, type, body: fs.readFileSync(path.join(assets, name)) }));
  }
  return routes;
}

function html(body: string, policy: string): Reply {
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    body,
    headers: { 'content-security-policy': `${policy}; frame-ancestors 'none'` },
  };
}

function profilePage(id: string, name: string): Reply {
  const nonce = randomBytes(18).toString('base64');
  const page = { cspSource: "'self'", nonce, profileUrl: `/api/profile/${id}` };
  return html(
    pageHtml({ ...page, scriptUri: '/assets/main.js', styleUri: '/assets/main.css', title: `${name} - NKI Scope` }),
    contentSecurityPolicy(page),
  );
}

const listPage = (profiles: ServedProfile[]) =>
  html(listHtml(profiles), "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'");

function answer(routes: Map<string, Route>, request: http.IncomingMessage): Reply {
  if (!fromHere(request.headers)) return plain(403, 'only for pages of this machine');
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'only GET and HEAD', { allow: 'GET, HEAD' });
  const route = routes.get((request.url ?? '').split('?', 1)[0]);
  if (!route) return plain(404, 'not found');
  try {
    return route();
  } catch (error) {
    // The file changed or went away since the server started.
    return plain(500, error instanceof Error ? error.message : String(error));
  }
}

/** The port may be another one: editors and ssh forward it. */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

function fromHere({ host, origin }: http.IncomingHttpHeaders): boolean {
  if (!host || !LOOPBACK.test(host)) return false;
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}
