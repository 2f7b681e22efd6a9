/** Nobody waits for a cancelled kernel: the answer comes while the process of the kernel is stopped and can do nothing. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { isCancelled, withoutWaiting } from '../../src/extension/run/cancelled';
import { SimulatorClient } from '../../src/simulator/service/client';
import { testDist } from '../support/dist';
import { temporaryFolder } from '../support/temporary';

const ofLinux = process.platform === 'linux' ? it : it.skip;

/** Processes below one, from `/proc`. */
function descendants(pid: number): number[] {
  const children = fs.readdirSync(`/proc/${pid}/task`).flatMap(thread => {
    const text = fs.readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  });
  return children.flatMap(child => [child, ...descendants(child)]);
}

describe('a cancelled run', () => {
  const folder = temporaryFolder();

  ofLinux('is answered while its process is stopped', async () => {
    const file = folder.write('space/kernel.py', 'print("runs")\nwhile True:\n    pass\n');
    const before = new Set(descendants(process.pid));
    const client = new SimulatorClient({ dist: await testDist(), keepSpare: false });
    const controller = new AbortController();
    try {
      let hasEnded = false;
      let running: ReturnType<SimulatorClient['capture']> | undefined;
      const runs = new Promise<void>((resolve, reject) => {
        const own = client.capture({ file, root: folder.path('space') }, { onOutput: () => resolve() }, controller.signal);
        own
          .then(() => reject(new Error('it ended')), reject)
          .finally(() => {
            hasEnded = true;
          });
        running = withoutWaiting(own, controller.signal);
      });
      await runs;
      const stopped = descendants(process.pid).filter(pid => !before.has(pid));
      assert.ok(stopped.length > 0);
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      controller.abort();
      const { error } = await running!;
      assert.ok(isCancelled(error));
      assert.equal(hasEnded, false, 'the process has not answered');
      for (const pid of stopped) assert.match(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'), /\) T /, 'it is stopped still');
    } finally {
      // a process that is killed needs not go on before
      client.dispose();
    }
  });
});
