/** `examples/agents/improve.py`: a kernel becomes faster by advice alone, with the same values, in the built engine. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CLI, itWithPython } from '../support/built';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

describe('the example that improves a matmul @long', () => {
  const folder = temporaryFolder();
  const test = itWithPython();

  test('makes it faster step by step, and writes it when it is told to', () => {
    const source = path.join(NKI_SCOPE_ROOT, 'examples/agents');
    fs.cpSync(source, folder.path('agents'), { recursive: true });
    const kernel = folder.path('agents/slow_matmul.py');
    const improve = (...args: string[]) => {
      const env = { ...process.env, NKI_SCOPE_CLI: CLI, NKI_SCOPE_NODE: process.execPath, NEURON_PLATFORM_TARGET_OVERRIDE: '' };
      const { status, stdout, stderr } = spawnSync('python3', [folder.path('agents/improve.py'), ...args], { encoding: 'utf8', env });
      assert.equal(status, 0, stderr);
      return stdout.trim().split('\n');
    };
    const said = improve('--write');
    const times = said.slice(0, -1).map(line => Number.parseFloat(line));
    assert.ok(times.length >= 3, said.join('\n'));
    for (const [k, line] of said.slice(1, -1).entries()) {
      const gain = Number(/: ([\d.]+) % faster/.exec(line)![1]);
      assert.ok(gain >= 1 && Math.abs(gain - 100 * (1 - times[k + 1] / times[k])) < 0.3, line);
    }
    assert.ok(times.at(-1)! < times[0] / 2, said.join('\n'));
    const written = fs.readFileSync(kernel, 'utf8');
    assert.match(written, /^KEEP_LOADED = True$/m);
    assert.match(written, /dge_mode=nisa\.dge_mode\.hwdge/);
    // what was written is where the steps ended, and no advice helps it further
    const again = improve();
    assert.deepEqual([again.length, Number.parseFloat(again[0])], [2, times.at(-1)]);
    assert.equal(fs.readFileSync(kernel, 'utf8'), written);
  });
});
