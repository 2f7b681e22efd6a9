// The third-party notices of the package: every npm package that the bundles' metafiles say is inside, and what Pyodide brings.
import fs from 'node:fs';
import path from 'node:path';

/** Not from npm: inside Pyodide's WebAssembly, by the parts that it documents. Texts in scripts/licenses/. */
const BESIDE_BUNDLES = [
  { name: 'Pyodide', license: 'MPL-2.0', source: 'https://github.com/pyodide/pyodide', text: 'MPL-2.0.txt', versionOf: 'pyodide' },
  { name: 'CPython and its standard library', license: 'PSF-2.0', source: 'https://github.com/python/cpython', text: 'PSF-2.0.txt' },
  { name: 'Emscripten and musl (in the WebAssembly of Pyodide)', license: 'MIT', source: 'https://github.com/emscripten-core/emscripten' },
  { name: 'zlib (in the WebAssembly of Pyodide)', license: 'Zlib', source: 'https://zlib.net' },
  { name: 'libffi (in the WebAssembly of Pyodide)', license: 'MIT', source: 'https://github.com/libffi/libffi' },
];

const LICENSE_FILE = /^(licen[sc]e|copying)(\.(md|txt))?$/i;
const RULE = `\n${'-'.repeat(78)}\n\n`;

/**
 * @param metafiles esbuild metafiles of the shipped bundles; input paths are relative to `root`
 * @returns the text of the notices file, the same for the same bundles
 * @throws Error for a package without any license statement
 */
export function thirdPartyNotices(metafiles, root) {
  const packages = [...new Set(metafiles.flatMap(bundledPackages))].sort().map(folder => npmNotice(path.join(root, folder)));
  const beside = BESIDE_BUNDLES.map(part => besideNotice(part, root));
  const head = 'NKI Scope contains the following third-party software.\n';
  return [head, ...packages, ...beside].join(RULE);
}

/** Folders of the packages that put at least one byte into an output: what was shaken out is not shipped. */
function bundledPackages({ outputs }) {
  return Object.values(outputs)
    .flatMap(output => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([input]) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []);
}

function npmNotice(folder) {
  const { name, version, license, repository, homepage } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = fs.readdirSync(folder).find(entry => LICENSE_FILE.test(entry));
  if (!file && !license) throw new Error(`${name} states no license`);
  const text = file ? fs.readFileSync(path.join(folder, file), 'utf8').trim() : '';
  return notice(`${name} ${version}`, license, repository?.url ?? repository ?? homepage, text);
}

function besideNotice({ name, license, source, text, versionOf }, root) {
  const version = versionOf
    ? ` ${JSON.parse(fs.readFileSync(path.join(root, 'node_modules', versionOf, 'package.json'), 'utf8')).version}`
    : '';
  return notice(name + version, license, source, text ? fs.readFileSync(path.join(root, 'scripts/licenses', text), 'utf8').trim() : '');
}

const notice = (title, license, source, text) =>
  `${[`${title}\nLicense: ${license}`, source && `Source: ${source}`].filter(Boolean).join('\n')}\n${text && `\n${text}\n`}`;
