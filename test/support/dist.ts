/**
 * What a capture needs of the build, for tests: the Python packages, the interpreter with its snapshot, worker, helper and host.
 * Kept in out/ between runs; the parts are made again when their sources change.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

declare const NKI_SCOPE_ROOT: string;

type Build = (folder: string, plugins?: esbuild.Plugin[]) => Promise<unknown>;

export const script = async (name: string) =>
  (await import(pathToFileURL(path.join(NKI_SCOPE_ROOT, 'scripts', name)).href)) as Record<string, Build>;

let made: Promise<string> | null = null;

/** Host path of the folder to give to `SimulatorClient`. */
export function testDist(): Promise<string> {
  made ??= makeDist();
  return made;
}

async function makeDist(): Promise<string> {
  const dist = path.join(NKI_SCOPE_ROOT, 'out/test-dist');
  const { buildPythonPackage } = await script('python-package.mjs');
  const { buildSnapshot } = await script('snapshot.mjs');
  await buildPythonPackage(path.join(dist, 'python'));
  await Promise.all([buildSnapshot(dist), bundleService(dist)]);
  return dist;
}

const THREADS = {
  ...Object.fromEntries(['worker', 'helper', 'recorder', 'executor', 'host'].map(name => [name, `src/simulator/service/${name}.ts`])),
  sandbox: 'src/simulator/service/sandbox/main.ts',
  reader: 'src/cli/reader.ts',
};

/** The programs of threads and processes, each in one file. */
export function bundleService(outdir: string, plugins: esbuild.Plugin[] = []) {
  return esbuild.build({
    absWorkingDir: NKI_SCOPE_ROOT,
    entryPoints: THREADS,
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
    plugins,
  });
}
