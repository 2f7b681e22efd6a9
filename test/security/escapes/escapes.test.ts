/**
 * Attacks on the sandbox, each a kernel of `probes/`: run through the client as the product runs a file, and judged by what is left
 * outside of it. A probe also says itself what it got; a probe that says nothing has ended its interpreter, which is no escape.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { WAIT_LIMIT_MS } from '../../support/patience';
import { Arena, PROBES, pythonFiles } from './arena';
import { type Bounds, type Ran, runTasks } from './captures';
import { ALONE, LIMITS, MORE_SECONDS, RACES, TOGETHER } from './probes';
import type { Outcome, Task } from './runner';

/** What the probes of `limits` may take, the interpreter and our own programs included. */
const MOST_BYTES = 2.5 * 2 ** 30;
/** Of the process in which the kernels run. */
const MEMORY_MB = 1536;
/** Printed text that is passed on. */
const MOST_PRINTED = 16 * 2 ** 20;
/** A probe that does not end by itself is stopped by the client after this. */
const SECONDS = 8;
const HELPERS = ['bait', 'drive', '_kernel', '_wire'];

const named = (table: Record<string, readonly string[]>) =>
  Object.entries(table).flatMap(([category, probes]) => probes.map(probe => ({ category, probe })));
const ALL = [TOGETHER, ALONE, RACES, LIMITS].flatMap(named);

/** Swaps a file and a folder of the workspace with links to the outside, as fast as it can. */
const SWAPPER = `
const fs = require('node:fs');
process.chdir(process.argv[1]);
for (;;) {
  fs.symlinkSync('../../outside/secret.txt', 'new'); fs.renameSync('new', 'file.txt');
  fs.renameSync('folder', 'kept'); fs.symlinkSync('../../outside', 'folder');
  fs.writeFileSync('new', 'harmless'); fs.renameSync('new', 'file.txt');
  fs.unlinkSync('folder'); fs.renameSync('kept', 'folder');
}`;

interface Line {
  tried?: string;
  probe?: string;
  got?: string | null;
  error?: string | null;
}

describe('escapes', function () {
  // links, pipes and /proc: the walls are the same on Windows, its paths have tests of their own
  if (process.platform === 'win32') return;
  this.timeout(WAIT_LIMIT_MS * 3);
  const arena = new Arena();
  before(() => arena.open());
  after(() => arena.remove());

  const task = (probes: readonly string[]): Task => {
    const overlay = Object.fromEntries(['unsaved.py', 'secret.txt'].map(name => [arena.path('outside', name), arena.canaries.file]));
    return {
      probes: [...probes],
      request: {
        file: arena.path('space/drive.py'),
        root: arena.path('space'),
        env: arena.bait,
        limits: { seconds: Math.max(...probes.map(probe => MORE_SECONDS[probe] ?? SECONDS)), memoryMb: MEMORY_MB },
        ...(probes.includes('overlay_outside') && { overlay }),
      },
    };
  };
  const run = (tasks: Task[], bounds: Bounds) => runTasks(arena, tasks, bounds);

  function assertNothingOutside({ ended, own }: Ran) {
    assert.equal(ended, null, `the process that runs the kernels: ${own.slice(-2000)}`);
    assert.deepEqual(arena.found(own), []);
    assert.deepEqual(arena.changes(), []);
    assert.equal(arena.connections, 0, 'connections to the loopback server');
  }

  it('have a row for every file', () => {
    const files = pythonFiles(PROBES).map(file => path.relative(PROBES, file).replace(/\.py$/, '').replaceAll('\\', '/'));
    const rows = ALL.map(({ category, probe }) => `${category}/${probe}`);
    assert.deepEqual(rows.sort(), files.filter(name => !HELPERS.includes(name)).sort());
  });

  describe('by kernels', () => {
    let ran: Ran;
    before(async () => {
      const alone = named(ALONE).map(({ probe }) => task([probe]));
      ran = await run([...Object.values(TOGETHER).map(task), ...alone], { deadlineMs: WAIT_LIMIT_MS });
    });

    for (const { category, probe } of [TOGETHER, ALONE].flatMap(named))
      it(`${category}: ${probe}`, () => {
        const outcome = outcomeOf(ran, probe);
        assert.ok(outcome, 'it was not run');
        const lines = linesOf(outcome);
        assert.ok(
          lines.some(line => line.tried === probe),
          `it was not tried: ${outcome.result.slice(0, 500)}`,
        );
        const told = lines.filter(line => line.probe === probe);
        assert.deepEqual(
          told.filter(line => line.got !== null),
          [],
        );
        // a probe that never ran proves nothing
        for (const { error } of told) assert.doesNotMatch(error ?? '', /^(SyntaxError|NameError|UnboundLocalError|IndentationError)/);
        assert.ok(told.length > 0 || outcome.failed || JSON.parse(outcome.result).error, 'it ended its interpreter, and nobody was told');
        if (outcome.probes.length === 1) assert.deepEqual(leaks(outcome), []);
      });

    it('leak no canary into what is printed, reported or profiled', () => {
      const leaking = ran.outcomes.flatMap(outcome => leaks(outcome).map(where => `${where}: ${outcome.probes.join(' ')}`));
      assert.deepEqual(leaking, []);
    });

    it('leave nothing on the host', () => assertNothingOutside(ran));
  });

  it('by files that turn into links while they are opened', async () => {
    let swapper: ChildProcess | undefined;
    try {
      swapper = spawn(process.execPath, ['-e', SWAPPER, arena.path('space/swap')], { stdio: 'ignore' });
      const ran = await run([task(RACES.files)], { deadlineMs: WAIT_LIMIT_MS });
      assert.ok(linesOf(ran.outcomes[0]).some(line => line.probe === 'swapped_links' && line.error === null));
      assert.deepEqual(leaks(ran.outcomes[0]), []);
      const gone = new Promise(resolve => swapper?.once('exit', resolve));
      swapper.kill('SIGKILL');
      await gone;
      assertNothingOutside(ran);
    } finally {
      swapper?.kill('SIGKILL');
    }
  });

  describe('from the limits', () => {
    for (const probe of LIMITS.limits)
      it(probe, async () => {
        // one after it, so that it is known that the next capture works
        const ran = await run([task([probe]), task(['parent_paths'])], { deadlineMs: WAIT_LIMIT_MS, mostBytes: MOST_BYTES });
        assertNothingOutside(ran);
        const [bomb, next] = [outcomeOf(ran, probe)!, outcomeOf(ran, 'parent_paths')!];
        assert.deepEqual(leaks(bomb), []);
        assert.ok(bomb.printedLength <= MOST_PRINTED, `${bomb.printedLength} characters were printed`);
        assert.ok(linesOf(next).some(line => line.probe === 'parent_paths'));
        const got = linesOf(bomb).filter(line => line.got);
        assert.deepEqual(got, []);
      });
  });

  const outcomeOf = ({ outcomes }: Ran, probe: string) =>
    outcomes.find(({ probes, printed }) => probes.includes(probe) && printed.includes(`{"tried": "${probe}"}`)) ??
    outcomes.find(({ probes }) => probes[0] === probe);

  /** Canaries in what came out of a capture. */
  const leaks = ({ printed, result, profiles }: Outcome) => arena.found([printed, result, ...profiles].join('\n'));
});

function linesOf({ printed }: Outcome): Line[] {
  const lines = printed.split('\n').filter(line => line.startsWith('@escape '));
  return lines.map(line => JSON.parse(line.slice('@escape '.length)) as Line);
}
