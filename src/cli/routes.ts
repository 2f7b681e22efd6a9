/**
 * What the served viewer answers: its pages, its bundle's files, the profiles, values of their instructions. Every address is a row of one table
 * and is compared whole; assets come from a list made at the start: no part of a request ever becomes a file name. Deleting needs the
 * token of a list page that we made.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { firstPart, type PackedPart, slicesPart } from '../simulator/index';
import {
  BESIDE,
  contentSecurityPolicy,
  FIRST_PART,
  INFLATED_BYTES,
  PART,
  type PageLink,
  pageHtml,
  SHARES,
  SLICES_PART,
} from '../webview/protocol/page';
import { askedOf, type ExperimentsSource, experimentsSource } from './experiments';
import { Glances } from './glances';
import { LIST_STYLE, LIST_STYLE_PATH, listHtml, PICTURE_PATH, STACK_FIELD, STACK_PATH } from './listPage';
import type { Shelf, ShelvedProfile } from './profileShelf';
import { listedRuns, rankLinks } from './rankLinks';
import { html, json, plain, type Reply } from './reply';
import { SharedColumns } from './sharedColumns';
import type { ValuesSource } from './values';
import { isSame, newToken } from './viewerAccess';

/** Of a request, what answers depend on beside its method and address. */
export interface RouteRequest {
  query: URLSearchParams;
  /** Of a POST; empty otherwise. */
  form: URLSearchParams;
  /** Aborts when the client has closed the connection. */
  signal: AbortSignal;
}

export interface Route {
  method: 'GET' | 'POST';
  /** The whole path; with `of`, what stands before the id of a profile, or before several with commas between them. */
  place: string;
  of?: 'profile' | 'profiles';
  /** @param profiles that the path names; at least one with `of`, none without */
  answer(profiles: readonly ShelvedProfile[], asked: RouteRequest): Reply | Promise<Reply>;
}

const ASSET_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};
const PROFILE = '/profile/';
const DATA = '/api/profile/';
const VALUES = '/api/values/';
const EXPERIMENTS = '/api/experiments/';
const BYTES = 'application/octet-stream';

const NO_ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>';

const notFound = () => plain(404, 'not found');

export class Routes {
  readonly table: readonly Route[];
  private readonly formToken = newToken();
  private readonly experiments: ExperimentsSource;
  private readonly glances: Glances;
  private readonly shared: SharedColumns;
  /** What the last first part is of: a page asks for the second one next. */
  private cut: { id: string; container: Uint8Array } | null = null;

  /** @param assets folder of the page's bundle */
  constructor(
    private readonly shelf: Shelf,
    assets: string,
    private readonly values: ValuesSource,
  ) {
    this.experiments = experimentsSource(shelf);
    this.glances = new Glances(shelf.reading);
    this.shared = new SharedColumns(shelf);
    this.table = [
      { method: 'GET', place: '/', answer: () => this.start() },
      { method: 'GET', place: LIST_STYLE_PATH, answer: () => ({ status: 200, type: ASSET_TYPES['.css'], body: LIST_STYLE }) },
      ...assetRoutes(assets),
      { method: 'GET', place: '/api/profiles', answer: () => this.listJson() },
      { method: 'GET', place: PROFILE, of: 'profiles', answer: profiles => this.page(profiles) },
      // a browser asks for it by itself where a page may show pictures
      { method: 'GET', place: '/favicon.ico', answer: () => ({ status: 200, type: ASSET_TYPES['.svg'], body: NO_ICON }) },
      { method: 'GET', place: PICTURE_PATH, of: 'profile', answer: ([{ id }]) => this.picture(id) },
      { method: 'GET', place: STACK_PATH, answer: (_, { query }) => this.chosen(query.getAll(STACK_FIELD)) },
      { method: 'GET', place: DATA, of: 'profile', answer: ([profile], { query }) => this.container(profile, query) },
      { method: 'GET', place: VALUES, of: 'profile', answer: async ([profile]) => json({ reason: await this.values.obstacle(profile) }) },
      { method: 'POST', place: VALUES, of: 'profile', answer: ([profile], asked) => this.instructionValues(profile, asked) },
      { method: 'POST', place: EXPERIMENTS, of: 'profile', answer: ([profile], asked) => this.experiment(profile, asked) },
      { method: 'POST', place: '/delete/', of: 'profile', answer: ([profile], { form }) => this.remove(profile, form) },
    ];
  }

  /** @param place path of the request, without its query */
  async answer(method: Route['method'], place: string, asked: RouteRequest): Promise<Reply> {
    for (const route of this.table) {
      const profiles = route.method === method ? this.named(route, place) : null;
      if (profiles) return route.answer(profiles, asked);
    }
    return notFound();
  }

  /** What the path names of a route; null when it is another path, or when one of them is not here. */
  private named({ place, of }: Route, asked: string): ShelvedProfile[] | null {
    if (!of) return asked === place ? [] : null;
    if (!asked.startsWith(place)) return null;
    const rest = asked.slice(place.length);
    const wanted = of === 'profiles' ? rest.split(',') : [rest];
    const found = this.found(wanted);
    return found.length === wanted.length ? found : null;
  }

