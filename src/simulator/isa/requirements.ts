/**
 * Finds the version of NKI that a project requires: requirements of the packages `nki` and `neuronx-cc` in the text of a requirements.txt
 * or a pyproject.toml. Pure; `service/pinnedVersion.ts` reads the files.
 *
 * Source: packaging.python.org, "Version specifiers"; the caret of Poetry.
 */
import { RELEASES, type Release } from './versions';

const PACKAGES: Readonly<Record<string, (release: Release) => string>> = {
  nki: ({ version }) => version,
  'neuronx-cc': ({ compiler }) => compiler,
};

/** `"nki==0.6.*"`, `nki >= 0.5, < 0.7`; in TOML also `nki = "^0.6"`. Longer names (nki-library) are other packages. */
const REQUIREMENT = /(?:^|["'])[ \t]*(nki|neuronx[-_]cc)(?:\[[^\]]*\])?[ \t]*(?:=[ \t]*["']([^"'\n]*)["']|\(?([=<>!~][^"'#;)\n]*))/gim;

/** The newest version that the text allows; undefined: it requires none, any version, or an unknown one. */
export function requiredNki(text: string): string | undefined {
  const asked = [...text.matchAll(REQUIREMENT)].map(([, name, poetry, plain]) => ({
    of: PACKAGES[name.toLowerCase().replace('_', '-')],
    specifiers: (poetry ?? plain).split(',').map(part => part.trim()),
  }));
  const allowed = RELEASES.filter(release => asked.every(({ of, specifiers }) => specifiers.every(each => allows(each, of(release)))));
  return allowed.length === RELEASES.length ? undefined : allowed.at(-1)?.version;
}

/** Whether some patch of a release (`0.6`) satisfies a specifier. An unknown specifier allows everything. */
function allows(specifier: string, release: string): boolean {
  const match = /^(===?|~=|<=|>=|<|>|!=|\^|~)?\s*v?(\d+(?:\.\d+)*)(\.\*)?/.exec(specifier);
  if (!match) return true;
  const [, operator = '==', digits, wildcard] = match;
  const wanted = digits.split('.').map(Number);
  const own = release.split('.').map(Number);
  // the first two numbers are the release, the rest is the patch
  const order = compare(own, wanted.slice(0, 2));
  switch (operator) {
    case '>=':
    case '>':
      return order >= 0;
    case '<=':
      return order <= 0;
    case '<':
      return order < 0 || (order === 0 && wanted.slice(2).some(number => number > 0));
    case '!=':
      return !(wildcard && wanted.length <= 2 && order === 0);
    case '~=':
      return wanted.length > 2 ? order === 0 : order >= 0 && own[0] === wanted[0];
    case '^':
      return wanted[0] === 0 && wanted.length > 1 ? order === 0 : order >= 0 && own[0] === wanted[0];
    default:
      return order === 0;
  }
}

/** Compares as many numbers as both have. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (let k = 0; k < Math.min(a.length, b.length); k++) if (a[k] !== b[k]) return a[k] - b[k];
  return 0;
}
