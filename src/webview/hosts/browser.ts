/**
 * The host inside a page of its own: fetches the profile (`<meta name="nki-scope-profile">`) or takes it from the page
 * (`<script type="application/octet-stream" id="profile">`, base64), and shows source lines in a pane beside the timeline.
 */
import type { Line } from '../../simulator/analyze/lines';
import { type Columns, decodeContainer } from '../../simulator/columns/container';
import { NKIPROF_EXTENSION, packNkiprof } from '../../simulator/formats/nkiprof';
import { withAnnotations } from '../../simulator/profile/codec';
import { isWhole } from '../../simulator/profile/parts';
import type { Profile } from '../../simulator/profile/profile';
import { withShared } from '../../simulator/profile/sharedColumns';
import { letterOf } from '../data/stack';
import { Channel, type Port } from '../protocol/channel';
import type { ExperimentAnswers } from '../protocol/experiments';
import type { HostEvents, HostMethods, SentColumns, StackEvent, ViewEvents, ViewState } from '../protocol/messages';
import { BESIDE, FIRST_PART, INFLATED_BYTES, PART, SHARES, SLICES_PART, STACKED_ELEMENTS } from '../protocol/page';
import { stackOneByOne } from '../protocol/stackOneByOne';
import { Unpackers } from '../unpacking/unpackers';
import { download } from './download';
import { FetchedExperiments } from './fetchExperiments';
import { FetchedValues } from './fetchValues';
import { linkedView, linkView } from './link';
import { portPair } from './portPair';
import { type Received, receive } from './receive';
import { SourcePane } from './sourcePane';

type NoMethods = Record<never, never>;

export interface BrowserHost extends Port {
  /** Lines of the profile that is drawn now, the hottest first, for the source pane. */
  show(profile: Profile, lines: readonly Line[]): void;
}

export function browserHost(root: HTMLElement): BrowserHost {
  const [viewSide, hostSide] = portPair();
  followColourScheme();
  const stateKey = `nki-scope:${location.pathname}`;
  const pane = new SourcePane(root, position => channel.send('selectLines', { positions: [position], zoom: false }));
  const values = new FetchedValues(meta('nki-scope-values'), progress => channel.send('valuesProgress', progress));
  const experiments = new FetchedExperiments(meta('nki-scope-experiments'), givenAnswers(), progress =>
    channel.send('experimentProgress', progress),
  );
  const channel = new Channel<NoMethods, ViewEvents, HostMethods, HostEvents>(
    hostSide,
    {
      ready: () => ({
        id: location.pathname,
        title: shownTitle(),
        state: linkedView() ?? readState(stateKey),
        canOpenSource: true,
        canExperiment: experiments.areThere,
        canRunAgain: false,
      }),
      async loadProfile() {
        pane.reserve();
        const bytes = await profileBytes(FIRST_PART, received => channel.send('profileReceived', received));
        // while the page draws its own
        own = bytes;
        if (stackedElements().length > 0 && isWhole(bytes)) others ??= otherProfiles(bytes);
        return bytes;
      },
      async loadSlices(key) {
        if (key !== null) return fetched(partOf(stackedAt(key).content, SLICES_PART));
        const bytes = await profileBytes(SLICES_PART);
        others ??= otherProfiles(own);
        return bytes;
      },
      openSource(position, focus) {
        pane.show(position, focus);
        return null;
      },
      openLaunch: async ({ profile }) => {
        location.assign(await pageOf(profile));
        return null;
      },
      saveText: download,
      async saveProfile(annotations) {
        const file = packNkiprof(withAnnotations(await profileBytes(), annotations));
        return download({ name: `${shownTitle()}${NKIPROF_EXTENSION}`, text: file });
      },
      valuesObstacle: () => values.obstacle(),
      instructionValues: instruction => values.of(instruction),
      experiment: asked => experiments.of(asked),
    },
    {
      painted: () => void stackOthers(),
      state(state) {
        sessionStorage.setItem(stateKey, JSON.stringify(state));
        linkView(state);
      },
      failed: ({ message, detail }) => console.error(message, detail),
      stopValues: () => values.stop(),
      stopExperiment: ({ job }) => experiments.stop(job),
      related: ({ lines }) => pane.relate(lines),
      selected: ({ position }) => pane.follow(position),
      // its ranks are links above the page
      openRank: () => {},
      stackRanks: () => {},
    },
  );
  /** First part of the page's own, until the others are stacked. */
  let own: Uint8Array | null = null;
  /** Each is on its way: they come after the page's own. Null before that, empty once they are stacked. */
  let others: Promise<GivenProfile>[] | null = null;
  /** Once, when the page's own is seen: some at a time, as they come. */
  const stackOthers = async () => {
    const given = others ?? otherProfiles(own);
    others = [];
    own = null;
    const loads = given.map(other => () => other.catch((error: Error) => void console.error(error.message)));
    await stackOneByOne(loads, event => {
      channel.send('stack', event);
      return true;
    });
  };
  return { ...viewSide, show: (profile, lines) => pane.useProfile(profile, lines) };
}

type GivenProfile = StackEvent['profiles'][number];

