/** The served viewer's list of profiles: plain links, forms to delete, a style sheet of its own, no script. */
import { bytesText, counted, type Glance, nameText, type ProfileFormat } from '../simulator/index';
import { escapeHtml, htmlHead } from '../webview/protocol/html';
import type { ShelvedProfile } from './profileShelf';
import type { ListedRun } from './rankLinks';

export const LIST_STYLE_PATH = '/assets/list.css';
/** What the boxes ask for: one page of the profiles that are chosen, named once each in this field. */
export const STACK_PATH = '/stack';
export const STACK_FIELD = 'profile';

/** Colours as those of a timeline that is served (`webview/styles/theme.css`). */
export const LIST_STYLE = `:root {
  color-scheme: light dark;
  --background: #ffffff; --text: #3b3b3b; --muted: #616161; --line: #d4d4d4; --link: #005fb8; --button: #e5e5e5; --edge: transparent;
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Ubuntu, "Noto Sans", sans-serif;
  background: var(--background);
  color: var(--text);
}
@media (prefers-color-scheme: dark) {
  :root { --background: #1f1f1f; --text: #cccccc; --muted: #9d9d9d; --line: #2b2b2b; --link: #4daafc; --button: #313131; }
}
@media (prefers-contrast: more) {
  :root { --text: #000000; --muted: #000000; --line: #0f4a85; --link: #0f4a85; --button: #ffffff; --edge: #0f4a85; }
}
@media (prefers-contrast: more) and (prefers-color-scheme: dark) {
  :root { --background: #000000; --text: #ffffff; --muted: #ffffff; --line: #6fc3df; --link: #21a6ff; --button: #000000; --edge: #6fc3df; }
}
body { max-width: 76rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.3rem; font-weight: 600; }
ul { list-style: none; padding: 0; border-bottom: 1px solid var(--line); }
form { align-self: center; margin: 0; }
li { display: flex; gap: 1rem; justify-content: space-between; padding: 0 0.5rem; border-top: 1px solid var(--line); }
li:hover { background: color-mix(in srgb, var(--text) 5%, transparent); }
a { flex: 1; padding: 0.5rem 0; color: var(--link); text-decoration: none; overflow-wrap: anywhere; }
a:hover, a:focus-visible { text-decoration: underline; }
button { align-self: center; padding: 2px 10px; border: 1px solid var(--edge); border-radius: 2px; font: inherit; font-size: 0.85rem;
  background: var(--button); color: var(--text); cursor: pointer; }
button:hover { border-color: var(--link); }
small { padding: 0.5rem 0; color: var(--muted); white-space: nowrap; font-variant-numeric: tabular-nums; }
a > span { display: block; font-size: 0.85rem; color: var(--muted); }
input { accent-color: var(--link); }
img { align-self: center; width: 12rem; height: 2.2rem; }
@media (max-width: 700px) { li { gap: 0.5rem; } img { display: none; } small { white-space: normal; text-align: right; } }
`;

/** Before the size. */
const FORMAT_NAMES: Readonly<Record<ProfileFormat, string>> = {
  nkiprof: '',
  json: 'JSON, ',
  parquet: 'Parquet, ',
  ntff: 'NTFF, ',
  perfetto: 'Perfetto, ',
};

export const PICTURE_PATH = '/picture/';

/** @param glances by id @param token what the forms send to prove that they come from this page */
export function listHtml(runs: readonly ListedRun[], glances: ReadonlyMap<string, Glance>, token: string): string {
  const count = runs.reduce((sum, { profiles }) => sum + profiles.length, 0);
  const row = ({ id, name, format, sizeBytes, changedMs }: ShelvedProfile) => {
    const glance = glances.get(id);
    const box = count > 1 ? stackBox(id, name) : '';
    const link = `<a href="/profile/${escapeHtml(id)}">${escapeHtml(name)}${glance ? ` <span>${escapeHtml(unbroken(nameText(glance.name)))}</span>` : ''}</a>`;
    const made = changedMs === undefined ? '' : `${whenText(changedMs)}, `;
    const size = `<small>${made}${FORMAT_NAMES[format]}${bytesText(sizeBytes)}</small>`;
    return `<li>${box}${glance ? picture(id) : ''}${link} ${size}${format === 'nkiprof' ? deleteForm(id, name, token) : ''}</li>`;
  };
  const rows = runs.flatMap(({ title, profiles, links }) => [
    ...links.map(
      ({ label, url }) =>
        `<li><a href="${escapeHtml(url)}">${escapeHtml(label)} <span>${escapeHtml(title)}, ${counted(profiles.length, 'rank')}</span></a></li>`,
    ),
    ...profiles.map(row),
  ]);
  return `${htmlHead({ title: 'NKI Scope', elements: [`<link rel="stylesheet" href="${LIST_STYLE_PATH}">`] })}
<body>
<main>
<h1>Profiles</h1>
<ul>
${rows.join('\n') || '<li>No profiles yet.</li>'}
</ul>
${count > 1 ? STACK_FORM : ''}</main>
</body>
</html>
`;
}

/** No line ends between the number and the unit of the time. */
const unbroken = (name: string) => name.replace(/ (?=[nµm]?s$)/, '\u00a0');

/** `2026-11-22 18:05`, in the time of this machine. */
function whenText(ms: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const date = new Date(ms);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Says nothing that the text beside it does not. */
const picture = (id: string) => `<img src="${PICTURE_PATH}${escapeHtml(id)}" alt="">`;

const STACK_FORM = `<form id="stack" action="${STACK_PATH}"><button>Stack the chosen profiles</button></form>
`;

const stackBox = (id: string, name: string) =>
  `<input type="checkbox" form="stack" name="${STACK_FIELD}" value="${escapeHtml(id)}" aria-label="Choose ${escapeHtml(name)}">`;

const deleteForm = (id: string, name: string, token: string) =>
  ` <form method="post" action="/delete/${escapeHtml(id)}"><input type="hidden" name="token" value="${escapeHtml(token)}"><button aria-label="Delete ${escapeHtml(name)}">Delete</button></form>`;
