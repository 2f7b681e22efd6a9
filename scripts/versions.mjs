// Text of docs/versions.md: names and rules of NKI by version, from isa/versions.ts. Written by api.mjs.
import { evaluated } from './python-package.mjs';

const INTRO = `# Versions of NKI

Written by \`node scripts/api.mjs\` from \`src/simulator/isa/versions.ts\`; do not edit it.

A kernel runs as for the newest version, unless another is asked for: by \`nkiScope.nkiVersion\` in the editor, \`--nki-version\` on the command
line, \`NKI_SCOPE_NKI_VERSION\` in your own Python, or by the nearest \`requirements*.txt\` or \`pyproject.toml\` around its file that pins
\`nki\` or \`neuronx-cc\` (\`nki==0.6.*\`, \`nki>=0.4,<0.7\`, \`neuronx-cc==2.27.*\`). Of several that are allowed the newest counts.

- A function that the version does not have yet, or no longer, is an error on the line that calls it, which says what to write instead.
- A deprecated one is told on its line; as a warning where it is known which version removes it.
- Changes marked \\* follow the version. In all else the simulator does as the newest version does.
- The order of instructions is that of the version's compiler, as far as it is known: [timing-model.md](timing-model.md), pipelines.

The API of the legacy dialect (\`neuronxcc.nki\`) has no version here. For its kernels a version that is asked for says only which software runs them: start and end are then
those of the software of 2026. Without one they are those of the software before, with which most published legacy kernels were run.
`;

/** The page. */
export async function versionsPage() {
  const { RELEASES, LANGUAGE_CHANGES, REFUSED, versionedNames, versionsOf } = await evaluated(
    "export { RELEASES, LANGUAGE_CHANGES, REFUSED, versionedNames, versionsOf } from './src/simulator/isa/versions';",
  );
  const names = versionedNames.map(name => ({ name, ...versionsOf(name) }));
  const newestFirst = [...RELEASES].reverse();
  const sections = newestFirst.map(release => section(release, names, LANGUAGE_CHANGES, release === RELEASES[0]));
  const releases = newestFirst.map(({ version, sdk, compiler, date }) => `| ${version} | ${sdk} | ${compiler} | ${date} |`);
  const table = ['| NKI | Neuron SDK | neuronx-cc | released |', '| --- | --- | --- | --- |', ...releases, ''];
  return [INTRO, ...table, ...sections, refusals(REFUSED)].join('\n');
}

function refusals(refused) {
  const rows = Object.entries(refused).map(([name, why]) => `| \`nki.${name}\` | ${why} |`);
  return [
    '## Refused',
    '',
    "Names of AWS's documents that no version has here.",
    '',
    '| name | why, and what to use |',
    '| --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

function section({ version }, names, ofLanguage, isFirst) {
  const named = list => list.map(({ name }) => `\`${name}\``).join(', ');
  const leaving = kind =>
    names.filter(entry => entry[kind] === version).map(({ name, instead }) => `| ${kind} | \`${name}\` | ${instead} |`);
  const change = (name, { what, followed }) => `| changed${followed ? ' \\*' : ''} | ${name} | ${what} |`;
  const changed = names.flatMap(({ name, changes }) =>
    changes.filter(each => each.version === version).map(each => change(`\`${name}\``, each)),
  );
  const language = ofLanguage.filter(each => each.version === version).map(each => change('the language', each));
  const rows = [...language, ...changed, ...leaving('deprecated'), ...leaving('removed')];
  const came = names.filter(({ since }) => since === version);
  const news = isFirst ? 'All names that no other version brought.' : came.length > 0 ? `New: ${named(came)}.` : 'No new names.';
  const table = rows.length > 0 ? ['', '| what | name | how |', '| --- | --- | --- |', ...rows] : [];
  return [`## NKI ${version}`, '', news, ...table, ''].join('\n');
}