const stackedElements = () => [...document.querySelectorAll<HTMLElement>(STACKED_ELEMENTS)];

/** @param own first part of the page's own, whose columns others may share; null: it is not at hand */
function otherProfiles(own: Uint8Array | null): Promise<GivenProfile>[] {
  const url = meta('nki-scope-profile');
  const known = new Map<string, Promise<Columns>>();
  if (own && url) known.set(idIn(url), Promise.resolve(decodeContainer(own, 'profile').columns));
  return stackedElements().map((element, i) => {
    const bytes = element instanceof HTMLMetaElement ? sharedPart(element.content, known) : inlineProfile(element);
    const profile = bytes.then(bytes => ({ key: `${GIVEN}${i}`, letter: letterOf(i + 1), title: element.dataset.title ?? '', bytes }));
    // told where it is stacked
    profile.catch(() => {});
    return profile;
  });
}

const idIn = (url: string) => url.slice(url.lastIndexOf('/') + 1);

/**
 * A first part, of which columns that profiles before it have are not fetched again.
 * @param known columns of those by their ids; this one is added
 */
function sharedPart(url: string, known: Map<string, Promise<Columns>>): Promise<SentColumns> {
  const before = new Map(known);
  const beside = before.size > 0 ? `&${BESIDE}=${[...before.keys()].join(',')}` : '';
  const whole = partOf(url, FIRST_PART);
  const part = answered(whole + beside).then(async response => {
    const bytes = await bodyOf(response);
    if (!response.headers.has(SHARES)) return decodeContainer(bytes, 'profile');
    // one that has its columns may not have come
    return withShared(bytes, id => before.get(id)).catch(async () => decodeContainer(await fetched(whole), 'profile'));
  });
  const columns = part.then(({ columns }) => columns);
  columns.catch(() => {}); // told of the profile
  known.set(idIn(url), columns);
  return part;
}

/** Keys of profiles that the page names, with their number. */
const GIVEN = 'given ';

const stackedAt = (key: string) => stackedElements()[Number(key.slice(GIVEN.length))] as HTMLMetaElement;

const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null;

/** @throws Error with a sentence where the profile is not at hand */
async function pageOf(profile: string): Promise<string> {
  const pages = meta('nki-scope-pages');
  if (!pages) throw new Error('A report has no profiles of single calls: open them with nki-scope view.');
  const page = pages + profile;
  const { ok } = await fetch(page, { method: 'HEAD' });
  if (!ok) throw new Error('The profile of this call is not here: it lies where the capture wrote it.');
  return page;
}

/** Of a report. */
function givenAnswers(): Partial<ExperimentAnswers> | null {
  const inside = document.querySelector('script#experiments[type="application/json"]');
  return inside && JSON.parse(inside.textContent ?? 'null');
}

const shownTitle = () => document.title.replace(/ - NKI Scope$/, '');

/** @param part absent: all of it */
async function profileBytes(part?: string, onReceived?: (received: Received) => void): Promise<Uint8Array> {
  const inline = document.querySelector('script#profile[type="application/octet-stream"]');
  if (inline) return inlineProfile(inline);
  const url = meta('nki-scope-profile');
  if (!url) throw new Error('This page names no profile.');
  return fetched(partOf(url, part), onReceived);
}

const partOf = (url: string, part?: string) => (part === undefined ? url : `${url}?${PART}=${part}`);

/** @param onReceived absent: nobody waits for it, and the browser gathers the bytes by itself */
const fetched = async (url: string, onReceived?: (received: Received) => void): Promise<Uint8Array> =>
  bodyOf(await answered(url), onReceived);

async function answered(url: string): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The profile could not be fetched: the server answered ${response.status} ${response.statusText}.`);
  return response;
}

async function bodyOf(response: Response, onReceived?: (received: Received) => void): Promise<Uint8Array> {
  const bytes = onReceived ? await receive(response, onReceived) : new Uint8Array(await response.arrayBuffer());
  const inflatedBytes = response.headers.get(INFLATED_BYTES);
  return inflatedBytes === null ? bytes : unpackers().unpack(bytes, Number(inflatedBytes));
}

let made: Unpackers | undefined;
const unpackers = () => {
  made ??= new Unpackers(meta('nki-scope-unpacking'));
  return made;
};

/** Base64 text, deflated when it says so (`protocol/report.ts`). */
async function inlineProfile(element: Element): Promise<Uint8Array> {
  const bytes = Uint8Array.from(atob((element.textContent ?? '').trim()), c => c.charCodeAt(0));
  if (element.getAttribute('data-packing') !== 'deflate-raw') return bytes;
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

/** The classes that VS Code sets on its webviews, from the browser's own preference: one style sheet for both. */
function followColourScheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const contrast = matchMedia('(prefers-contrast: more), (forced-colors: active)');
  const apply = () => {
    const theme = contrast.matches ? (dark.matches ? 'high-contrast' : 'high-contrast-light') : dark.matches ? 'dark' : 'light';
    document.documentElement.classList.add('standalone');
    document.body.className = `vscode-${theme}`;
  };
  apply();
  dark.addEventListener('change', apply);
  contrast.addEventListener('change', apply);
}

function readState(key: string): ViewState | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