  /** Those that are here. */
  private found(ids: readonly string[]): ShelvedProfile[] {
    const all = this.shelf.list();
    return ids.flatMap(wanted => all.find(({ id }) => id === wanted) ?? this.shelf.beside?.(wanted) ?? []);
  }

  private async container(of: ShelvedProfile, query: URLSearchParams): Promise<Reply> {
    const part = query.get(PART);
    const shared =
      part === FIRST_PART && query.has(BESIDE) ? await this.shared.firstPart(of, this.found(query.get(BESIDE)!.split(','))) : null;
    if (shared) return packedReply(shared, { [SHARES]: '1' });
    const inFile = part === FIRST_PART || part === SLICES_PART ? this.shelf.packedPart(of, part) : null;
    if (inFile) return packedReply(inFile);
    const known = this.cut?.id === of.id && part === SLICES_PART ? this.cut.container : null;
    const container = known ?? (await this.shelf.container(of));
    this.cut = part === FIRST_PART ? { id: of.id, container } : null;
    const body = part === FIRST_PART ? firstPart(container) : part === SLICES_PART ? slicesPart(container) : container;
    return { status: 200, type: BYTES, body };
  }

  private instructionValues(of: ShelvedProfile, { form, signal }: RouteRequest): Reply {
    const instruction = form.get('instruction') ?? '';
    if (!/^\d{1,9}$/.test(instruction)) return plain(400, 'instruction: a number');
    return { status: 200, type: BYTES, body: this.values.answer(of, Number(instruction), signal) };
  }

  private experiment(of: ShelvedProfile, { form, signal }: RouteRequest): Reply {
    const asked = askedOf(form.get('asked') ?? '');
    if (!asked) return plain(400, 'asked: a question as JSON');
    return { status: 200, type: BYTES, body: this.experiments.answer(of, asked, signal) };
  }

  private remove(profile: ShelvedProfile, form: URLSearchParams): Reply {
    if (!this.shelf.remove || profile.format !== 'nkiprof') return notFound();
    if (!isSame(form.get('token') ?? '', this.formToken)) return plain(403, 'not asked from the list of profiles');
    this.shelf.remove(profile);
    return plain(303, 'deleted', { location: '/' });
  }

  /** From the list's boxes to the page that has them. */
  private chosen(ids: readonly string[]): Reply {
    const profiles = this.shelf.list().filter(({ id }) => ids.includes(id));
    return plain(303, 'chosen', { location: profiles.length === 0 ? '/' : pagePath(profiles) });
  }

  private picture(id: string): Reply {
    const picture = this.glances.picture(id);
    return picture === undefined ? notFound() : { status: 200, type: ASSET_TYPES['.svg'], body: picture };
  }

  private async start(): Promise<Reply> {
    const profiles = this.shelf.list();
    if (!this.shelf.remove) return this.page(profiles);
    const policy = "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'; form-action 'self'";
    // without a referrer its own forms would come from nowhere
    const runs = listedRuns(profiles, pagePath);
    return html(listHtml(runs, await this.glances.of(profiles), this.formToken), policy, { 'referrer-policy': 'same-origin' });
  }

  private page(profiles: readonly ShelvedProfile[]): Reply {
    return profilePage(profiles, rankLinks(this.shelf.list(), profiles, pagePath));
  }

  private listJson(): Reply {
    const rows = this.shelf.list().map(({ id, name, format, sizeBytes }) => ({ id, name, format, size_bytes: sizeBytes }));
    return json(rows);
  }
}

const packedReply = ({ packed, sizeBytes }: PackedPart, headers: Record<string, string> = {}): Reply => ({
  status: 200,
  type: BYTES,
  headers: { [INFLATED_BYTES]: String(sizeBytes), ...headers },
  body: packed,
});

function assetRoutes(folder: string): Route[] {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  return names.flatMap((name): Route[] => {
    const type = ASSET_TYPES[path.extname(name)];
    const file = path.join(folder, name);
    return type ? [{ method: 'GET', place: `/assets/${name}`, answer: () => ({ status: 200, type, body: fs.readFileSync(file) }) }] : [];
  });
}

/** One page of these: the first, and the others stacked below it. */
export const pagePath = (profiles: readonly ShelvedProfile[]) => PROFILE + profiles.map(({ id }) => id).join(',');

function profilePage([{ id, name }, ...others]: readonly ShelvedProfile[], links: readonly PageLink[]): Reply {
  const nonce = randomBytes(18).toString('base64');
  const stacked = others.map(other => ({ title: other.name, url: DATA + other.id }));
  const page = {
    cspSource: "'self'",
    nonce,
    profileUrl: DATA + id,
    unpackingUri: '/assets/unpacking.js',
    stacked,
    valuesUrl: VALUES + id,
    experimentsUrl: EXPERIMENTS + id,
    pagesUrl: PROFILE,
  };
  return html(
    pageHtml({ ...page, links, scriptUri: '/assets/main.js', styleUri: '/assets/main.css', title: `${name} - NKI Scope` }),
    contentSecurityPolicy(page),
  );
}
