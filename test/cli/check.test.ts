/** `check`, the action and the pytest plugin, as built: kernels that keep their budgets and kernels that do not. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CASE_FILE } from '../../src/simulator/index';
import { CLI, DIST, pythonWith } from '../support/built';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

const read = (...names: string[]) => fs.readFileSync(path.join(NKI_SCOPE_ROOT, ...names), 'utf8');
/** The first block of a page in a language. */
const blockOf = (page: string, language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)![1];

describe('check', () => {
  const folder = temporaryFolder();
  const page = read('docs/gates.md');
  const env = { ...process.env, NEURON_PLATFORM_TARGET_OVERRIDE: '' };
  const softmax = read('examples/nki/softmax.py');
  /** Reads each tile twice. */
  const slower = softmax.replace(/^ +nisa\.dma_copy\(dst=tile.*$/m, line => `${line}\n${line}`);

  function check(...args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, 'check', ...args], {
      encoding: 'utf8',
      cwd: folder.path('sub'),
      env,
    });
    return { status, stdout, stderr };
  }

  before(() => {
    assert.notEqual(slower, softmax);
    folder.write('sub/.keep', '');
    folder.write(CASE_FILE, blockOf(page, 'json'));
    folder.write('softmax.py', softmax);
  });

  it('asks for a baseline, stores it, and is content with it, as docs/gates.md has it', () => {
    const first = check();
    assert.equal(first.status, 1, first.stderr);
    assert.match(first.stdout, /^BROKEN {2}softmax trn2: [\d.]+ µs\n.*softmax\.py:\d+: no-baseline: .*check --update/);
    const update = check('--update');
    assert.equal(update.status, 0, update.stderr);
    const stored = fs.readFileSync(folder.path('nki-scope-baseline.json'), 'utf8');
    const kept = check();
    assert.deepEqual([kept.status, kept.stdout.split('\n').at(-2)], [0, 'Budgets kept: 1 of 1']);
    assert.equal(check('--update').status, 0);
    assert.equal(fs.readFileSync(folder.path('nki-scope-baseline.json'), 'utf8'), stored);
  });

  it('fails for a slower kernel, and writes reports that say where', () => {
    folder.write('softmax.py', slower);
    const { status, stdout } = check('--junit', 'j.xml', '--sarif', 's.sarif', '--markdown', 'm.md', '--json');
    assert.equal(status, 1);
    const [verdict] = JSON.parse(stdout);
    assert.ok(verdict.total_time_ns > verdict.baseline_ns);
    const fault = verdict.faults.find(({ rule }: { rule: string }) => rule === 'slower');
    assert.equal(fault.file, 'softmax.py');
    assert.match(fs.readFileSync(folder.path('sub/j.xml'), 'utf8'), /failures="1"/);
    assert.ok(JSON.parse(fs.readFileSync(folder.path('sub/s.sarif'), 'utf8')).runs[0].results.length > 0);
    assert.match(fs.readFileSync(folder.path('sub/m.md'), 'utf8'), /\*\*broken\*\*/);
  });

  it('fails for a kernel that does not run, at its line, and goes on with the others', () => {
    folder.write('softmax.py', softmax);
    folder.write('broken.py', 'import nki\n\n\n@nki.jit\ndef k(a):\n    return b\n');
    const two = [
      { file: 'broken.py', kernel: 'k', args: { a: 'fp32[128,8]' }, maxUs: 1 },
      { file: 'softmax.py', kernel: 'softmax', args: { x: 'fp32[128,512]' }, maxUs: 1e6 },
      { file: 'gone.py', maxUs: 1 },
    ];
    folder.write('two.json', JSON.stringify({ budgets: two }));
    const { status, stdout } = check('--config', '../two.json', '--json');
    const [broken, kept, gone] = JSON.parse(stdout);
    assert.equal(status, 1);
    assert.deepEqual([broken.faults[0].rule, broken.faults[0].file, broken.faults[0].line], ['does-not-run', 'broken.py', 6]);
    assert.equal(kept.kept, true);
    assert.match(gone.faults[0].message, /gone\.py/);
  });

  it('refuses what it cannot read with exit code 2 and one line', () => {
    folder.write('bad.json', '{"budgets": [{"file": "softmax.py", "maxMs": 1}]}');
    for (const [args, message] of [
      [['--config', '../bad.json'], /budget 1: there is no "maxMs"/],
      [['--config', '../none.json'], /none\.json/],
      [['softmax.py'], /softmax\.py\?/],
      [['--config', '../two.json', '--junit', 'nodir/x.xml'], /cannot write nodir\/x\.xml/],
    ] as const) {
      const { status, stdout, stderr } = check(...args);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr.trimEnd().split('\n').at(-1)!, message);
    }
  });

  describe('action.yml', () => {
    /** The script of the step with this name, as bash gets it. */
    function step(name: string) {
      const [, body] = read('action.yml').split(`- name: ${name}\n`);
      const lines = body.slice(body.indexOf('run: |\n') + 7).split('\n');
      const end = lines.findIndex(line => line !== '' && !line.startsWith('        '));
      return lines
        .slice(0, end < 0 ? undefined : end)
        .map(line => line.slice(8))
        .join('\n');
    }

    (process.platform === 'win32' ? it.skip : it)('runs check, adds to the summary of the job, and fails with it', () => {
      folder.write('softmax.py', softmax);
      const action = folder.path('action');
      fs.mkdirSync(action);
      fs.symlinkSync(DIST, path.join(action, 'dist'));
      const shell = (name: string, cwd: string) =>
        spawnSync('bash', ['-e', '-o', 'pipefail', '-c', step(name)], {
          encoding: 'utf8',
          cwd,
          env: { ...env, ACTION: action, CONFIG: '', REPORTS: 'reports', GITHUB_STEP_SUMMARY: folder.path('summary.md') },
        });
      const built = shell('Build NKI Scope', action);
      assert.deepEqual([built.status, built.stdout], [0, ''], 'what is built is not built again');
      assert.equal(shell('Hold kernels to their budgets', folder.path()).status, 0);
      folder.write('softmax.py', slower);
      assert.equal(shell('Hold kernels to their budgets', folder.path()).status, 1);
      const summary = fs.readFileSync(folder.path('summary.md'), 'utf8');
      assert.deepEqual(summary.match(/^\*\*.*\*\*$/gm), ['**Budgets kept: 1 of 1**', '**Budgets kept: 0 of 1**']);
      for (const name of ['budgets.xml', 'budgets.sarif']) assert.ok(fs.existsSync(folder.path('reports', name)));
      folder.write('softmax.py', softmax);
    });
  });

  describe('the pytest plugin', () => {
    const python = pythonWith('pytest', 'numpy');
    (python ? it : it.skip)('holds the test of docs/gates.md to its budget and its baseline', () => {
      folder.write('suite/test_time.py', blockOf(page, 'python'));
      folder.write('suite/softmax.py', softmax);
      folder.write('suite/pytest.ini', '[pytest]\n');
      const pytest = (...args: string[]) =>
        spawnSync(python!, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'nki_scope.pytest_plugin', ...args], {
          encoding: 'utf8',
          cwd: folder.path('suite'),
          env: { ...env, PYTHONPATH: path.join(DIST, 'python'), PYTHONDONTWRITEBYTECODE: '1', NKI_SCOPE_NODE: process.execPath },
        });
      const first = pytest();
      assert.equal(first.status, 1, first.stderr);
      assert.match(first.stdout, /no-baseline: .*--nki-scope-update/);
      const update = pytest('--nki-scope-update');
      assert.equal(update.status, 0, update.stdout);
      const [name] = Object.keys(JSON.parse(fs.readFileSync(folder.path('suite/nki-scope-baseline.json'), 'utf8')));
      assert.equal(name, 'test_time.py::test_softmax_keeps_its_time');
      assert.equal(pytest().status, 0);
      folder.write('suite/softmax.py', slower);
      const broken = pytest();
      assert.equal(broken.status, 1);
      assert.match(broken.stdout, /softmax\.py:\d+: slower: /);
    });
  });
});
