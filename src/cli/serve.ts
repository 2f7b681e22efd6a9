/**
 * The viewer over HTTP, on the loopback address only: listens, guards, answers. What is answered is `routes.ts`.
 *
 * A page of another site cannot use it: requests must name a loopback host (no DNS rebinding) and, where a browser sends
 * an origin, our own. Nor can another user of the machine: requests must have the token of the URL (`viewerAccess.ts`).
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './errors';
import type { Shelf } from './profileShelf';
import { plain, type Reply } from './reply';
import { pagePath, Routes } from './routes';
import { valuesSource } from './values';
import { NOT_ADMITTED, ViewerAccess } from './viewerAccess';

export interface Served {
  port: number;
  /** Of the first page, with its token, which allows to read and delete. */
  url: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
/** Ports tried after the one asked for. */
const MORE_PORTS = 50;
/** More than the largest body that any request of ours has: questions about a line name its file, each once. */
const MAX_BODY_BYTES = 32 * 1024;

export async function serve({ shelf, dist, port }: { shelf: Shelf; dist: string; port: number }): Promise<Served> {
  const values = valuesSource(shelf, dist);
  const routes = new Routes(shelf, path.join(dist, 'webview'), values);
  const access = new ViewerAccess();
  const server = http.createServer((request, response) => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    void answer({ routes, access }, request, gone.signal).then(reply => send(reply, response, request.method === 'HEAD'));
  });
  await listen(server, port);
  const actual = (server.address() as AddressInfo).port;
  const page = shelf.remove ? '/' : pagePath(shelf.list());
  return {
    port: actual,
    url: `http://${HOST}:${actual}${access.invitation(page)}`,
    close: () =>
      new Promise(resolve => {
        values.close();
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
  // pages have one of their own; nothing else may do anything where it is opened by itself
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

async function send({ status, type, headers, body }: Reply, response: http.ServerResponse, onlyHead: boolean): Promise<void> {
  const whole = typeof body === 'string' || body instanceof Uint8Array;
  const length = whole ? { 'content-length': Buffer.byteLength(body) } : {};
  response.writeHead(status, { ...SECURITY_HEADERS, 'content-type': type, ...length, ...headers });
  if (onlyHead) response.end();
  else if (whole) response.end(body);
  // a fault, or a page that went away, cuts the answer short: the page says so
  else await pipeline(body, response).catch(() => response.destroy());
}

interface Guarded {
  routes: Routes;
  access: ViewerAccess;
}

async function answer({ routes, access }: Guarded, request: http.IncomingMessage, signal: AbortSignal): Promise<Reply> {
  const { method, headers } = request;
  if (!fromHere(headers)) return plain(403, 'only for pages of this machine');
  const [place, search] = (request.url ?? '').split('?', 2);
  const query = new URLSearchParams(search);
  const reads = method === 'GET' || method === 'HEAD';
  const entry = reads ? access.exchange(headers, place, query) : null;
  if (entry) return entry;
  if (!access.admits(headers)) return plain(403, NOT_ADMITTED);
  if (!reads && method !== 'POST') return plain(405, 'only GET, HEAD and POST', { allow: 'GET, HEAD, POST' });
  try {
    const body = reads ? '' : await bodyOf(request);
    if (body === null) return plain(413, 'too large');
    return await routes.answer(reads ? 'GET' : 'POST', place, { query, form: new URLSearchParams(body), signal });
  } catch (error) {
    // a file changed or went away
    return plain(500, error instanceof Error ? error.message : String(error));
  }
}

/** null when it is larger than any of ours. */
async function bodyOf(request: http.IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The port may be another one: editors and ssh forward it. */
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/;

function fromHere({ host, origin }: http.IncomingHttpHeaders): boolean {
  if (!host || !LOOPBACK.test(host)) return false;
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}
