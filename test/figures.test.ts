/**
 * Figures of the documentation that the code has, too: limits and sizes. Measured times are not here: `bench/` and the tests of a page's own
 * tables have them.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

declare const NKI_SCOPE_ROOT: string;

const read = (name: string) => fs.readFileSync(path.join(NKI_SCOPE_ROOT, name), 'utf8');

/** A number of the code: the file, and the words before it; `…` stands for any text. */
type Place = readonly [file: string, before: string];

const limits = 'src/simulator/session/capture.ts';
const nkiprof = 'src/simulator/formats/nkiprof.ts';
const profile = 'src/simulator/profile/limits.ts';
const json = 'src/simulator/columns/modestJson.ts';

/** A page's words around the figure (`#`), and what the figure is: a number of the code, divided by a unit. */
const FIGURES: readonly (readonly [page: string, words: string, place: Place, unit?: number])[] = [
  ['README.md', 'with Node # or later', ['package.json', '"node": ">=']],
  ['README.md', 'VS Code (1.# or later)', ['package.json', '"vscode": "^1.']],
  ['README.md', 'stops after # seconds', [limits, 'DEFAULT_LIMITS: …seconds: ']],
  ['docs/first-profile.md', 'Node # or later', ['package.json', '"node": ">=']],
  ['docs/first-profile.md', 'VS Code 1.# or later', ['package.json', '"vscode": "^1.']],
  ['docs/security.md', '| time of a run | # s', [limits, 'DEFAULT_LIMITS: …seconds: ']],
  ['docs/security.md', '| recorded instructions | # |', [limits, 'DEFAULT_LIMITS: …instructions: ']],
  ['docs/security.md', 'WebAssembly included | # MB', [limits, 'DEFAULT_LIMITS: …memoryMb: ']],
  ['docs/security.md', '| printed text of a run | # characters', ['src/simulator/frontend/outputLimit.ts', 'const MOST = ']],
  ['docs/security.md', '| saved profiles of a run | # MB', ['src/simulator/service/client.ts', 'MOST_SAVED_BYTES = '], 2 ** 20],
  ['docs/reading-a-timeline.md', 'shows up to # profiles', ['src/webview/data/stack.ts', 'MOST_PROFILES = ']],
  ['docs/reading-a-timeline.md', 'with # events together', ['src/webview/data/stack.ts', 'MOST_EVENTS = ']],
  ['docs/reading-a-timeline.md', 'Up to # elements of one operand', ['src/simulator/execute/operandValues.ts', 'MOST_VALUES = ']],
  ['docs/checks.md', 'tensors of more than # elements', ['src/simulator/program/checks/written.ts', 'TRACKED_ELEMENTS = ']],
  ['docs/gates.md', 'can tell apart, # %', ['src/simulator/hardware/likelyFactors.ts', 'TELLS_APART_PERCENT = ']],
  ['docs/agents.md', 'keeps the last # runs', ['src/simulator/agents/keptRuns.ts', 'MOST_RUNS = ']],
  ['docs/nkiprof.md', '| 8 | u32 | file version: #', [nkiprof, 'FILE_VERSION = ']],
  ['docs/nkiprof.md', '| 4 | u32 | layout version: #', ['src/simulator/columns/container.ts', 'LAYOUT_VERSION = ']],
  ['docs/nkiprof.md', 'above # MiB', [nkiprof, 'LARGE_BYTES = '], 2 ** 20],
  ['docs/nkiprof.md', 'more than # times the payload', [nkiprof, 'MAX_LARGE_RATIO = ']],
  ['docs/nkiprof.md', 'nests at most # deep', [json, 'MOST_DEPTH = ']],
  ['docs/nkiprof.md', 'has at most # objects', [json, 'MOST_PARTS = ']],
  ['docs/nkiprof.md', 'numbers from 0 to #;', [profile, 'MOST_AMOUNT = ']],
  ['docs/nkiprof.md', 'access pattern has at most # dimensions', ['src/simulator/compile/operands/text.ts', 'MOST_DIMENSIONS = ']],
  ['docs/nkiprof.md', 'at most # characters', [profile, 'MOST_OPERAND_CHARACTERS = ']],
  ['docs/nkiprof.md', 'loops are at most # deep', [profile, 'MOST_DEPTH = ']],
  ['docs/nkiprof.md', 'at most # tracks', [profile, 'MOST_TRACKS = ']],
  ['docs/nkiprof.md', 'and # frames times tracks', [profile, 'MOST_FRAME_TRACKS = ']],
  ['docs/formats.md', 'tests this: # files of each format', ['scripts/fuzz.mjs', "mutants: { type: 'string', default: '"]],
  ['docs/formats.md', 'within # seconds', ['test/security/fuzz/runFuzz.ts', 'DEADLINE_MS = '], 1000],
  ['docs/formats.md', 'runs # of each', ['test/security/fuzz/fuzz.test.ts', 'const MUTANTS = ']],
];

const NUMBER = /^(\d[\d_]*)(?: \*\* (\d+))?(?: \* (\d+)(?: \*\* (\d+))?)?(?: \* (\d+))?/;

/** A number as code or text writes it: `2 ** 22`, `64 * 1024 * 1024`, `2^22`, `8,388,608`, `8 388 608`. */
function numberOf(text: string): number {
  const [, base, power = '1', factor = '1', factorPower = '1', last = '1'] = NUMBER.exec(text) ?? assert.fail(`no number: ${text}`);
  return Number(base.replaceAll('_', '')) ** Number(power) * Number(factor) ** Number(factorPower) * Number(last);
}

const inText = (text: string) => numberOf(text.replace(/[, ](?=\d{3})/g, '').replace('^', ' ** '));

function inCode([file, before]: Place): number {
  const found = new RegExp(before.split('…').map(escaped).join('[\\s\\S]*?')).exec(read(file));
  assert.ok(found, `${file} has no ${before}`);
  return numberOf(found.input.slice(found.index + found[0].length));
}

const escaped = (words: string) => words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/ +/g, '\\s+');

describe('figures of the documentation', () => {
  for (const [page, words, place, unit = 1] of FIGURES)
    it(`${page}: ${words}`, () => {
      const [before, after] = words.split('#').map(escaped);
      const found = new RegExp(`${before}(\\d[\\d,^ ]*?)${after}`).exec(read(page));
      assert.ok(found, `${page} does not say it`);
      assert.equal(inText(found[1]), inCode(place) / unit);
    });
});
