/** The recipes of CONTRIBUTING.md lead to what they say: all are carried out on one copy of the repository, in their order. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import type { EventId, Profile } from '../../src/simulator/profile/profile';
import { carryOut, copyRepository, type Recipe, readRecipes, recipesOf, runCommand } from '../support/recipes';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

/** exp and tanh by turns: each needs its own table. */
const TWO_TABLES = `import numpy as np
import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def two_tables(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    for _ in range(3):
        for function in (nl.exp, nl.tanh):
            nisa.activation(dst=tile, op=function, data=tile)
    nisa.softsign(dst=tile, data=tile)
    nisa.dma_copy(dst=out, src=tile)
    return out


two_tables(np.zeros((128, 64), dtype=np.float32))
`;
const TABLES_LINE = 1 + TWO_TABLES.split('\n').findIndex(line => line.includes('op=function'));

describe('recipes of CONTRIBUTING.md @long', function () {
  // Builds the product and starts its interpreter; only guards against hanging.
  this.timeout(600_000);
  const folder = temporaryFolder();
  const recipes = readRecipes();
  const named = (title: string): Recipe => {
    const found = recipes.find(recipe => recipe.title === title);
    assert.ok(found, `no recipe ${title}`);
    return found;
  };
  let simulator: typeof import('../../src/simulator/index') & {
    tableLoads(p: Profile): { position: { line: number }; events: EventId[] }[];
  };

  before(async () => {
    copyRepository(folder.path());
    for (const recipe of recipes) carryOut(recipe, folder.path());
    folder.write('two_tables.py', TWO_TABLES);
    runCommand('node esbuild.mjs', folder.path());
    const outfile = folder.path('simulator.mjs');
    const entryPoints = [folder.path('src/simulator/index.ts')];
    const external = ['./pyodide/pyodide.mjs'];
    await esbuild.build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', external, logLevel: 'warning' });
    simulator = await import(pathToFileURL(outfile).href);
    runCommand('node dist/cli.js capture two_tables.py -s two_tables.nkiprof', folder.path());
  });

  const profile = () => simulator.readProfile({ path: folder.path('two_tables.nkiprof') });

  it('are these six', () => {
    assert.deepEqual(
      recipes.map(({ title }) => title),
      ['An analysis', 'A warning rule', 'An export format', 'A timeline tab', 'A cost rule', 'An NKI function'],
    );
  });

  it('refuse a step that has no place in the repository', () => {
    const lost = '\n## Recipes\n\n### Lost\n\nIn `LICENSE`, below `no such line`:\n\n```ts\nx\n```\n';
    assert.throws(() => carryOut(recipesOf(lost)[0], folder.path()), /0 lines: no such line/);
    assert.throws(() => recipesOf(lost.replace('below', 'near')), /no place in/);
  });

  it('lead to sources without errors of types', () => {
    const tsc = path.join(NKI_SCOPE_ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder.path()], { cwd: folder.path(), encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });

  it('An analysis: is public, and finds what the kernel does', async () => {
    const [line, ...others] = simulator.tableLoads(await profile());
    assert.deepEqual([line.position.line, line.events.length, others.length], [TABLES_LINE, 6, 0]);
  });

  it('A warning rule: is among the warnings, on its line', async () => {
    const [found] = simulator.warnings(await profile()).filter(({ rule }) => rule === 'table-loads');
    assert.equal(found.position?.line, TABLES_LINE);
    assert.match(found.message, /6 times/);
  });

  it('An export format: the command line writes it', () => {
    const printed = named('An export format').commands.map(command => runCommand(command, folder.path()));
    assert.match(printed.at(-1)!, /^file,line,loads,time_ns\r\n".*softmax\.py",\d+,1,\d+/);
  });

  it('An export format: the editor offers it', () => {
    const offered = fs.readFileSync(folder.path('dist', 'extension.js'), 'utf8');
    assert.match(offered, /-table-loads\.csv/);
  });

  it('A cost rule: times the instruction', async () => {
    const p = await profile();
    const row = p.instructions.opcode.indexOf(p.opcodes.indexOf('SOFTSIGN'));
    // 64 elements at 10 cycles of 0.96 GHz, and the fixed part
    assert.equal(Math.round(p.instructions.endNs[row] - p.instructions.startNs[row]), Math.round(215 + 640 / 0.96));
  });

  it('An NKI function: its cases pass, and it is documented', () => {
    const [, cases] = named('An NKI function').commands.map(command => runCommand(command, folder.path()));
    const outcomes = cases.split('\n').filter(line => line.startsWith('{"id"'));
    assert.deepEqual(
      outcomes.map(line => JSON.parse(line)).map(({ id, failure }) => [id, failure]),
      [
        ['nki isa.softsign value: softsign', null],
        ['nki isa.softsign misuse: softsign of another shape', null],
      ],
    );
    assert.match(fs.readFileSync(folder.path('docs', 'API.md'), 'utf8'), /\| `softsign` \|/);
  });
});
