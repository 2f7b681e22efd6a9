/**
 * A new generation is one file and one row in the list of machines: a fifth machine that exists here alone runs the examples, is checked,
 * stands on the page of functions and gives a timeline, in a build that differs by that row.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import esbuild from 'esbuild';
import { SimulatorClient } from '../../src/simulator/service/client';
import { bundleService, script } from '../support/dist';
import { EXAMPLES, exampleFiles } from '../support/examples';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

const LIST = path.join(NKI_SCOPE_ROOT, 'src/simulator/hardware/machines.ts');
const OWN = path.join(NKI_SCOPE_ROOT, 'test/fixtures/imaginary/neuroncoreV5');
const TARGET = 'trn4';

/** The one row. */
const withFifth: esbuild.Plugin = {
  name: 'a fifth machine',
  setup({ onLoad }) {
    onLoad({ filter: /hardware[\\/]machines\.ts$/ }, () => {
      const list = fs.readFileSync(LIST, 'utf8').replace('neuronCoreV4];', 'neuronCoreV4, neuronCoreV5];');
      assert.match(list, /neuronCoreV5\];/);
      return { contents: `import { neuronCoreV5 } from ${JSON.stringify(OWN)};\n${list}`, loader: 'ts' };
    });
  },
};

const TOO_MUCH_FOR_TRN3 = `
import nki, nki.isa as nisa, nki.language as nl

@nki.jit
def hold(a):
    out = nl.ndarray((128, 80000), dtype=nl.float32, buffer=nl.shared_hbm)
    tile = nl.ndarray((128, 80000), dtype=nl.float32, buffer=nl.sbuf)
    assert nisa.get_nc_version() > nisa.nc_version.gen4 and nl.tile_size.psum_num_banks == 16 and nl.tile_size.bn_stats_fmax == 1024
    nisa.dma_copy(dst=tile, src=a)
    nisa.dma_copy(dst=out, src=tile)
    return out
`;

