/** The command line as scripts see it: the built `dist/cli.js` in a process of its own. Exit codes, streams, keys of JSON. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import { decodeNkiprof } from '../../src/simulator/index';
import { CLI, DIST } from '../support/built';
import { DOUBLE_KERNEL } from '../support/doubleKernel';
import { syntheticProfile } from '../support/syntheticProfile';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

function start(args: string[], cwd: string) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env: { ...process.env, NEURON_PLATFORM_TARGET_OVERRIDE: '' } });
  const streams = { out: '', err: '' };
  child.stdout.on('data', data => (streams.out += data));
  child.stderr.on('data', data => (streams.err += data));
  const ended = new Promise<Ended>(resolve => child.on('close', code => resolve({ code, ...streams })));
  return { child, streams, ended };
}

const ADD = `${DOUBLE_KERNEL}

if __name__ == "__main__":
    print("hello from the script")
    double(np.ones((128, 512), dtype=np.float32))
`;

const CAPTURE_KEYS = [
  'profile',
  'kernel',
  'target',
  'total_time_ns',
  'body_ns',
  'ncl_us',
  'interval_ns',
  'interval_held_percent',
  'instructions',
  'engines',
  'dma',
  'outputs',
  'checks',
  'warnings',
  'hot_lines',
  'timings_ms',
];

describe('command line', () => {
  const folder = temporaryFolder();
  const cli = (...args: string[]) => start(args, folder.path()).ended;
  /** Exit 2, nothing on standard output, one line on standard error. */
  const refused = async (args: string[], message: RegExp) => {
    const { code, out, err } = await cli(...args);
    assert.deepEqual([code, out], [2, ''], `${args.join(' ')}: ${err}`);
    assert.match(err, message);
    assert.equal(err.trimEnd().split('\n').length, 1, err);
  };

  before(() => {
    assert.ok(fs.existsSync(CLI), `${CLI} is not built: run npm run build`);
    folder.write('a.nkiprof', encodeNkiprof(syntheticProfile(300)));
    folder.write('broken.nkiprof', encodeNkiprof(syntheticProfile(300)).subarray(0, 500));
    folder.write('double.py', ADD);
  });

  describe('usage', () => {
    it('explains itself and every command, with examples', async () => {
      const { code, out } = await cli('--help');
      assert.equal(code, 0);
      for (const name of ['capture', 'run', 'python-path', 'lines', 'compare', 'view']) {
        assert.match(out, new RegExp(`^  ${name} `, 'm'));
        const help = await cli(name, '--help');
        assert.equal(help.code, 0);
        assert.match(help.out, new RegExp(`nki-scope ${name}[^]*\\n  .*nki-scope ${name}`), help.out);
      }
    });

    it('refuses wrong usage with exit code 2 and one line', async () => {
      await refused([], /name a command/);
      await refused(['frobnicate'], /no command frobnicate; there are capture, run/);
      await refused(['inspect', '-o', 'x'], /inspect does not apply here: .*`run SCRIPT\.py`/);
      await refused(['capture'], /name a Python file/);
      await refused(['capture', 'gone.py'], /gone\.py: no such file/);
      await refused(['capture', 'double.py', '--target', 'gpu'], /one of trn1, trn2, trn3/);
      await refused(['lines'], /-s FILE/);
      await refused(['lines', '-s', 'gone.nkiprof'], /gone\.nkiprof: no such file/);
      await refused(['compare', 'a.nkiprof'], /name two profiles/);
      await refused(['compare', 'a.nkiprof', 'a.nkiprof', '--fail-above', 'much'], /--fail-above much: a number/);
      await refused(['view', '--output-format', 'csv'], /name a profile with -s/);
      await refused(['view', 'a.nkiprof', 'a.nkiprof', '--output-format', 'csv'], /csv takes one profile, not 2/);
      await refused(['view', '-s', 'a.nkiprof', '-d', '.'], /-s FILE, or a folder with -d FOLDER, not both/);
      await refused(['view', '-s', 'a.nkiprof', '--port', 'x'], /--port x/);
      await refused(['view', '-s', 'a.nkiprof', '--port', '-1'], /--port -1: a number from 0 to 65535/);
      await refused(['capture', 'double.py', '-s', 'nodir/x.nkiprof'], /-s nodir\/x\.nkiprof: there is no folder/);
      await refused(['view', '-s', 'a.nkiprof', '--output-format', 'csv', '--range', '5:1'], /--range 5:1/);
      await refused(
        ['view', '-s', 'a.nkiprof', '--output-format', 'html', '--output-file', 'nodir/x.html'],
        /cannot write nodir\/x\.html: no such file/,
      );
      await refused(['view', '-s', 'a.nkiprof', '--output-format', 'gif'], /no format gif/);
    });

    it('prints the folder for PYTHONPATH and nothing else', async () => {
      assert.deepEqual(await cli('python-path'), { code: 0, out: `${path.join(DIST, 'python')}\n`, err: '' });
    });
  });

  describe('profiles', () => {
    it('answers a damaged file with exit code 1 and one sentence', async () => {
      for (const args of [
        ['lines', '-s', 'broken.nkiprof'],
        ['view', '-s', 'broken.nkiprof'],
        ['view', '-s', 'broken.nkiprof', '--output-format', 'json'],
        ['lines', '-s', 'double.py'],
      ]) {
        const { code, out, err } = await cli(...args);
        assert.deepEqual([code, out], [1, '']);
        assert.match(err, /^(broken\.nkiprof|double\.py): (the \.nkiprof file is damaged|not an \.nkiprof file): [^\n]+\n$/);
      }
    });

    it('prints lines as a table and as the contract’s JSON', async () => {
      const table = await cli('lines', '-s', 'a.nkiprof');
      assert.equal(table.code, 0);
      assert.ok(table.out.split('\n').every(row => row.length <= 100));
      const rows = JSON.parse((await cli('lines', '-s', 'a.nkiprof', '--json')).out);
      assert.deepEqual(Object.keys(rows[0]), [
        'file',
        'line',
        'text',
        'instructions',
        'time_ns',
        'share',
        'engines',
        'stalls',
        'dma_bytes',
      ]);
      assert.equal(
        rows.reduce((n: number, row: { instructions: number }) => n + row.instructions, 0),
        300,
      );
    });

    it('compares two profiles, and fails a build when the second is slower than allowed', async () => {
      const slower = { ...syntheticProfile(300), totalTimeNs: syntheticProfile(300).totalTimeNs * 1.05 };
      folder.write('b.nkiprof', encodeNkiprof(slower));
      const verdict = async (limit: string) => (await cli('compare', 'a.nkiprof', 'b.nkiprof', '--fail-above', limit)).code;
      assert.deepEqual([await verdict('5'), await verdict('4.9')], [0, 1]);
      const { code, out } = await cli('compare', 'a.nkiprof', 'b.nkiprof', '--json');
      const { total, lines, unpaired } = JSON.parse(out);
      assert.deepEqual(unpaired, { a: 0, b: 0 });
      assert.equal(code, 0);
      assert.deepEqual(Object.keys(total), ['a_ns', 'b_ns', 'delta_percent']);
      assert.ok(Math.abs(total.delta_percent - 5) < 1e-9);
      assert.ok(lines.length > 0 && lines.every((l: { verdict: string }) => l.verdict === 'same'));
    });

    it('names the columns of a comparison by what tells the files apart', async () => {
      const profile = encodeNkiprof(syntheticProfile(300));
      const slower = encodeNkiprof({ ...syntheticProfile(300), totalTimeNs: syntheticProfile(300).totalTimeNs * 1.05 });
      for (const [place, bytes] of [['main', profile], ['branch', slower]] as const) folder.write(`${place}/k.nkiprof`, bytes); // biome-ignore format: one thought
      const { out } = await cli('compare', 'main/k.nkiprof', 'branch/k.nkiprof', '--all');
      assert.match(out, /change +main\/k +branch\/k +line\n/);
      assert.match(out, /\nmain\/k: \S+\.py: \w+ .*\nbranch\/k: /);
      assert.match((await cli('compare', 'a.nkiprof', 'a.nkiprof', '--markdown', '--all')).out, /\| a · run 1 \| a · run 2 \|/);
    });

    it('writes every format, to standard output or to a file, and answers flags that do not apply', async () => {
      assert.match((await cli('view', '-s', 'a.nkiprof', '--output-format', 'summary-text')).out, /total_time +\S/);
      const { out, err } = await cli('view', '-s', 'a.nkiprof', '--db-endpoint', 'http://x', '--output-format', 'summary-json');
      assert.match(Object.keys(JSON.parse(out))[0], /^n_[0-9a-f]{16}$/);
      assert.equal(err, '--db-endpoint does not apply here: profiles are files, there is no database\n');
      assert.equal((await cli('view', '-s', 'a.nkiprof', '--output-format', 'json', '--output-file', 'ntff.json')).code, 0);
      assert.equal(JSON.parse(fs.readFileSync(folder.path('ntff.json'), 'utf8')).instruction.length, 300);
      for (const format of ['perfetto', 'html', 'csv', 'parquet']) {
        const written = await cli('view', '-s', 'a.nkiprof', '--output-format', format, '--output-file', `out.${format}`);
        assert.deepEqual([written.code, written.err], [0, `out.${format} written\n`]);
      }
      assert.match(
        fs.readFileSync(folder.path('out.html'), 'utf8'),
        /^<!DOCTYPE html>[\s\S]*data-packing="deflate-raw">[A-Za-z0-9+/]+=*<\/script>/,
      );
      assert.equal((await cli('view', 'a.nkiprof', 'b.nkiprof', '--output-format', 'html', '--output-file', 'two.html')).code, 0);
      assert.match(fs.readFileSync(folder.path('two.html'), 'utf8'), /class="stacked" data-title="b\.nkiprof"/);
      const read = async (file: string) => JSON.parse((await cli('view', '-s', file, '--output-format', 'summary-json')).out);
      const counts = async (file: string) => (Object.values(await read(file))[0] as Record<string, number>).tensor_engine_instruction_count;
      assert.equal(await counts('ntff.json'), await counts('a.nkiprof'));
      assert.equal(await counts('out.parquet'), await counts('a.nkiprof'));
      assert.match((await cli('view', '--terminology')).out, /mm_arithmetic_intensity \[FLOPs\/byte\]/);
    });

    it('prints the schema of the Parquet tables, each field with type and unit', async () => {
      const [root, ...tables] = (await cli('view', '--show-profile-schema')).out.split('---\n');
      assert.equal(root, 'profile_schema_version: "7.4.0"\n');
      await cli('view', '-s', 'a.nkiprof', '--output-format', 'parquet', '--output-file', 'schema.parquet');
      const written = fs.readdirSync(folder.path('schema.parquet')).map(name => name.replace('.parquet', ''));
      const printed = tables.map(table => /^table: (\w+)\n/.exec(table)?.[1]);
      assert.deepEqual(
        written.filter(name => !printed.includes(name)),
        [],
      );
      assert.match(
        tables.find(table => table.startsWith('table: Instruction\n'))!,
        / {2}- name: start_ts\n {4}type: \w+\n {4}unit: "nanoseconds"\n {4}required: true\n {4}description: "/,
      );
    });

    it('writes the same report of the same profiles, byte for byte, at any time and by any process', async () => {
      fs.copyFileSync(folder.path('a.nkiprof'), folder.path('stacked.nkiprof'));
      const report = async (name: string) => {
        const { code, err } = await cli('view', 'a.nkiprof', 'stacked.nkiprof', '--output-format', 'html', '--output-file', name);
        assert.equal(code, 0, err);
        return fs.readFileSync(folder.path(name));
      };
      const first = await report('first.html');
      const another = new Date(Date.now() - 86_400_000);
      fs.utimesSync(folder.path('a.nkiprof'), another, another);
      assert.ok(first.equals(await report('second.html')));
      assert.doesNotMatch(first.toString(), /nonce-/);
    });

    it('serves the viewer until Ctrl-C', async () => {
      const { child, streams, ended } = start(['view', '-s', 'a.nkiprof', '--port', '0'], folder.path());
      while (!streams.out.includes('\n')) await new Promise(resolve => setTimeout(resolve, 20));
      const [url, page] = /(http:\/\/127\.0\.0\.1:\d+\/profile\/n_[0-9a-f]+)\?token=[\w-]+/.exec(streams.out)!;
      const status = (of: string) => new Promise(resolve => http.get(of, response => resolve(response.resume().statusCode)));
      const statuses = [await status(url), await status(page)];
      child.kill('SIGINT');
      assert.deepEqual([statuses, (await ended).code], [[303, 403], 0]);
    });
  });

  describe('capture', () => {
    it('prints exactly one JSON object with the contract’s keys, and writes the profile', async () => {
      const { code, out, err } = await cli('capture', 'double.py', '--json');
      assert.equal(code, 0, err);
      const object = JSON.parse(out);
      assert.deepEqual(Object.keys(object), CAPTURE_KEYS);
      assert.deepEqual(Object.keys(object.timings_ms), ['start', 'trace', 'compile', 'execute', 'schedule', 'total']);
      assert.deepEqual(Object.keys(object.dma), ['bytes', 'transfers', 'active_ns']);
      assert.deepEqual([object.kernel, object.target, object.dma.bytes], ['double', 'trn2', 2 * 128 * 512 * 4]);
      assert.deepEqual(Object.keys(object.engines.Vector), ['instructions', 'active_ns', 'active_percent']);
      assert.deepEqual(Object.keys(object.hot_lines[0]), ['file', 'line', 'text', 'share', 'time_ns']);
      assert.ok([11, 13].includes(object.hot_lines[0].line), 'the DMAs take the time');
      assert.equal(object.profile, folder.path('double.nkiprof'));
      const profile = decodeNkiprof(fs.readFileSync(object.profile));
      assert.ok(Math.abs(profile.totalTimeNs - object.total_time_ns) < 1e-3);
      assert.doesNotMatch(out, /[1-9]\d*\.\d{10}|\b0\.0*[1-9]\d{9}/);
      assert.equal(profile.instructions.startNs.length, object.instructions);
      assert.match(err, /hello from the script/);
    });

    it('compiles as --pipeline says, and the profile names it', async () => {
      const { out } = await cli('capture', 'double.py', '--pipeline', 'standalone', '--json', '--explain-compile', '-s', 'alone.nkiprof');
      const profile = decodeNkiprof(fs.readFileSync(folder.path('alone.nkiprof')));
      assert.equal(profile.pipeline, 'standalone');
      assert.ok(
        profile.tracks.every(({ name }) => !name.includes('Dynamic')),
        'no descriptors are made while it runs',
      );
      assert.match(out, /"pipeline": ?"standalone"/);
    });

    it('prints summary, hot lines and accuracy for people', async () => {
      const { code, out } = await cli('capture', 'double.py', '-s', 'mine.nkiprof', '--target', 'trn1');
      assert.equal(code, 0);
      assert.match(
        out,
        /^hello from the script\ndouble on trn1: [\d.]+ µs in all \(likely [\d.]+ µs to [\d.]+ µs\), .* kernel body, NCL [\d.]+ µs\n/,
      );
      assert.match(out, /double\.py\n[\s\S]* 11 nisa\.dma_copy\(dst=tile, src=a\)/);
      assert.match(out, /\nProfile: mine\.nkiprof\n$/);
      assert.ok(fs.existsSync(folder.path('mine.nkiprof')));
      assert.deepEqual(
        fs.readdirSync(folder.path()).filter(name => name.endsWith('.tmp')),
        [],
      );
    });

    it('calls a kernel with arguments, and lists kernels when it does not know the inputs', async () => {
      folder.write('open.py', ADD.slice(0, ADD.indexOf('if __name__')));
      const called = await cli('capture', 'open.py', '--kernel', 'double', '--arg', 'a=bf16[64,256]', '--json');
      assert.deepEqual(
        JSON.parse(called.out).outputs.map((o: { shape: number[]; dtype: string }) => [o.shape, o.dtype]),
        [[[64, 256], 'bfloat16']],
      );
      const open = await cli('capture', 'open.py', '--json');
      assert.deepEqual([open.code, open.out], [1, '']);
      assert.match(open.err, /capture open\.py --kernel double --arg a=bf16\[128,512\]/);
    });

    it('prints the last run with all runs beside it when a script calls several kernels', async () => {
      folder.write('twice.py', `${ADD}    double(np.ones((64, 512), dtype=np.float32))\n`);
      const object = JSON.parse((await cli('capture', 'twice.py', '--json')).out);
      const keys = CAPTURE_KEYS.filter(key => !key.startsWith('interval'));
      assert.deepEqual(Object.keys(object), [...keys, 'runs', 'run_profile', 'launches']);
      assert.deepEqual(
        object.runs.map((r: { profile: string }) => path.basename(r.profile)),
        ['double-1.nkiprof', 'double-2.nkiprof'],
      );
      assert.equal(object.profile, object.runs[1].profile);
      const times = object.runs.map((r: { total_time_ns: number }) => r.total_time_ns);
      assert.deepEqual(
        object.launches.map((l: { kernel: string; file: string; line: number; total_time_ns: number; profile: string }) => [
          ...[l.kernel, path.basename(l.file), l.line, path.basename(l.profile)],
          Math.round(l.total_time_ns),
        ]),
        times.map((ns: number, k: number) => ['double', 'twice.py', 19 + k, `double-${k + 1}.nkiprof`, Math.round(ns)]),
      );
      assert.ok(Math.abs(object.total_time_ns - times[0] - times[1]) < 1e-3);
      assert.equal(path.basename(object.run_profile), 'twice-launches.nkiprof');
      const { out } = await cli('lines', '-s', 'twice-launches.nkiprof', '--json');
      assert.deepEqual(
        JSON.parse(out).map((line: { line: number }) => line.line),
        times[0] >= times[1] ? [19, 20] : [20, 19],
      );
    });

    it('says of a kernel that is named its own time alone, whatever the file calls when it is imported, also where it imports pdb', async () => {
      const alone = ADD.slice(0, ADD.indexOf('if __name__'));
      folder.write('alone.py', alone);
      folder.write('called.py', `import pdb\n${alone}\ndouble(np.ones((64, 512), dtype=np.float32))\n`);
      const of = async (file: string) =>
        JSON.parse((await cli('capture', file, '--kernel', 'double', '--arg', 'a=bf16[64,256]', '--json')).out);
      const [own, beside] = [await of('alone.py'), await of('called.py')];
      assert.deepEqual([beside.total_time_ns, beside.runs, beside.launches], [own.total_time_ns, undefined, undefined]);
      assert.equal(path.basename(beside.profile), 'double.nkiprof');
    });

    it('measures what Python takes between kernel calls when it is asked to', async () => {
      folder.write('slow.py', `${ADD}    import time\n    time.sleep(0.2)\n    double(np.ones((64, 512), dtype=np.float32))\n`);
      const object = JSON.parse((await cli('capture', 'slow.py', '--host-time', '--json')).out);
      const [first, second] = object.launches;
      assert.equal(first.script_ns, null);
      assert.ok(second.script_ns > 0.19e9, `${second.script_ns}`);
      assert.equal(second.gap_ns, second.script_ns);
      const plain = JSON.parse((await cli('capture', 'slow.py', '--json')).out);
      assert.deepEqual(
        plain.launches.map((launch: { script_ns: number | null; gap_ns: number }) => [launch.script_ns, launch.gap_ns]),
        [
          [null, 0],
          [null, 0],
        ],
      );
    });

    it('answers bad Python with file:line: Kind: message, exit code 1 and no stack of ours', async () => {
      const bad: [name: string, text: string, message: RegExp][] = [
        ['syntax.py', 'def f(:\n  pass\n', /^syntax\.py:1: SyntaxError: /m],
        ['missing.py', 'import nki\nimport not_there\n', /^missing\.py:2: ModuleNotFoundError: /m],
        ['unknown.py', ADD.replace('nisa.tensor_tensor', 'nisa.tensor_tensorr'), /^unknown\.py:12: \w+: .*tensor_tensorr/m],
        ['wide.py', ADD.replace('(128, 512)', '(129, 512)'), /^wide\.py:1\d: \w+: .*12[89]/m],
        ['binary.py', '\0\0\0', /binary\.py: NotPython: /],
      ];
      for (const [name, text, message] of bad) {
        folder.write(name, text);
        const { code, out, err } = await cli('capture', name, '--json');
        assert.deepEqual([code, out], [1, ''], `${name}: ${err}`);
        assert.match(err, message);
        assert.doesNotMatch(err, /\n {4}at |_record|worker\.mjs/);
      }
    });

    it('stops at Ctrl-C with exit code 1, naming the line', async () => {
      folder.write('endless.py', 'print("on", flush=True)\nwhile True:\n    pass\n');
      const { child, streams, ended } = start(['capture', 'endless.py', '--json'], folder.path());
      while (!streams.err.includes('on')) await new Promise(resolve => setTimeout(resolve, 20));
      child.kill('SIGINT');
      const { code, err } = await ended;
      assert.equal(code, 1);
      assert.match(err, /^endless\.py:[23]: Cancelled: /m);
    });
  });

  it('runs a script as it is, with its arguments', async () => {
    folder.write('script.py', 'import sys\nprint(sys.argv[1:])\nprint("oops", file=sys.stderr)\n');
    const { code, out, err } = await cli('run', 'script.py', '--json', '-s', 'x');
    assert.deepEqual([code, out], [0, "['--json', '-s', 'x']\n"]);
    assert.match(err, /^oops$/m);
    folder.write('raises.py', 'def f():\n    raise ValueError("no")\nf()\n');
    const failed = await cli('run', 'raises.py');
    assert.equal(failed.code, 1);
    assert.match(failed.err, /raises\.py:2: ValueError: no\n$/);
  });
});
