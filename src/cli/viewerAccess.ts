/**
 * Access to the served viewer: only with the URL that was printed. Every user of the machine reaches the loopback address, so each
 * request must prove it. The URL carries a token; opening it exchanges the token for a cookie and leads to the same address without it.
 * Which hosts and origins may ask is `serve.ts`.
 *
 * Browsers send a cookie to every port of its host: a page of another port receives it once the user opens that page.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { plain, type Reply } from './reply';

const TOKEN_BYTES = 32;
const TOKEN_FIELD = 'token';

export const NOT_ADMITTED = 'Open the URL that nki-scope printed in the terminal: only who has it may use this viewer.';

export const newToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

/** In constant time: digests have one length. */
export function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

export class ViewerAccess {
  private readonly token = newToken();

  /** Path and query of the URL that gives access. */
  invitation(place: string): string {
    return `${place}?${new URLSearchParams({ [TOKEN_FIELD]: this.token })}`;
  }

  /** By the cookie. */
  admits({ host, cookie = '' }: IncomingHttpHeaders): boolean {
    const name = cookieName(host);
    // there may be several of one name: any page of this host can set them
    return cookie.split(/; */).some(pair => pair.startsWith(`${name}=`) && isSame(pair.slice(name.length + 1), this.token));
  }

  /** The way in, for a request to read that has the token in its query; null for any other. */
  exchange(headers: IncomingHttpHeaders, place: string, query: URLSearchParams): Reply | null {
    if (!isSame(query.get(TOKEN_FIELD) ?? '', this.token)) return null;
    const rest = new URLSearchParams(query);
    rest.delete(TOKEN_FIELD);
    // one slash in front: `//host` would be another site
    const clean = `/${place.replace(/^\/+/, '')}${rest.size > 0 ? `?${rest}` : ''}`;
    const cookie = { 'set-cookie': `${cookieName(headers.host)}=${this.token}; Path=/; HttpOnly; SameSite=Strict` };
    // behind a link of another site, as in a terminal inside a page, a redirect would not bring the cookie along: a page of ours does
    return headers['sec-fetch-site'] === 'cross-site'
      ? plain(200, 'Opening the viewer.', { ...cookie, refresh: `0; url=${clean}` })
      : plain(303, 'Opening the viewer.', { ...cookie, location: clean });
  }
}

/** With the port as the browser knows it: cookies of a host are shared by all of its ports, and each viewer has its own. */
const cookieName = (host = '') => `nki-scope-${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
