/** Pages for users name what is there: commands, exit codes, reasons to wait, warnings; and the index lists every page. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { stallShort } from '../src/simulator/analyze/stallText';
import { STALL_REASONS } from '../src/simulator/profile/profile';
import { CLI } from './support/built';

declare const NKI_SCOPE_ROOT: string;

const read = (...names: string[]) => fs.readFileSync(path.join(NKI_SCOPE_ROOT, ...names), 'utf8');
const firstCells = (page: string) => [...page.matchAll(/^\| ([^|]+) \|/gm)].map(match => match[1]);
const first = (text: string) => text.replaceAll('`', '').split(' ')[0];

describe('pages for users', () => {
  it('docs/command-line.md has the commands of --help, and its exit codes', () => {
    const { stdout } = spawnSync(process.execPath, [CLI, '--help'], { encoding: 'utf8' });
    const commands = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(match => match[1]);
    assert.ok(commands.length >= 8);
    const cells = firstCells(read('docs', 'command-line.md'));
    assert.deepEqual(
      cells
        .filter(cell => cell.startsWith('`'))
        .map(first)
        .sort(),
      [...commands].sort(),
    );
    const codes = [...stdout.matchAll(/(?:: |; )(\d) /g)].map(match => match[1]);
    assert.deepEqual(
      cells.filter(cell => /^\d$/.test(cell)),
      codes,
    );
  });

  it('docs/slow-kernel.md explains every reason to wait', () => {
    const reasons = STALL_REASONS.map(stallShort).filter(Boolean);
    const cells = firstCells(read('docs', 'slow-kernel.md')).filter(cell => cell.startsWith('`'));
    assert.deepEqual(
      cells.map(cell => cell.replaceAll('`', '')),
      reasons,
    );
  });

  it('docs/slow-kernel.md says what helps against every warning', () => {
    const titles = [...read('src', 'simulator', 'analyze', 'warnings.ts').matchAll(/title: ['`]([^'`]+)['`]/g)].map(match =>
      match[1].replace(/\$\{\w+\}/, '…'),
    );
    assert.ok(titles.length >= 9);
    const cells = new Set(firstCells(read('docs', 'slow-kernel.md')));
    assert.deepEqual(
      titles.filter(title => !cells.has(title)),
      [],
    );
  });

  it('docs/README.md lists every page once', () => {
    const listed = firstCells(read('docs', 'README.md')).flatMap(cell => [...cell.matchAll(/\]\(([^)]+)\)/g)].map(match => match[1]));
    const files = fs.readdirSync(path.join(NKI_SCOPE_ROOT, 'docs'), { recursive: true }).map(name => String(name).replaceAll('\\', '/'));
    const pages = files.filter(name => name.endsWith('.md') && name !== 'README.md');
    assert.deepEqual(listed.filter(name => !name.startsWith('../')).sort(), pages.sort());
    assert.equal(new Set(listed).size, listed.length);
  });
});
