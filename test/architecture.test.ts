/**
 * The import rules of ARCHITECTURE.md, held: what each folder may import, in which order the simulator's folders stand, that no files import
 * one another in a circle, and which may touch Node, the DOM or vscode. Imports of types count as all others do.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type Import, importCycles, importsIn, sourcesIn, specifiersIn } from './support/importGraph';

declare const NKI_SCOPE_ROOT: string;

const SRC = path.join(NKI_SCOPE_ROOT, 'src');

/** Folder -> the folders (or files) of src/ that its files may import, itself included. The first that matches counts. */
const ALLOWED: [folder: string, imports: string[]][] = [
  ['simulator', ['simulator']],
  ['webview/protocol', ['webview/protocol']],
  ['webview', ['webview', ...['profile', 'analyze', 'columns', 'vocabulary', 'formats/nkiprof'].map(name => `simulator/${name}`)]],
  ['extension', ['extension', 'webview/protocol', 'simulator/index']],
  ['cli', ['cli', 'webview/protocol', 'simulator/index']],
];

/** The simulator's folders and single files in the order of the table: each imports itself and what stands above it. */
const SIMULATOR_ORDER = [
  ...fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| `src\/(simulator\/[\w/]+?)(?:\/|\.ts)` \|/gm),
].map(([, name]) => name);

/** What is left of files that import one another. A circle that is gone is taken off; none is added. */
const KNOWN_CYCLES: Readonly<Record<string, string[][]>> = {
  cli: [],
  extension: [],
  simulator: [],
  webview: [],
};

/** Files that turn the name of a target into its machine. */
const NAME_TO_MACHINE = [
  'analyze/firstTrigger.ts',
  'analyze/machineOf.ts',
  'experiments/machineCode.ts',
  'formats/capture/build.ts',
  'formats/capture/system/build.ts',
  'formats/parquet/tables.ts',
  'hardware/targets.ts',
  'profile/operandCodec.ts',
  'replay/replay.ts',
  'session/simulatorBackend.ts',
  'simulate.ts',
  'simulateRanks.ts',
];

/** May import node: modules; nothing else of the simulator or the webview may. */
const NODE_FOLDERS = ['simulator/frontend', 'simulator/service', 'extension', 'cli'];

const within = (file: string, folder: string) => file.startsWith(`${folder}/`) || file === `${folder}.ts`;
const shown = ({ file, specifier }: Import) => `${file} -> ${specifier}`;

describe('architecture', () => {
  const all = importsIn(SRC);

  it('reads the tree', () => assert.ok(all.length > 3000, `only ${all.length} imports found`));

  it('lets each folder import only what the rule allows', () => {
    const broken = all.filter(({ file, target }) => {
      const rule = ALLOWED.find(([folder]) => within(file, folder));
      return target !== null && rule !== undefined && !rule[1].some(folder => within(target, folder));
    });
    assert.deepEqual(broken.map(shown), []);
  });

  it('has all of the simulator in the table of ARCHITECTURE.md', () => {
    const missing = sourcesIn(path.join(SRC, 'simulator'))
      .map(name => `simulator/${name}`)
      .filter(file => file !== 'simulator/index.ts' && !SIMULATOR_ORDER.some(folder => within(file, folder)));
    assert.deepEqual(missing, []);
    const gone = SIMULATOR_ORDER.filter(name => !fs.existsSync(path.join(SRC, name)) && !fs.existsSync(path.join(SRC, `${name}.ts`)));
    assert.deepEqual(gone, []);
  });

  it('keeps the simulator in the order of that table', () => {
    const place = (file: string) => SIMULATOR_ORDER.findIndex(folder => within(file, folder));
    const broken = all.filter(({ file, target }) => {
      if (target === null || !within(file, 'simulator') || file === 'simulator/index.ts') return false;
      return place(target) < 0 || place(target) > place(file);
    });
    assert.deepEqual(broken.map(shown), []);
  });

  for (const [folder, known] of Object.entries(KNOWN_CYCLES))
    it(`has no files in ${folder} that import one another, but for ${known.length} known circles`, () => {
      const cycles = importCycles(all);
      assert.deepEqual(
        cycles.filter(([first]) => within(first, folder)),
        known,
      );
      assert.ok(cycles.every(group => Object.keys(KNOWN_CYCLES).some(name => group.every(file => within(file, name)))));
    });

  it('has no folders in webview that import one another', () => {
    const folder = (file: string) => path.posix.dirname(file);
    const between = all.flatMap(({ file, target, specifier }) => {
      const inside = target !== null && within(file, 'webview') && within(target, 'webview') && folder(file) !== folder(target);
      return inside ? [{ file: folder(file), target: folder(target), specifier }] : [];
    });
    assert.ok(between.length > 100);
    assert.deepEqual(importCycles(between), []);
  });

  it('finds imports of every form', () => {
    const text = [
      "import 'a';",
      "import type {\n  B,\n} from 'b';",
      "export * from 'c';",
      "import D, { type E } from 'd';",
      "type F = import('f').F;",
    ];
    assert.deepEqual(specifiersIn(text.join('\n')), ['a', 'b', 'c', 'd', 'f']);
  });

  it('finds circles', () => {
    const edge = (file: string, target: string) => ({ file, target, specifier: target });
    const graph = [edge('a', 'b'), edge('b', 'c'), edge('c', 'a'), edge('c', 'd'), edge('d', 'e'), edge('f', 'f'), edge('e', 'g')];
    assert.deepEqual(importCycles(graph), [['a', 'b', 'c'], ['f']]);
  });

  it('looks a machine up by its name only where all there is is a name: a request, a profile, a capture', () => {
    const lookups = sourcesIn(SRC).filter(file => /\bmachineFor\(/.test(fs.readFileSync(path.join(SRC, file), 'utf8')));
    assert.deepEqual(
      lookups,
      NAME_TO_MACHINE.map(name => `simulator/${name}`),
    );
  });

  it('keeps vscode in the extension, and Node in the folders that may', () => {
    const broken = all.filter(({ file, specifier }) => {
      if (specifier === 'vscode') return !within(file, 'extension');
      return specifier.startsWith('node:') && !NODE_FOLDERS.some(folder => within(file, folder));
    });
    assert.deepEqual(broken.map(shown), []);
  });

  it('imports the webview toolkit in one file only', () => {
    const files = new Set(all.filter(i => i.specifier.startsWith('@vscode/webview-ui-toolkit')).map(i => i.file));
    assert.equal(files.size, 1, [...files].join(', '));
  });
});
