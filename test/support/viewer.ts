/** Asks a served viewer over HTTP: as its user, who opened the URL, or as anyone. */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { Served } from '../../src/cli/serve';

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

export interface Question {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** As bytes on the wire, with no cookie of its own: `path` is sent as it is, which fetch would tidy up. */
export function send(port: number, path: string, { method = 'GET', headers = {}, body = '' }: Question = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, headers }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }));
    });
    request.on('error', reject).end(body);
  });
}

/** The token's way in, as a browser goes it: the URL that is printed, then the cookie it gave. */
export async function enter({ port, url }: Served, headers: Record<string, string> = {}): Promise<string> {
  const { pathname, search } = new URL(url);
  const answer = await send(port, pathname + search, { headers });
  assert.equal(answer.status, 303);
  return answer.headers['set-cookie']![0].split(';')[0];
}

/** As the user who opened the URL, under the name of the host that is asked for. */
export async function ask(served: Served, path: string, question: Question = {}): Promise<Answer> {
  const { host } = question.headers ?? {};
  const cookie = await enter(served, host ? { host } : {});
  return send(served.port, path, { ...question, headers: { cookie, ...question.headers } });
}