describe('a machine of one file @long', () => {
  const folder = temporaryFolder();
  const cli = (...args: string[]) => {
    const run = spawnSync(process.execPath, [folder.path('dist', 'cli.js'), ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 26,
      cwd: folder.path(),
    });
    return { ...run, all: `${run.stdout}\n${run.stderr}` };
  };
  const capture = (file: string, target: string, ...args: string[]) =>
    cli('capture', file, '--target', target, '-s', folder.path('p.nkiprof'), ...args);

  before(async function () {
    this.timeout(120_000);
    const dist = folder.path('dist');
    const [{ buildPythonPackage }, { buildSnapshot }] = await Promise.all(['python-package.mjs', 'snapshot.mjs'].map(script));
    await buildPythonPackage(path.join(dist, 'python'), [withFifth]);
    const bundled = {
      absWorkingDir: NKI_SCOPE_ROOT,
      bundle: true,
      platform: 'node' as const,
      logLevel: 'warning' as const,
      plugins: [withFifth],
    };
    await Promise.all([
      buildSnapshot(dist),
      bundleService(dist, [withFifth]),
      esbuild.build({ ...bundled, entryPoints: ['src/cli/main.ts'], outfile: path.join(dist, 'cli.js'), format: 'cjs' }),
      esbuild.build({
        ...bundled,
        stdin: { contents: TIMELINE, resolveDir: NKI_SCOPE_ROOT },
        outfile: folder.path('timeline.mjs'),
        format: 'esm',
      }),
    ]);
  });

  it('runs the examples', async () => {
    const client = new SimulatorClient({ dist: folder.path('dist') });
    try {
      for (const file of exampleFiles()) {
        const { runs, error } = await client.capture({ file: path.join(EXAMPLES, file), root: EXAMPLES, target: TARGET });
        assert.equal(error, null, file);
        assert.ok(runs.length > 0, `${file} calls no kernel`);
        const sentence = 'Modelled for NeuronCore-v5, which is imagined.';
        for (const { profile } of runs) assert.ok(Buffer.from(profile).includes(sentence), file);
      }
    } finally {
      client.dispose();
    }
  });

  it('takes its own time', () => {
    const example = path.join(EXAMPLES, 'nki/matmul_tiled.py');
    const [v4, v5] = ['trn3', TARGET].map(target => {
      const run = capture(example, target, '--json');
      return (JSON.parse(run.stdout) as { total_time_ns: number }).total_time_ns;
    });
    assert.ok(v5 < v4, `${v5} ns, ${v4} ns`);
  });

  it('is known to Python and to the checks, with its own sizes', () => {
    const file = folder.write('hold.py', TOO_MUCH_FOR_TRN3);
    const args = ['--kernel', 'hold', '--arg', 'a=fp32[128,80000]'];
    const fits = capture(file, TARGET, ...args);
    assert.equal(fits.status, 0, fits.all);
    const withoutItsSizes = folder.write('less.py', TOO_MUCH_FOR_TRN3.replace(/ {4}assert.*\n/, ''));
    const refused = capture(withoutItsSizes, 'trn3', ...args);
    assert.notEqual(refused.status, 0);
    assert.match(refused.all, /320000 bytes per partition|312\.5 KiB/);
    const priority = folder.write('first.py', TOO_MUCH_FOR_TRN3.replace('src=a)', 'src=a, priority=1)'));
    assert.match(capture(priority, TARGET, ...args).all, /priority is not available on NeuronCore-v5; it is on trn3/);
  });

  it('stands on the page of functions', async () => {
    const { apiPage } = (await script('api.mjs')) as unknown as Record<
      string,
      (tests: Map<string, unknown[]>, plugins?: unknown[]) => Promise<string>
    >;
    const [page, before] = [await apiPage(new Map(), [withFifth]), await apiPage(new Map())];
    assert.match(page, /\| `nc_matmul` \|.*\| Trn1, Trn2, Trn3, Trn4 \|/);
    assert.equal(page.replaceAll(', Trn4', '').replaceAll('Trn4', ''), before);
  });

  it('gives a timeline', async () => {
    assert.equal(capture(path.join(EXAMPLES, 'nki/softmax.py'), TARGET).status, 0);
    const { timeline } = (await import(folder.path('timeline.mjs'))) as { timeline(bytes: Uint8Array): Record<string, unknown> };
    const { target, generation, tracks, events, sbufReadBytes, warnings } = timeline(fs.readFileSync(folder.path('p.nkiprof')));
    assert.deepEqual([target, generation], [TARGET, 'v5']);
    assert.ok(Number(tracks) > 5 && Number(events) > 20 && Number(sbufReadBytes) > 0 && Array.isArray(warnings));
    for (const format of ['summary-text', 'perfetto', 'csv', 'parquet']) {
      const run = cli('view', '-s', folder.path('p.nkiprof'), '--output-format', format, '--output-file', folder.path(`out.${format}`));
      assert.equal(run.status, 0, `${format}: ${run.all}`);
    }
  });
});

/** What the page makes of a profile, in the build with the fifth machine. */
const TIMELINE = `
import { warnings } from './src/simulator/analyze/warnings';
import { ofLists, operandBytes } from './src/simulator/analyze/operandBytes';
import { decodeNkiprof } from './src/simulator/formats/nkiprof';
import { buildModel } from './src/webview/data/model';

export function timeline(bytes) {
  const profile = decodeNkiprof(bytes);
  const { tracks, events } = buildModel(profile);
  const sbufReadBytes = ofLists(profile, list => operandBytes(profile, list).sbufRead).reduce((sum, bytes) => sum + bytes, 0);
  const { target, machine: { generation } } = profile;
  return { target, generation, tracks: tracks.length, events, sbufReadBytes, warnings: warnings(profile) };
}
`;
