/**
 * The self-contained report: one HTML file with the timeline's script and style, and a profile with its sources, inside. It
 * opens from disk, asks nobody for anything, and its policy allows the one script by its nonce.
 */
import { EMPTY_STYLE, escapeHtml } from './page';

export interface ReportParts {
  title: string;
  /** `main.js` and `main.css` of the webview bundle. */
  script: string;
  style: string;
  /** The profile container, deflated (RFC 1951), in base64: in pieces, since one string could not hold a large one. */
  profile: Iterable<string>;
  /** More of them, stacked below it. */
  stacked: readonly { title: string; profile: Iterable<string> }[];
  nonce: string;
}

export function* reportHtml({ title, script, style, profile, stacked, nonce }: ReportParts): Generator<string> {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}' ${EMPTY_STYLE}`,
    'img-src data:',
    'font-src data:',
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  const id = escapeHtml(nonce);
  yield `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style nonce="${id}">${style.replaceAll('</style', '<\\/style')}</style>
</head>
<body>
<main id="nki-scope"></main>
<script type="application/octet-stream" id="profile" data-packing="deflate-raw">`;
  yield* profile;
  for (const other of stacked) {
    yield `</script>
<script type="application/octet-stream" class="stacked" data-title="${escapeHtml(other.title)}" data-packing="deflate-raw">`;
    yield* other.profile;
  }
  yield `</script>
<script nonce="${id}">${inScript(script)}</script>
</body>
</html>
`;
}

/** What would end a script element, or begin a comment in one, can only stand in strings and regular expressions: escaped there. */
const inScript = (code: string) => code.replace(/<(?=\/script|!--|script)/gi, '\\x3c');
