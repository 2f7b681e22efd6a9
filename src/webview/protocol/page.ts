/**
 * The HTML page around the timeline for the extension's webview and the served viewer (`report.ts` has the self-contained one).
 * Strict Content-Security-Policy; no data inside and no inline script or style.
 *
 * What the policy allows, and why:
 * - script-src: the nonce alone. One script, nothing evaluated.
 * - style-src: the host's own origin, for `main.css`, and the hash of the empty text. uPlot sets styles through the CSSOM and
 *   the toolkit through constructable style sheets, which style-src does not govern; but the toolkit probes for
 *   `:focus-visible` with an empty <style> element, and without that probe shows focus rings on every click.
 * - connect-src: only for pages that fetch their profile (`profileUrl`).
 * - worker-src: only for pages that name the script of their workers (`unpackingUri`).
 */
import { escapeHtml, htmlHead, policyText } from './html';

/** Most ranks of a run on one page, above one another: those of a trn2.48xlarge with two cores each. */
export const MOST_RANKS_SHOWN = 64;

/** In the query of the address of a first part: ids, with commas between them, of profiles whose columns the page has. The header says that the answer lacks columns that those have. */
export const BESIDE = 'beside';
export const SHARES = 'nki-scope-shares';

/** In the query of a profile's address: one of its parts (`profile/parts.ts`) instead of all of it. */
export const PART = 'part';
export const FIRST_PART = 'first';
export const SLICES_PART = 'slices';
/** Header of an answer with a part that is packed as in a file (`unpacking/unpackPart.ts`): its bytes when it is inflated. */
export const INFLATED_BYTES = 'nki-scope-inflated-bytes';

/** To another page of the same server. */
export interface PageLink {
  label: string;
  url: string;
  /** It is this page. */
  isShown: boolean;
}

export interface PageOptions {
  scriptUri: string;
  styleUri: string;
  /** What may serve our assets: `webview.cspSource` in VS Code, `'self'` when served. */
  cspSource: string;
  /** Unguessable and fresh for every page. */
  nonce: string;
  title: string;
  /** Where a page outside VS Code fetches the profile container from. */
  profileUrl?: string;
  /** Script of the workers that unpack what such a page fetches. */
  unpackingUri?: string;
  /** Profiles that it stacks below that one, and where it fetches them from. */
  stacked?: readonly { title: string; url: string }[];
  /** Pages beside this one: of the other ranks of its run. */
  links?: readonly PageLink[];
  /** Where the pages of other profiles are, by their ids; absent: there are none. */
  pagesUrl?: string;
  /** Where such a page asks for values of instructions; absent: there are none. */
  valuesUrl?: string;
  /** Where such a page asks for experiments; absent: there are none. */
  experimentsUrl?: string;
}

/** SHA-256 of no bytes. */
export const EMPTY_STYLE = `'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`;

/** Elements of the head that the self-contained page has too. */
export const TIMELINE_HEAD = ['<meta name="color-scheme" content="light dark">', '<link rel="icon" href="data:,">'];

type PolicyOptions = Pick<PageOptions, 'cspSource' | 'nonce' | 'profileUrl' | 'unpackingUri'>;

export function contentSecurityPolicy({ cspSource, nonce, profileUrl, unpackingUri }: PolicyOptions): string {
  return policyText([
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} ${EMPTY_STYLE}`,
    `img-src ${cspSource} data:`,
    `font-src ${cspSource}`,
    ...(profileUrl === undefined ? [] : [`connect-src ${cspSource}`]),
    ...(unpackingUri === undefined ? [] : [`worker-src ${cspSource}`]),
  ]);
}

const STACKED = 'nki-scope-stacked';

/** What a page stacks below its own profile, read from its elements: those of a report have it inside (`report.ts`). */
export const STACKED_ELEMENTS = `meta[name="${STACKED}"], script.stacked[type="application/octet-stream"]`;

export function pageHtml(options: PageOptions): string {
  const {
    scriptUri,
    styleUri,
    nonce,
    title,
    profileUrl,
    unpackingUri,
    valuesUrl,
    experimentsUrl,
    pagesUrl,
    stacked = [],
    links = [],
  } = options;
  const meta = (name: string, content: string | undefined) =>
    content === undefined ? [] : [`<meta name="${name}" content="${escapeHtml(content)}">`];
  const elements = [
    ...TIMELINE_HEAD,
    ...meta('nki-scope-profile', profileUrl),
    ...meta('nki-scope-unpacking', unpackingUri),
    ...meta('nki-scope-pages', pagesUrl),
    ...meta('nki-scope-values', valuesUrl),
    ...meta('nki-scope-experiments', experimentsUrl),
    ...stacked.map(other => `<meta name="${STACKED}" content="${escapeHtml(other.url)}" data-title="${escapeHtml(other.title)}">`),
    `<link rel="stylesheet" href="${escapeHtml(styleUri)}">`,
  ];
  return `${htmlHead({ title, policy: contentSecurityPolicy(options), elements })}
<body>
${linksHtml(links)}<main id="nki-scope"></main>
<script nonce="${escapeHtml(nonce)}" src="${escapeHtml(scriptUri)}"></script>
</body>
</html>
`;
}

function linksHtml(links: readonly PageLink[]): string {
  if (links.length === 0) return '';
  const items = links.map(
    ({ label, url, isShown }) => `<a href="${escapeHtml(url)}"${isShown ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a>`,
  );
  return `<nav class="rankLinks" aria-label="Ranks">${items.join('')}</nav>\n`;
}
