/** What a script has started ends with it, also when a signal ends it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { assertEnd } from './support/processes';
import { temporaryFolder } from './support/temporary';

declare const NKI_SCOPE_ROOT: string;

const MODULE = pathToFileURL(path.join(NKI_SCOPE_ROOT, 'scripts/endWithProcess.mjs')).href;

describe('what ends with a process', () => {
  const folder = temporaryFolder();

  /** A script with a child in a process group of its own. Like Playwright, it listens for signals and does not end. */
  const script = () =>
    folder.write(
      'script.mjs',
      `import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { endWithProcess } from '${MODULE}';
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => {});
const forget = endWithProcess(() => {
  process.kill(-child.pid, 'SIGKILL');
  fs.appendFileSync(process.argv[2], 'ended ');
});
if (process.argv[3]) {
  forget();
  process.kill(-child.pid, 'SIGKILL');
} else {
  setInterval(() => {}, 1000);
  console.log(child.pid);
}
`,
    );

  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    it(`ends by ${signal}`, async () => {
      const log = folder.path(signal);
      const running = spawn(process.execPath, [script(), log], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [line] = await once(running.stdout, 'data');
      running.kill(signal);
      assert.deepEqual(await once(running, 'exit'), [code, null]);
      await assertEnd({ child: Number(line) });
      assert.equal(fs.readFileSync(log, 'utf8'), 'ended ');
    });

  it('is forgotten where it has ended before', async () => {
    const log = folder.path('before');
    const running = spawn(process.execPath, [script(), log, 'before'], { stdio: 'inherit' });
    assert.deepEqual(await once(running, 'exit'), [0, null]);
    assert.equal(fs.existsSync(log), false);
  });
});
