/**
 * The recipes of CONTRIBUTING.md, carried out on a copy of the repository. A step is a sentence that names a file, and the code
 * block after it; commands are blocks of `sh`. What a recipe must lead to is the business of the tests.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

declare const NKI_SCOPE_ROOT: string;

export interface Step {
  file: string;
  /** Line that the code goes below; absent with `atEnd` and for new files. */
  below?: string;
  atEnd?: true;
  code: string;
}

export interface Recipe {
  title: string;
  steps: Step[];
  commands: string[];
}

/** What a build needs; tests of functions, since a recipe adds to them. */
const COPIED = [
  'src',
  'scripts',
  'examples',
  'docs',
  'test/functions',
  'media',
  'esbuild.mjs',
  'package.json',
  'package-lock.json',
  'LICENSE',
];

const WHERE = /(?:(New file) `([^`]+)`|In `([^`]+)`, below `([^`]+)`|(At the end) of `([^`]+)`):$/;

/** @throws AssertionError for a block of code that no sentence gives a place. */
export function recipesOf(text: string): Recipe[] {
  const [, section] = /\n## Recipes\n([\s\S]*?)(?=\n## |$)/.exec(text) ?? [];
  assert.ok(section, 'no recipes');
  return section
    .split(/^### /m)
    .slice(1)
    .map(part => recipe(part));
}

function recipe(part: string): Recipe {
  const steps: Step[] = [];
  const commands: string[] = [];
  for (const [, before, language, code] of part.matchAll(/([^\n]+)\n\n```(\w+)\n([\s\S]*?)^```$/gm))
    if (language === 'sh') commands.push(...code.trim().split('\n'));
    else steps.push(step(before, code));
  return { title: part.slice(0, part.indexOf('\n')), steps, commands };
}

function step(sentence: string, code: string): Step {
  const found = WHERE.exec(sentence);
  assert.ok(found, `no place in: ${sentence}`);
  const [, , created, edited, below, , appended] = found;
  if (created) return { file: created, code };
  return edited ? { file: edited, below, code } : { file: appended, atEnd: true, code };
}

export const readRecipes = () => recipesOf(fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'CONTRIBUTING.md'), 'utf8'));

/** Copies what a build needs into `folder`; packages are the repository's own. */
export function copyRepository(folder: string): void {
  for (const name of COPIED) fs.cpSync(path.join(NKI_SCOPE_ROOT, name), path.join(folder, name), { recursive: true });
  fs.symlinkSync(path.join(NKI_SCOPE_ROOT, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  const config = JSON.parse(fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'tsconfig.json'), 'utf8'));
  fs.writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include: ['src'] }));
}

/** @throws AssertionError when a step does not fit the repository. */
export function carryOut({ steps }: Recipe, folder: string): void {
  for (const { file, below, atEnd, code } of steps) {
    const place = path.join(folder, file);
    if (below === undefined && !atEnd) {
      assert.ok(!fs.existsSync(place), `${file} is there already`);
      fs.writeFileSync(place, code);
      continue;
    }
    assert.ok(fs.existsSync(place), `${file} is not there`);
    const text = fs.readFileSync(place, 'utf8');
    fs.writeFileSync(place, atEnd ? text + code : inserted(text, below!, code, file));
  }
}

function inserted(text: string, below: string, code: string, file: string): string {
  const lines = text.split('\n');
  const places = [...lines.keys()].filter(at => lines[at].trim() === below);
  assert.equal(places.length, 1, `${file} has ${places.length} lines: ${below}`);
  lines.splice(places[0] + 1, 0, code.replace(/\n$/, ''));
  return lines.join('\n');
}

/** Scripts that install packages: `npm ci` in a copy would empty the folder of packages that the copy links to. */
const INSTALLING = ['scripts/start.mjs', 'scripts/test.mjs'];

/** Runs a command of a recipe in `folder`. @returns its standard output. */
export function runCommand(command: string, folder: string): string {
  const [program, ...args] = command.split(' ');
  assert.equal(program, 'node', command);
  assert.ok(!INSTALLING.includes(args[0]), `${command} would install packages`);
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, `${command}\n${stdout}\n${stderr}`);
  return stdout;
}
