// The suite in a desktop VS Code that @vscode/test-electron downloads: macOS, Windows, and Linux machines with a display (xvfb-run).
// NKI_SCOPE_VSCODE names the version (default: stable).
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadAndUnzipVSCode, resolveCliArgsFromVSCodeExecutablePath, runTests } from '@vscode/test-electron';

const here = path.dirname(fileURLToPath(import.meta.url));

/** @param {{ vsix: string, suite: string, env: Record<string, string> }} options */
export async function runSuite({ vsix, suite, env }) {
  const vscodeExecutablePath = await download();
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'nki-scope-electron-'));
  const folders = [`--extensions-dir=${path.join(base, 'extensions')}`, `--user-data-dir=${path.join(base, 'data')}`];
  try {
    const workspace = path.join(base, 'workspace');
    fs.cpSync(path.join(here, 'fixture'), workspace, { recursive: true });
    install(vscodeExecutablePath, vsix, folders);
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: path.join(here, 'host-extension'),
      extensionTestsPath: suite,
      extensionTestsEnv: env,
      launchArgs: [workspace, ...folders, '--disable-workspace-trust', '--skip-welcome', '--skip-release-notes', '--disable-telemetry'],
    }).catch(error => console.error(`VS Code's verdict: ${error.message}`)); // the results file decides
  } finally {
    fs.rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function download() {
  try {
    return await downloadAndUnzipVSCode(process.env.NKI_SCOPE_VSCODE ?? 'stable');
  } catch (error) {
    throw new Error(
      `VS Code could not be downloaded (${error.message}); unset NKI_SCOPE_WORKBENCH on 64-bit Linux to use the server from npm`,
    );
  }
}

function install(executable, vsix, folders) {
  const [cli] = resolveCliArgsFromVSCodeExecutablePath(executable);
  const { status } = spawnSync(cli, [...folders, '--install-extension', vsix, '--force'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`${path.basename(vsix)} could not be installed into VS Code (exit code ${status})`);
}
