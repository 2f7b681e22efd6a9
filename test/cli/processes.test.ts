/** Processes of `--python` and of host.mjs: none outlives the run, or the one that started it, however that ends. The built programs. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { CLI, DIST, itWithPython } from '../support/built';
import { assertEnd, endIfRunning } from '../support/processes';
import { temporaryFolder } from '../support/temporary';

/** Starts two processes in the background, of which both keep its pipes, tells who they are, and does what it is told. */
const SCRIPT = `import os, re, signal, subprocess, sys, time
try:
    os.wait()
except ChildProcessError:
    print("childless")
if os.path.exists("/proc/self/task"):
    print("threads", len(os.listdir("/proc/self/task")))
if sys.argv[1] == "deaf":
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)
first = subprocess.Popen(["sleep", "600"])
second = subprocess.run(["sh", "-c", "sleep 600 >&2 & echo $!"], stdout=subprocess.PIPE, stderr=2).stdout.decode()
third = os.fork()
if third == 0:
    time.sleep(600)
waiter = subprocess.run(["pgrep", "-f", "killpg.*" + str(os.getpid()) + "$"], stdout=subprocess.PIPE).stdout.split()
print("PIDS", os.getpid(), first.pid, second.strip(), third, *map(bytes.decode, waiter), flush=True)
{"done": lambda: None, "wait": lambda: time.sleep(600), "busy": lambda: re.match("(a+)+$", "a" * 60 + "b"), "deaf": lambda: [time.sleep(1) for _ in range(600)]}[sys.argv[1]]()
print("ended")
`;

const HOSTED = `import os, subprocess, sys, time
from nki._record.wire import host
a = host.put("int8", (1,), b"x")
child = os.fork()
if child == 0:
    time.sleep(600)
    os._exit(0)
found = subprocess.run(["pgrep", "-P", str(os.getpid()), "-f", "host.mjs"], stdout=subprocess.PIPE).stdout
print("PIDS", os.getpid(), child, found.decode().strip(), flush=True)
if sys.argv[1] == "busy":
    # Minutes of work for the host.
    host.operate("random.uniform", "float32", [1 << 28], low=0.0, high=1.0, generator=host.operate("generator", "uint32", [0], algorithm="mt19937", seed="1").handle).tobytes()
time.sleep(600)
`;

describe('processes of a run', () => {
  const folder = temporaryFolder();
  const test = process.platform === 'win32' ? it.skip : itWithPython();
  const env = { ...process.env, PYTHONPATH: path.join(DIST, 'python'), NKI_SCOPE_NODE: process.execPath };

  before(() => {
    folder.write('leaves.py', SCRIPT);
    folder.write('hosted.py', HOSTED);
  });

  /** Of the test that runs: nothing of a failed one stays. */
  const started: { child: ChildProcess; pids: number[] }[] = [];
  afterEach(() => {
    for (const { child, pids } of started.splice(0)) {
      child.kill('SIGKILL');
      for (const pid of pids) endIfRunning(pid);
    }
  });

  interface Started {
    child: ChildProcess;
    /** What it has said when it told the pids. */
    pids: number[];
    ended: Promise<{ code: number | null; out: string }>;
  }

  async function start(command: string, args: string[]): Promise<Started> {
    const child = spawn(command, args, { cwd: folder.path(), env, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    const pidsOf = (text: string) => {
      const pids = text.split(' ').map(Number);
      started.push({ child, pids });
      return pids;
    };
    const ended = new Promise<{ code: number | null; out: string }>(resolve => child.on('exit', code => resolve({ code, out })));
    const pids = await new Promise<number[]>((resolve, reject) => {
      child.stdout!.on('data', data => {
        out += data;
        const told = /PIDS (.*)\n/.exec(out);
        if (told) resolve(pidsOf(told[1]));
      });
      child.on('exit', () => reject(new Error(`it told no pids: ${out}`)));
    });
    return { child, pids, ended };
  }

  const named = ([python, ...rest]: number[]) => ({ python, ...Object.fromEntries(rest.map((pid, i) => [`of it ${i + 1}`, pid])) });
  const run = (mode: string) => start(process.execPath, [CLI, 'run', '--python', 'python3', 'leaves.py', mode]);

  test('what a script leaves in the background ends with it, and does not hold it up', async () => {
    const { pids, ended } = await run('done');
    const { code, out } = await ended;
    await assertEnd(named(pids));
    assert.equal(code, 0);
    // Nothing of ours is in its process, or below it.
    assert.match(out, /^(leaves\.py:\d+: )?childless\n/);
    assert.doesNotMatch(out, /threads (?!1\n)/);
    assert.match(out, /ended\n$/);
  });

  test('what leaves its group on purpose does not hold it up', async () => {
    const body =
      'import subprocess\nprint("PIDS", subprocess.Popen(["sleep", "600"], start_new_session=True).pid, flush=True)\nprint("x" * 100000)\n';
    folder.write('service.py', body);
    const { ended } = await start(process.execPath, [CLI, 'run', '--python', 'python3', 'service.py']);
    const { code, out } = await ended;
    assert.equal(code, 0);
    assert.match(out, /x{100000}\n$/);
  });

  for (const mode of ['wait', 'deaf', 'busy'])
    test(`all of it ends when the run is cancelled: ${mode}`, async () => {
      const { child, pids, ended } = await run(mode);
      child.kill('SIGINT');
      assert.equal((await ended).code, 1);
      await assertEnd(named(pids));
    });

  for (const mode of ['wait', 'deaf', 'busy'])
    test(`all of it ends when the command line is killed: ${mode}`, async () => {
      const { child, pids } = await run(mode);
      assert.equal(pids.length, 5, 'with the one that watches over it');
      child.kill('SIGKILL');
      await assertEnd(named(pids));
    });

  for (const mode of ['idle', 'busy'])
    test(`the host of the user’s own process ends when that is killed: ${mode}`, async () => {
      const { child, pids } = await start('python3', ['hosted.py', mode]);
      const [python, , host] = pids;
      assert.equal(pids.length, 3, 'one host');
      child.kill('SIGKILL');
      await assertEnd({ python, host });
    });
});
