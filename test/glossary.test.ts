/** docs/glossary.md defines what folders are called, in order, each word once, and names nothing that is gone from the code. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

declare const NKI_SCOPE_ROOT: string;

const page = fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'docs', 'glossary.md'), 'utf8');
const entries = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, word, meaning]) => ({ word, meaning })).filter(isEntry);

function isEntry({ word }: { word: string }) {
  return word !== 'word' && word !== '---';
}

/** Folders of others' packages, whose names are theirs. */
const FOREIGN = /^simulator\/frontend\/python\/(?:standins|neuronxcc|nki)(?:\/|$)/;
/** What says itself. */
const PLAIN = new Set(['python', 'tests', 'names']);

const SRC = path.join(NKI_SCOPE_ROOT, 'src');
const inside = fs.readdirSync(SRC, { recursive: true, withFileTypes: true }).filter(({ name }) => !name.startsWith('__'));
const relative = ({ parentPath, name }: fs.Dirent) => path.relative(SRC, path.join(parentPath, name)).replaceAll('\\', '/');
const folders = inside.filter(entry => entry.isDirectory() && !entry.parentPath.includes('__pycache__')).map(relative);

/** Words that the page explains: entries, and names in backticks. */
const named = entries.flatMap(({ meaning }) => [...meaning.matchAll(/(?:In names: |Folder )`([\w/]+)`/g)].map(match => match[1]));
const explained = new Set([
  ...entries.flatMap(({ word }) => word.toLowerCase().split(', ')),
  ...named.map(name => name.split('/').at(-1)!),
]);

describe('docs/glossary.md', () => {
  it('is in order, each word once', () => {
    const words = entries.map(({ word }) => word.toLowerCase());
    assert.ok(words.length > 100);
    assert.deepEqual(
      words,
      [...new Set(words)].sort((a, b) => a.localeCompare(b, 'en')),
    );
  });

  it('explains the name of every folder', () => {
    const own = folders.filter(folder => !FOREIGN.test(folder)).map(folder => folder.split('/').at(-1)!);
    assert.ok(own.length > 60);
    const known = (name: string) => [name, name.replace(/s$/, '')].some(word => explained.has(word.toLowerCase()) || PLAIN.has(word));
    assert.deepEqual(
      own.filter(name => !known(name)),
      [],
    );
  });

  it('names nothing that is gone from the code', () => {
    const sources = inside.filter(entry => entry.isFile() && entry.name.endsWith('.ts')).map(relative);
    const text = sources.map(file => fs.readFileSync(path.join(SRC, file), 'utf8')).join('\n');
    const names = new Set([...sources.map(file => path.posix.basename(file, '.ts')), ...folders.map(folder => folder.split('/').at(-1)!)]);
    const exists = (name: string) => names.has(name) || new RegExp(`export (?:type|interface|class|function|const) ${name}\\b`).test(text);
    assert.deepEqual(
      named.map(name => name.split('/').at(-1)!).filter(name => !exists(name)),
      [],
    );
  });
});
