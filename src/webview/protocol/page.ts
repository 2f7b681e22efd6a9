/**
 * The HTML page around the timeline, for every host: the extension's webview, the served viewer, later the self-contained
 * report. Strict Content-Security-Policy; no data inside and no inline script or style.
 *
 * What the policy allows, and why:
 * - script-src: the nonce alone. One script, nothing evaluated.
 * - style-src: the host's own origin, for `main.css`, and the hash of the empty text. uPlot sets styles through the CSSOM and
 *   the toolkit through constructable style sheets, which style-src does not govern; but the toolkit probes for
 *   `:focus-visible` with an empty <style> element, and without that probe shows focus rings on every click.
 * - connect-src: only for pages that fetch their profile (`profileUrl`).
 */

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
  /** Profiles that it stacks below that one, and where it fetches them from. */
  stacked?: readonly { title: string; url: string }[];
  /** Where such a page asks for values of instructions; absent: there are none. */
  valuesUrl?: string;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, c => ENTITIES[c]);

/** SHA-256 of no bytes. */
export const EMPTY_STYLE = `'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='`;

export function contentSecurityPolicy({ cspSource, nonce, profileUrl }: Pick<PageOptions, 'cspSource' | 'nonce' | 'profileUrl'>): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} ${EMPTY_STYLE}`,
    `img-src ${cspSource} data:`,
    `font-src ${cspSource}`,
    ...(profileUrl === undefined ? [] : [`connect-src ${cspSource}`]),
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

const STACKED = 'nki-scope-stacked';

/** What a page stacks below its own profile, read from its elements: those of a report have it inside (`report.ts`). */
export const STACKED_ELEMENTS = `meta[name="${STACKED}"], script.stacked[type="application/octet-stream"]`;

export function pageHtml(options: PageOptions): string {
  const { scriptUri, styleUri, nonce, title, profileUrl, valuesUrl, stacked = [] } = options;
  const others = stacked.map(
    other => `\n<meta name="${STACKED}" content="${escapeHtml(other.url)}" data-title="${escapeHtml(other.title)}">`,
  );
  const meta = (name: string, content: string | undefined) =>
    content === undefined ? '' : `\n<meta name="${name}" content="${escapeHtml(content)}">`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(contentSecurityPolicy(options))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">${meta('nki-scope-profile', profileUrl)}${meta('nki-scope-values', valuesUrl)}${others.join('')}
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${escapeHtml(styleUri)}">
</head>
<body>
<main id="nki-scope"></main>
<script nonce="${escapeHtml(nonce)}" src="${escapeHtml(scriptUri)}"></script>
</body>
</html>
`;
}
