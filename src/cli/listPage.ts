/** The served viewer's list of profiles: plain links, forms to delete, a style sheet of its own, no script. */
import { bytesText, counted, type Glance, nameText, type ProfileFormat } from '../simulator/index';
import { escapeHtml, htmlHead } from '../webview/protocol/html';
import type { ShelvedProfile } from './profileShelf';
import type { ListedRun } from './rankLinks';

export const LIST_STYLE_PATH = '/assets/list.css';
/** What the boxes ask for: one page of the profiles that are chosen, named once each in this field. */
export const STACK_PATH = '/stack';
export const STACK_FIELD = 'profile';

export const LIST_STYLE = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; font-weight: 600; }
ul { list-style: none; padding: 0; }
form { align-self: center; margin: 0; }
li { display: flex; gap: 1rem; justify-content: space-between; border-top: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
a { flex: 1; padding: 0.5rem 0; color: LinkText; text-decoration: none; overflow-wrap: anywhere; }
a:hover, a:focus-visible { text-decoration: underline; }
button { align-self: center; font: inherit; font-size: 0.85rem; }
small { padding: 0.5rem 0; opacity: 0.75; white-space: nowrap; }
a > span { display: block; font-size: 0.85rem; opacity: 0.8; color: CanvasText; }
img { align-self: center; width: 12rem; height: 2.2rem; }
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
