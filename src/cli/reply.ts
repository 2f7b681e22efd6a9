/** An answer of the served viewer: a status, a body, and headers in addition to those of every answer (`serve.ts`). */

export interface Reply {
  status: number;
  type: string;
  /** The body can come in pieces. */
  body: string | Uint8Array | AsyncIterable<Uint8Array>;
  headers?: Record<string, string>;
}

export const json = (value: unknown): Reply => ({ status: 200, type: 'application/json; charset=utf-8', body: JSON.stringify(value) });

export const plain = (status: number, body: string, headers?: Record<string, string>): Reply => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${body}\n`,
  headers,
});

/** @param policy its Content-Security-Policy, without frame-ancestors, which is 'none' */
export const html = (body: string, policy: string, headers?: Record<string, string>): Reply => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  body,
  headers: { 'content-security-policy': `${policy}; frame-ancestors 'none'`, ...headers },
});
