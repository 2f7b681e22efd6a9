/**
 * The self-contained report: one HTML file with the timeline's script and style, and a profile with its sources, inside. It
 * opens from disk, makes no request, and its policy allows the one script and the one style by their hashes. The same parts give
 * the same bytes: no nonce, no time.
 */
import { escapeHtml, htmlHead, policyText } from './html';
import { EMPTY_STYLE, TIMELINE_HEAD } from './page';

export interface ReportParts {
  title: string;
  /** `main.js` and `main.css` of the webview bundle. */
  script: string;
  style: string;
  /** The profile container, deflated (RFC 1951), in base64: in pieces, since one string could not hold a large one. */
  profile: Iterable<string>;
  /** Answers to what the page may ask about it (`experiments.ts`), as JSON; null: it can ask nothing. */
  experiments: string | null;
  /** More of them, stacked below it. */
  stacked: readonly { title: string; profile: Iterable<string> }[];
  /** SHA-256 of the text's UTF-8 bytes, in base64. */
  sha256: (text: string) => string;
}

export function* reportHtml({ title, script, style, profile, experiments, stacked, sha256 }: ReportParts): Generator<string> {
  const [code, rules] = [inScript(script), inStyle(style)];
  const policy = policyText([
    `script-src 'sha256-${sha256(code)}'`,
    `style-src 'sha256-${sha256(rules)}' ${EMPTY_STYLE}`,
    'img-src data:',
    'font-src data:',
  ]);
  yield `${htmlHead({ title, policy, elements: [...TIMELINE_HEAD, `<style>${rules}</style>`] })}
<body>
<main id="nki-scope"></main>
<script type="application/octet-stream" id="profile" data-packing="deflate-raw">`;
  yield* profile;
  if (experiments !== null) yield `</script>\n<script type="application/json" id="experiments">${inData(experiments)}`;
  for (const other of stacked) {
    yield `</script>
<script type="application/octet-stream" class="stacked" data-title="${escapeHtml(other.title)}" data-packing="deflate-raw">`;
    yield* other.profile;
  }
  yield `</script>
<script>${code}</script>
</body>
</html>
`;
}

/** What would end a script element, or begin a comment in one, can only stand in strings and regular expressions: escaped there. */
const inScript = (code: string) => asParsed(code.replace(/<(?=\/script|!--|script)/gi, '\\x3c'));

/** JSON has this sign in strings only. */
const inData = (json: string) => json.replaceAll('<', '\\u003c');

const inStyle = (rules: string) => asParsed(rules.replace(/<(?=\/style)/gi, '\\3c '));

/** A hash is of the text as the parser reads it: carriage returns are line feeds there. */
const asParsed = (text: string) => text.replace(/\r\n?/g, '\n');
