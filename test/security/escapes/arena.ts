/**
 * What the probes are let loose on: a workspace with everything that could lead out of it, canaries around it, and a loopback server.
 * A canary is a random secret; where one turns up tells which wall was passed.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';

declare const NKI_SCOPE_ROOT: string;

export const PROBES = path.join(NKI_SCOPE_ROOT, 'test/security/escapes/probes');
/** Made to be swapped: a change there is the test's own doing. */
const SWAPPED = path.join('space', 'swap');
/** Profiles that a kernel may save beside itself: `savedProfiles.ts`. */
const OWN_PROFILE = /^space[\\/][^\\/]+\.nkiprof$/;

export class Arena {
  /** Holds everything below; removed by `remove`. */
  readonly base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'scope-escapes-')));
  readonly canaries = Object.fromEntries(
    ['file', 'sibling', 'home', 'env', 'arg', 'stdin', 'http', 'module'].map(where => [
      where,
      `canary-${where}-${randomBytes(8).toString('hex')}`,
    ]),
  );
  connections = 0;
  private readonly server = http.createServer((_, response) => response.end(this.canaries.http)).on('connection', () => this.connections++);
  private before: ReadonlyMap<string, string> = new Map();

  path(...names: string[]): string {
    return path.join(this.base, ...names);
  }

  async open() {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve));
    this.writeFiles();
    this.makeLinks();
    for (const file of pythonFiles(PROBES)) fs.copyFileSync(file, this.path('space', path.basename(file)));
    this.before = this.tree();
  }

  /** What the probes are told, as environment of the script. */
  get bait(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    const [BAIT_OUTSIDE, BAIT_ROOT, BAIT_SIBLING, BAIT_HOME] = ['outside', 'space', 'space-other', 'home'].map(name => this.path(name));
    return { BAIT_OUTSIDE, BAIT_ROOT, BAIT_SIBLING, BAIT_HOME, BAIT_PORT: String(port) };
  }

  /** Names of the canaries that occur in the text. */
  found(text: string): string[] {
    return Object.entries(this.canaries)
      .filter(([, secret]) => text.includes(secret))
      .map(([where]) => where);
  }

  /** Files, folders and links that came, went or changed since the last look, or since the arena was opened. */
  changes(): string[] {
    const [before, now] = [this.before, this.tree()];
    this.before = now;
    return [...new Set([...before.keys(), ...now.keys()])].filter(name => before.get(name) !== now.get(name)).sort();
  }

  async remove() {
    await new Promise(resolve => this.server.close(resolve));
    fs.rmSync(this.base, { recursive: true, force: true });
  }

  private write(name: string, content: string) {
    fs.mkdirSync(path.dirname(this.path(name)), { recursive: true });
    fs.writeFileSync(this.path(name), content);
  }

  private writeFiles() {
    const { file, sibling, home, module } = this.canaries;
    this.write('outside/secret.txt', file);
    this.write('outside/module.py', `SECRET = "${module}"\n`);
    this.write('space-other/secret.txt', sibling);
    this.write('home/.secret', home);
    this.write('space/keep.txt', 'as it was');
    this.write('space/not-ours.nkiprof', 'no profile');
    this.write('outside/target.nkiprof', 'no profile of yours');
    this.write('space/folder.nkiprof/inside.txt', 'x');
    this.write('space/sub/plain.txt', 'x');
    this.write('space/swap/file.txt', 'harmless');
    this.write('space/swap/folder/secret.txt', 'harmless');
    for (const folder of ['cwd', 'tmp']) fs.mkdirSync(this.path(folder));
  }

  private makeLinks() {
    const links: [link: string, target: string][] = [
      ['link-file', '../outside/secret.txt'],
      ['link-absolute', this.path('outside/secret.txt')],
      ['link-chain', 'sub/link-next'],
      ['sub/link-next', '../link-file'],
      ['link-folder', '../outside'],
      ['sub/link-up', '../../outside'],
      ['link-sibling', '../space-other/secret.txt'],
      ['link-proc', '/proc/self'],
      ['link-root', '/'],
      ['link-zero', '/dev/zero'],
      ['link-tty', '/dev/tty'],
      ['link-loop', 'link-loop'],
      ['linked.nkiprof', '../outside/target.nkiprof'],
      ['dangling.nkiprof', '../outside/not-there.nkiprof'],
    ];
    for (const [link, target] of links) fs.symlinkSync(target, this.path('space', link));
    for (const pipe of ['pipe', 'piped.nkiprof']) spawnSync('mkfifo', [this.path('space', pipe)]);
  }

  /** Path -> what lies there, as one word; links are not followed. */
  private tree(): Map<string, string> {
    const found = new Map<string, string>();
    for (const file of below(this.base)) {
      const name = path.relative(this.base, file);
      if (name.startsWith(SWAPPED) || (OWN_PROFILE.test(name) && !this.before.has(name) && this.before.size > 0)) continue;
      found.set(name, whatLiesAt(file));
    }
    return found;
  }
}

/** Everything in the folder and in folders in it. Not Node's own recursion, which follows links in some versions. */
function* below(folder: string): Generator<string> {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    yield path.join(folder, entry.name);
    if (entry.isDirectory()) yield* below(path.join(folder, entry.name));
  }
}

function whatLiesAt(file: string): string {
  const stat = fs.lstatSync(file);
  if (stat.isSymbolicLink()) return `link to ${fs.readlinkSync(file)}`;
  if (!stat.isFile()) return `mode ${stat.mode}`;
  return `mode ${stat.mode} ${createHash('sha256').update(fs.readFileSync(file)).digest('hex')}`;
}

export function pythonFiles(folder: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true }).map(String);
  return names.filter(name => name.endsWith('.py')).map(name => path.join(folder, name));
}
