// Types, lint and format of everything, in one command. --python: only Python; --write: mend what can be mended.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import ruff from '@astral-sh/ruff-wasm-nodejs';
import { root } from './install.mjs';

const write = process.argv.includes('--write');
const pythonOnly = process.argv.includes('--python');
const PYTHON_ROOMS = ['src/simulator/frontend/python', 'examples', 'test/fixtures', 'test/functions', 'test/security'];
const RUFF = {
  'line-length': 140,
  'target-version': 'py39',
  lint: {
    isort: { 'known-first-party': ['nki', 'neuronxcc', 'nki_scope'] },
    select: ['E', 'F', 'W', 'I', 'B', 'UP', 'D1'],
    ignore: ['E741', 'UP006', 'UP007', 'UP035', 'UP045'],
  },
};

function checkPython() {
  const workspace = new ruff.Workspace(RUFF, ruff.PositionEncoding?.Utf16);
  let faults = 0;
  for (const file of pythonFiles()) {
    const text = fs.readFileSync(file, 'utf8');
    const formatted = workspace.format(text);
    if (formatted !== text) {
      if (write) fs.writeFileSync(file, formatted);
      else faults += report(file, 1, 'not formatted (npm run format)');
    }
    for (const d of workspace.check(formatted)) faults += report(file, d.start_location.row, `${d.code} ${d.message}`);
  }
  return faults === 0;
}

function pythonFiles() {
  return PYTHON_ROOMS.flatMap(room => {
    const folder = path.join(root, room);
    if (!fs.existsSync(folder)) return [];
    return fs
      .readdirSync(folder, { recursive: true })
      .map(String)
      .filter(name => name.endsWith('.py') && !name.includes('node_modules'))
      .map(name => path.join(folder, name));
  });
}

function report(file, line, message) {
  console.error(`${path.relative(root, file)}:${line}: ${message}`);
  return 1;
}

/** A tool of node_modules, by the script it ships. */
const tool = (script, ...args) =>
  spawnSync(process.execPath, [path.join(root, 'node_modules', script), ...args], { cwd: root, stdio: 'inherit' }).status === 0;

const passed = [checkPython()];
if (!pythonOnly)
  passed.push(tool('@biomejs/biome/bin/biome', 'check', ...(write ? ['--write'] : []), '.'), tool('typescript/bin/tsc', '-p', '.'));
process.exit(passed.every(Boolean) ? 0 : 1);
