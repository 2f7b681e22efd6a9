/**
 * The import rule of ARCHITECTURE.md, held: what each room may import, and which may touch Node, the DOM or vscode.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

declare const NKI_SCOPE_ROOT: string;

const SRC = path.join(NKI_SCOPE_ROOT, 'src');

/** Room -> the folders (or files) of src/ that its files may import, itself included. The first matching room counts. */
const ALLOWED: [room: string, imports: string[]][] = [
  ['simulator', ['simulator']],
  ['webview/protocol', ['webview/protocol']],
  [
    'webview',
    ['webview', 'simulator/profile', 'simulator/analyze', 'simulator/columns', 'simulator/vocabulary', 'simulator/formats/nkiprof'],
  ],
  ['extension', ['extension', 'webview/protocol', 'simulator/index']],
  ['cli', ['cli', 'webview/protocol', 'simulator/index']],
];

/** The simulator's folders in the order the data flows: a folder imports itself and those before it, never those after. */
const SIMULATOR_ORDER = [
  'vocabulary',
  'frontend',
  'columns',
  'hardware',
  'isa',
  'program',
  'execute',
  'compile',
  'schedule',
  'profile',
  'simulate',
  'analyze',
  'formats',
  'replay',
  'session',
  'service',
];

/** Files that turn the name of a target into its machine. */
const NAME_TO_MACHINE = [
  'analyze/firstTrigger.ts',
  'analyze/operandBytes.ts',
  'analyze/warnings.ts',
  'formats/capture/build.ts',
  'formats/parquet/tables.ts',
  'hardware/targets.ts',
  'replay/replay.ts',
  'session/simulatorBackend.ts',
  'simulate.ts',
];

/** SimulatorBackend that may import node: modules; nothing else of the simulator or the webview may. */
const NODE_ROOMS = ['simulator/frontend', 'simulator/service', 'extension', 'cli'];

interface Import {
  file: string;
  specifier: string;
  typeOnly: boolean;
}

function sources(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.ts'))
    .map(name => path.join(folder, name));
}

function imports(): Import[] {
  const statement = /(?:^|\n)\s*(import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;
  return sources(SRC).flatMap(file =>
    [...fs.readFileSync(file, 'utf8').matchAll(statement)].map(m => ({
      file: path.relative(SRC, file).replaceAll('\\', '/'),
      specifier: m[3] ?? m[4],
      typeOnly: Boolean(m[2]),
    })),
  );
}

const target = ({ file, specifier }: Import) => path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
const within = (file: string, room: string) => file === room || file.startsWith(`${room}/`) || file === `${room}.ts`;

describe('architecture', () => {
  const all = imports();

  it('reads the tree', () => assert.ok(all.length > 100, `only ${all.length} imports found`));

  it('lets each room import only what the rule allows', () => {
    const broken = all.filter(i => {
      if (!i.specifier.startsWith('.')) return false;
      const rule = ALLOWED.find(([room]) => within(i.file, room));
      return rule !== undefined && !rule[1].some(room => within(target(i), room));
    });
    assert.deepEqual(
      broken.map(i => `${i.file} -> ${i.specifier}`),
      [],
    );
  });

  it('keeps the simulator one-way', () => {
    const folder = (file: string) => /^simulator\/([^/]+)\//.exec(file)?.[1];
    const broken = all.filter(i => {
      const [from, to] = [folder(i.file), folder(`${target(i)}/`)];
      if (!i.specifier.startsWith('.') || !from || !to || from === to) return false;
      return SIMULATOR_ORDER.indexOf(to) >= SIMULATOR_ORDER.indexOf(from) || !SIMULATOR_ORDER.includes(to);
    });
    assert.deepEqual(
      broken.map(i => `${i.file} -> ${i.specifier}`),
      [],
    );
  });

  it('looks a machine up by its name only where all there is is a name: a request, a profile, a capture', () => {
    const lookups = sources(SRC).filter(file => /\bmachineFor\(/.test(fs.readFileSync(file, 'utf8')));
    assert.deepEqual(lookups.map(file => path.relative(path.join(SRC, 'simulator'), file).replaceAll('\\', '/')).sort(), NAME_TO_MACHINE);
  });

  it('keeps vscode in the extension and Node out of the pure rooms', () => {
    const broken = all.filter(i => {
      if (i.specifier === 'vscode') return !within(i.file, 'extension');
      return i.specifier.startsWith('node:') && !NODE_ROOMS.some(room => within(i.file, room));
    });
    assert.deepEqual(
      broken.map(i => `${i.file} -> ${i.specifier}`),
      [],
    );
  });

  it('imports the webview toolkit in one file only', () => {
    const files = new Set(all.filter(i => i.specifier.startsWith('@vscode/webview-ui-toolkit')).map(i => i.file));
    assert.equal(files.size, 1, [...files].join(', '));
  });
});
