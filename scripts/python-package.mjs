// Puts the Python front end together: the packages (without their tests) and table.json, generated from the instruction table.
// node scripts/python-package.mjs [OUTDIR]
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const source = path.join(root, 'src/simulator/frontend/python');
/** Stand-ins for NumPy and friends go on the path of the bundled interpreter only; tests go nowhere. */
const PACKAGES = ['nki', 'neuronxcc', 'nki_scope'];

/** A module of TypeScript text (imports relative to the repository), bundled with these plugins of esbuild and run. */
export async function evaluated(contents, plugins = []) {
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    logLevel: 'warning',
    plugins,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** The instruction table as the Python package reads it. */
export async function tableJson(plugins) {
  const { tableForPython } = await evaluated("export { tableForPython } from './src/simulator/isa/table';", plugins);
  return tableForPython();
}

/** Writes the package tree to `outdir`, which afterwards holds these packages and nothing stale of them. */
export async function buildPythonPackage(outdir, plugins) {
  for (const name of PACKAGES) {
    fs.rmSync(path.join(outdir, name), { recursive: true, force: true });
    fs.cpSync(path.join(source, name), path.join(outdir, name), {
      recursive: true,
      filter: file => !file.includes('__pycache__') && (fs.statSync(file).isDirectory() || file.endsWith('.py')),
    });
  }
  fs.writeFileSync(path.join(outdir, 'nki/_record/vocabulary/table.json'), await tableJson(plugins));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await buildPythonPackage(path.resolve(process.argv[2] ?? path.join(root, 'dist/python')));
