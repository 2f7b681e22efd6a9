/**
 * The kernels in examples/, as a newcomer runs them: each captures without a complaint, names its own lines, and gives the
 * same profile twice; and its values agree with closed forms computed in double precision (fixtures/examples_check.py).
 * Needs a built dist/.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { decodeNkiprof } from '../../src/simulator/formats/nkiprof';
import type { Profile } from '../../src/simulator/profile/profile';
import { EXAMPLES, exampleFiles } from '../support/examples';

declare const NKI_SCOPE_ROOT: string;

const files = exampleFiles();

function cli(...args: string[]) {
  const run = spawnSync(process.execPath, [path.join(NKI_SCOPE_ROOT, 'dist/cli.js'), ...args], { encoding: 'utf8', maxBuffer: 1 << 26 });
  return { ...run, tail: `${run.stdout.slice(-1500)}\n${run.stderr.slice(-1500)}` };
}

describe('examples', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-examples-'));
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  function capture(file: string, target: string, name: string): { bytes: Buffer; profile: Profile } {
    const out = path.join(folder, name);
    const run = cli('capture', path.join(EXAMPLES, file), '--target', target, '-s', out, '--json');
    assert.equal(run.status, 0, run.tail);
    // each rank has a profile, and each call of several
    const [found] = ['', '_rank_0', '-1'].map(end => out.replace(/\.nkiprof$/, `${end}.nkiprof`)).filter(name => fs.existsSync(name));
    const bytes = fs.readFileSync(found);
    return { bytes, profile: decodeNkiprof(bytes) };
  }

  for (const file of files)
    it(`${file} profiles, and every event has its line`, () => {
      const { profile: p } = capture(file, 'trn2', `${path.basename(file)}.nkiprof`);
      assert.deepEqual(p.checks, []);
      const lines = p.files.map(f => f.text.split('\n').length);
      for (const group of [p.instructions, p.transfers])
        for (const frame of group.frame) {
          const [line, source] = [p.frames.line[frame], p.frames.file[frame]];
          assert.ok(line >= 1 && line <= lines[source], `line ${line} of ${p.files[source].path}`);
        }
      assert.ok(p.transfers.startNs.length >= 2 && p.bodyEndNs > p.bodyStartNs && p.totalTimeNs > p.bodyEndNs);
    });

  it('gives the same bytes twice', () => {
    const [a, b] = ['a', 'b'].map(name => capture('nki/softmax.py', 'trn1', `${name}.nkiprof`).bytes);
    assert.ok(a.equals(b));
  });

  it('agrees with closed forms in double precision', () => {
    const run = cli('run', path.join(NKI_SCOPE_ROOT, 'test/fixtures/examples_check.py'));
    const rows = run.stdout
      .split('\n')
      .filter(line => line.startsWith('{"name"'))
      .map(line => JSON.parse(line) as { name: string; elements: number; worst: number; bound: number });
    assert.match(run.stdout, /done\n$/, run.tail);
    assert.equal(rows.length, 15);
    for (const row of rows) assert.ok(row.elements > 0 && row.worst <= row.bound, JSON.stringify(row));
  });
});
