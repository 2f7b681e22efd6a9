// What a bench in a real VS Code needs: the browser, the packaged extension, a bundle of what runs in the extension host.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { makePackage } from '../../scripts/package.mjs';
import { serverRunsHere, setup } from '../../test/workbench/setup.mjs';
import { root } from './build.mjs';

/** Undefined, with a line that says why, where VS Code's server does not run. */
export async function hostBench(name) {
  if (!serverRunsHere()) {
    console.log('not measured: the VS Code server is published for 64-bit Linux');
    return undefined;
  }
  setup();
  const out = path.join(root, 'out/bench', name);
  const log = path.join(out, 'server.log');
  fs.mkdirSync(out, { recursive: true });
  const { out: vsix } = await makePackage(path.join(out, 'nki-scope.vsix'));

  async function bundle(entry, options) {
    const outfile = path.join(out, `${path.basename(entry, '.ts')}${options.format === 'esm' ? '.mjs' : '.cjs'}`);
    await esbuild.build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20',
      packages: 'external',
      define: { NKI_SCOPE_ROOT: JSON.stringify(root) },
      logLevel: 'warning',
      ...options,
    });
    return outfile;
  }

  const load = async file => import(pathToFileURL(await bundle(file, { format: 'esm' })).href);
  const { runSuiteInServer } = await load('test/workbench/harness/inServer.ts');

  /** Runs a host file in a fresh window, of this package or another one. */
  async function runInWindow(host, env, package_ = vsix) {
    const suite = await bundle(host, { format: 'cjs', external: ['vscode'] });
    await runSuiteInServer({ vsix: package_, suite, env, settings: { 'nkiScope.target': 'trn1' }, log });
  }

  return { out, log, vsix, load, runInWindow };
}
