/**
 * What the served viewer answers: its pages, its bundle's files, the profiles, values of their instructions. Paths are compared whole, assets come from a list
 * made at the start: no part of a request ever becomes a file name. Deleting needs the token of a list page that we made.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { contentSecurityPolicy, pageHtml } from '../webview/protocol/page';
import { LIST_STYLE, LIST_STYLE_PATH, listHtml, STACK_FIELD, STACK_PATH } from './listPage';
import type { Shelf, ShelvedProfile } from './profileShelf';
import type { ValuesSource } from './values';

export interface Reply {
  status: number;
  type: string;
  /** What is not at hand yet comes piece by piece. */
  body: string | Uint8Array | AsyncIterable<Uint8Array>;
  headers?: Record<string, string>;
}

const ASSET_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};
const DATA = '/api/profile/';
const VALUES = '/api/values/';
const JSON_TYPE = 'application/json; charset=utf-8';

const json = (value: unknown): Reply => ({ status: 200, type: JSON_TYPE, body: JSON.stringify(value) });

export const plain = (status: number, body: string, headers?: Record<string, string>): Reply => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${body}\n`,
  headers: { 'content-security-policy': "default-src 'none'", ...headers },
});

const notFound = () => plain(404, 'not found');

export class Routes {
  private readonly assets = new Map<string, { file: string; type: string }>();
  private readonly token = randomBytes(18).toString('base64url');

  constructor(
    private readonly shelf: Shelf,
    assets: string,
    private readonly values: ValuesSource,
  ) {
    for (const name of fs.existsSync(assets) ? fs.readdirSync(assets) : []) {
      const type = ASSET_TYPES[path.extname(name)];
      if (type) this.assets.set(`/assets/${name}`, { file: path.join(assets, name), type });
    }
  }

  async get(place: string, query: string): Promise<Reply> {
    if (place === '/') return this.start();
    if (place === LIST_STYLE_PATH) return { status: 200, type: ASSET_TYPES['.css'], body: LIST_STYLE };
    const asset = this.assets.get(place);
    if (asset) return { status: 200, type: asset.type, body: fs.readFileSync(asset.file) };
    if (place === '/api/profiles') return this.listJson();
    const shown = this.findAll(place);
    if (shown.length > 0) return profilePage(shown);
    if (place === STACK_PATH) return this.chosen(new URLSearchParams(query).getAll(STACK_FIELD));
    const asked = this.find(place, VALUES);
    if (asked) return json({ reason: await this.values.obstacle(asked) });
    const data = this.find(place, DATA);
    return data ? { status: 200, type: 'application/octet-stream', body: await this.shelf.container(data) } : notFound();
  }

  /** @param signal aborts when nobody waits for the answer any more */
  async post(place: string, body: string, signal: AbortSignal): Promise<Reply> {
    const asked = this.find(place, VALUES);
    if (asked) return this.instructionValues(asked, new URLSearchParams(body).get('instruction') ?? '', signal);
    const profile = this.find(place, '/delete/');
    if (!profile || !this.shelf.remove) return notFound();
    if (!isSame(new URLSearchParams(body).get('token') ?? '', this.token)) return plain(403, 'not asked from the list of profiles');
    this.shelf.remove(profile);
    return { ...plain(303, 'deleted'), headers: { location: '/' } };
  }

  private instructionValues(of: ShelvedProfile, instruction: string, signal: AbortSignal): Reply {
    if (!/^\d{1,9}$/.test(instruction)) return plain(400, 'instruction: a number');
    return { status: 200, type: 'application/octet-stream', body: this.values.answer(of, Number(instruction), signal) };
  }

  private find(place: string, prefix: string): ShelvedProfile | undefined {
    return place.startsWith(prefix) ? this.shelf.list().find(({ id }) => place === prefix + id) : undefined;
  }

  /** Of `/profile/a` or `/profile/a,b,c`; none unless all are here. */
  private findAll(place: string): ShelvedProfile[] {
    if (!place.startsWith(PROFILE)) return [];
    const all = this.shelf.list();
    const found = place
      .slice(PROFILE.length)
      .split(',')
      .map(wanted => all.find(({ id }) => id === wanted));
    return found.every(profile => profile !== undefined) ? found : [];
  }

  /** From the list's boxes to the page that has them. */
  private chosen(ids: readonly string[]): Reply {
    const profiles = this.shelf.list().filter(({ id }) => ids.includes(id));
    return { ...plain(303, 'chosen'), headers: { location: profiles.length === 0 ? '/' : pagePath(profiles) } };
  }

  private start(): Reply {
    const profiles = this.shelf.list();
    if (!this.shelf.remove) return profilePage(profiles);
    const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'";
    const page = html(listHtml(profiles, this.token), policy);
    // without a referrer its own forms would come from nowhere
    return { ...page, headers: { ...page.headers, 'referrer-policy': 'same-origin' } };
  }

  private listJson(): Reply {
    const rows = this.shelf.list().map(({ id, name, sizeBytes }) => ({ id, name, size_bytes: sizeBytes }));
    return json(rows);
  }
}

function isSame(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

function html(body: string, policy: string): Reply {
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    body,
    headers: { 'content-security-policy': `${policy}; frame-ancestors 'none'` },
  };
}

const PROFILE = '/profile/';

/** One page of these: the first, and the others stacked below it. */
export const pagePath = (profiles: readonly ShelvedProfile[]) => PROFILE + profiles.map(({ id }) => id).join(',');

function profilePage([{ id, name }, ...others]: readonly ShelvedProfile[]): Reply {
  const nonce = randomBytes(18).toString('base64');
  const stacked = others.map(other => ({ title: other.name, url: DATA + other.id }));
  const page = { cspSource: "'self'", nonce, profileUrl: DATA + id, stacked, valuesUrl: VALUES + id };
  return html(
    pageHtml({ ...page, scriptUri: '/assets/main.js', styleUri: '/assets/main.css', title: `${name} - NKI Scope` }),
    contentSecurityPolicy(page),
  );
}
