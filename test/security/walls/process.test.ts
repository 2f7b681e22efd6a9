/**
 * The process in which kernels run, alone: the walls inside its thread are down, as if a kernel ran JavaScript there. What the system lets
 * it do depends on what there is: Node's permission model, and bubblewrap on Linux.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import esbuild from 'esbuild';
import { type Launch, type LaunchOptions, launches, threadOptions } from '../../../src/simulator/service/sandbox/launch';
import { profileOf, receivedMessage, receivedResult } from '../../../src/simulator/service/sandbox/received';
import { SandboxProcess } from '../../../src/simulator/service/sandbox/sandboxProcess';
import { taskOf } from '../../support/captureTask';
import { testDist } from '../../support/dist';
import { temporaryFolder } from '../../support/temporary';
import type { Bait } from './attacker';

declare const NKI_SCOPE_ROOT: string;

type Confinement = Launch['confinedBy'];

/** bubblewrap may be there and not work: containers can forbid what it needs. */
const hasBubblewrap = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

describe('the process in which kernels run', () => {
  const folder = temporaryFolder();
  const server = net.createServer(socket => socket.destroy());

  before(async () => {
    const dist = await testDist();
    for (const name of ['sandbox.mjs', 'helper.mjs']) folder.write(`dist/${name}`, fs.readFileSync(path.join(dist, name)));
    await esbuild.build({
      entryPoints: [path.join(NKI_SCOPE_ROOT, 'test/security/walls/attacker.ts')],
      outfile: folder.path('dist/worker.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
    });
    folder.write('space/kernel.py', 'inside');
    folder.write('outside/secret.txt', 'secret');
    fs.symlinkSync('../outside', folder.path('space/link'));
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => server.close());

  async function attack(ways: (all: Launch[]) => Launch[]): Promise<{ got: Record<string, string>; confinedBy: Confinement }> {
    let confinedBy: Confinement = [];
    const bait: Bait = {
      INSIDE: folder.path('space/kernel.py'),
      OUTSIDE: folder.path('outside/secret.txt'),
      LINK: folder.path('space/link/secret.txt'),
      PORT: String((server.address() as AddressInfo).port),
      PID: String(process.pid),
    };
    const sandbox = new SandboxProcess({
      dist: folder.path('dist'),
      root: folder.path('space'),
      keepSpare: false,
      saveProfile: async () => '',
      ways,
      onStart: by => {
        confinedBy = by;
      },
    });
    let printed = '';
    try {
      const task = taskOf({ file: bait.INSIDE, root: folder.path('space'), env: { ...bait } });
      await sandbox.capture(task, { onOutput: text => (printed += text) });
    } finally {
      sandbox.dispose();
    }
    return { got: JSON.parse(printed), confinedBy };
  }

  const successes = (got: Record<string, string>) => Object.keys(got).filter(name => got[name].startsWith('GOT'));
  const confinedOnlyBy = (name: Confinement[number]) => (all: Launch[]) => all.filter(way => way.confinedBy.join() === name);

  it('is attacked in earnest: nothing stops it where nothing confines it', async () => {
    const { got } = await attack(all => all.filter(way => way.confinedBy.length === 0));
    for (const deed of ['read outside', 'read through a link', 'start a process', 'start a thread', 'connect', 'write inside'])
      assert.match(got[deed], /^GOT/, deed);
    for (const written of ['space/kernel.py.written', 'outside/secret.txt.written']) fs.rmSync(folder.path(written));
  });

  it('has an empty environment', async () => assert.equal((await attack(all => all.slice(-1))).got['see variables'], 'nothing'));

  it('reads the workspace and nothing else, writes nothing, starts nothing: Node’s permissions', async () => {
    const { got, confinedBy } = await attack(confinedOnlyBy('Node permissions'));
    assert.deepEqual(confinedBy, ['Node permissions']);
    // What the permission model does not cover: links that lie in the workspace, signals, and before Node 25 the network.
    const uncovered = ['read through a link', 'signal the parent', 'connect'];
    assert.deepEqual(
      successes(got).filter(deed => !uncovered.includes(deed)),
      ['read inside'],
    );
  });

  (hasBubblewrap ? it : it.skip)('the same, and no links, signals or network: bubblewrap', async () => {
    for (const wanted of ['bubblewrap', 'bubblewrap,Node permissions']) {
      const { got, confinedBy } = await attack(all => all.filter(way => way.confinedBy.join() === wanted));
      assert.equal(confinedBy.join(), wanted);
      // alone it lets the process start others, which are as confined as it is
      const inside = wanted === 'bubblewrap' ? ['start a process', 'start a thread', 'load native code', 'list the root'] : [];
      assert.deepEqual(
        successes(got).filter(deed => !inside.includes(deed)),
        ['read inside'],
      );
    }
  });

  describe('is started', () => {
    const options = (more: Partial<LaunchOptions> = {}): LaunchOptions => ({
      dist: '/app/dist',
      root: '/home/u/space',
      realRoot: '/home/u/space',
      node: '/usr/bin/node',
      isElectron: false,
      platform: 'linux',
      argv: [],
      knows: option => option === '--permission',
      exists: file => file === '/usr/bin/bwrap',
      ...more,
    });
    const readable = (given: Partial<LaunchOptions>) =>
      launches(options({ exists: () => false, ...given }))[0]
        .args.filter(arg => arg.startsWith('--allow-fs-read='))
        .map(arg => arg.slice(16));

    it('with what confines it most first', () => {
      const kinds = (given: Partial<LaunchOptions>) => launches(options(given)).map(way => way.confinedBy.join('+'));
      assert.deepEqual(kinds({}), ['bubblewrap+Node permissions', 'bubblewrap', 'Node permissions', '']);
      assert.deepEqual(kinds({ exists: () => false }), ['Node permissions', '']);
      assert.deepEqual(kinds({ platform: 'darwin' }), ['Node permissions', '']);
      assert.deepEqual(kinds({ knows: () => false, exists: () => false }), ['']);
    });

    it('with the older name of the option where that is the only one', () => {
      const [way] = launches(options({ knows: option => option === '--experimental-permission', exists: () => false }));
      assert.ok(way.args.includes('--experimental-permission'));
    });

    it('with no variable but the one that makes Electron a Node', () => {
      assert.deepEqual(launches(options())[0].env, {});
      assert.deepEqual(launches(options({ isElectron: true }))[0].env, { ELECTRON_RUN_AS_NODE: '1' });
    });

    it('with the build and the workspace to read', () => {
      assert.deepEqual(readable({}), ['/app/dist/*', '/home/u/space/*']);
      assert.deepEqual(readable({ realRoot: '/data/space' }), ['/app/dist/*', '/home/u/space/*', '/data/space/*']);
      assert.deepEqual(readable({ dist: '/home/u/space/dist' }), ['/home/u/space/*']);
      const windows = { platform: 'win32', dist: 'C:\\app\\dist', root: 'D:\\space', realRoot: 'D:\\space' };
      assert.deepEqual(readable(windows), ['C:\\app\\dist\\*', 'D:\\space\\*']);
    });

    it('with a folder by its beginning, where another one begins like it', () =>
      assert.deepEqual(readable({ dist: '/home/u/space-tool/dist' }), ['/home/u/space*']));

    it('with the working folder, where a path has a comma', () =>
      assert.deepEqual(readable({ root: '/a,b', realRoot: '/a,b' }), ['/app/dist/*', './*']));

    it('and its threads that run kernels may start none', () => {
      const [way] = launches(options({ exists: () => false }));
      assert.ok(way.args.includes('--allow-worker'));
      assert.ok(!threadOptions(way.args).includes('--allow-worker') && threadOptions(way.args).includes('--permission'));
    });
  });

  describe('is not believed', () => {
    for (const [name, header] of Object.entries<Record<string, unknown>>({
      'no type': {},
      'an unknown type': { type: 'run', id: 1 },
      'a type of Object’s': { type: 'constructor', id: 1 },
      'a number that is none': { type: 'result', id: '1' },
      'a field too many': { type: 'result', id: 1, path: '/etc' },
      'a phase that is none': { type: 'progress', id: 1, progress: { phase: 'boot' } },
      'progress without end': { type: 'progress', id: 1, progress: { phase: 'trace', instructions: Number.POSITIVE_INFINITY } },
      'a name that is no text': { type: 'save', id: 1, save: 1, name: ['../x'] },
      'another stream': { type: 'output', id: 1, text: 'x', stream: 'stdin' },
    }))
      it(name, () => assert.throws(() => receivedMessage(header), { name: 'NotUnderstood' }));

    const timingsMs = { start: 0, trace: 0, compile: 0, execute: 0, schedule: 0, total: 0 };
    const bytes = (result: object) => new TextEncoder().encode(JSON.stringify(result));
    const good = { runs: [], kernels: [], error: null, timingsMs };

    it('a profile of a call that has not returned', () => {
      const returned = [Uint8Array.of(1)];
      assert.equal(profileOf({ returned: 0 }, new Uint8Array(0), returned), returned[0]);
      assert.throws(() => profileOf({ returned: 1 }, new Uint8Array(0), returned), { name: 'NotUnderstood' });
    });

    it('a result as it should be is taken', () => assert.deepEqual(receivedResult(bytes(good), []), good));
    for (const [name, result] of Object.entries<object>({
      'an error whose file is no text': { ...good, error: { kind: 'x', message: 'x', file: { toString: 1 }, line: 1, traceback: null } },
      'times that are none': { ...good, timingsMs: { ...timingsMs, total: '1' } },
      'runs without profiles': { ...good, runs: [{ id: { kernel: 'k', call: 0 }, kernel: 'k', outputs: [], checks: [] }] },
      'a check of another kind': {
        ...good,
        runs: [
          {
            id: { kernel: 'k', call: 0 },
            kernel: 'k',
            outputs: [],
            checks: [{ severity: 'fatal', message: '', file: '', line: 1 }],
          },
        ],
      },
      'something more': { ...good, more: 1 },
    }))
      it(`a result with ${name}`, () => assert.throws(() => receivedResult(bytes(result), []), { name: 'NotUnderstood' }));
  });
});
