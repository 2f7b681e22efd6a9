/** docs/sources.md explains what every number of the machines names as its source, and what it points to in the repository is there. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { INSTRUCTION_ROWS } from '../bench/fidelity/instructions';
import { TOPOLOGIES } from '../src/simulator/hardware/network';
import { machineFor, TARGETS } from '../src/simulator/hardware/targets';

declare const NKI_SCOPE_ROOT: string;

const read = (...names: string[]) => fs.readFileSync(path.join(NKI_SCOPE_ROOT, ...names), 'utf8');
const page = read('docs', 'sources.md');

/** Keys in the first cells of the page's tables; `*` in them stands for any letters of a word. */
const keys = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(row => [...row[1].matchAll(/`([^`]+)`/g)].map(match => match[1]));

const pattern = (key: string) => key.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[\\w-]*\\*?');
const mentions = (text: string, key: string) => new RegExp(`(?<![\\w-])${pattern(key)}(?![\\w-])`).test(text);

/** Words in a source that cite something: sections, guides, commits, rows. Each needs a key, not only the text as a whole. */
const CITATIONS = [
  /costs §\d+/g,
  /arch v\d+/g,
  /isa [0-9a-f]{8}/g,
  /(?<![\w.-])nki-[a-z-]+/g,
  /(?<=calibration )[\w-]+\*?/g,
  /(?<![\w-])(?:ins|pg|dma\d|cs|exp|nkib|mamba\d)-[\w-]+\*?/g,
];

function* sourcesOf(value: unknown, place: string): Generator<[place: string, source: string]> {
  if (value === null || typeof value !== 'object') return;
  if ('source' in value) yield [place, String(value.source)];
  else for (const [key, inner] of Object.entries(value)) yield* sourcesOf(inner, `${place}.${key}`);
}

/** What of a source has no entry on the page. */
function unresolved(source: string): string[] {
  const cited = CITATIONS.flatMap(citation => source.match(citation) ?? []);
  const missing = cited.filter(word => !keys.some(key => mentions(word, key)));
  return missing.length > 0 || keys.some(key => mentions(source, key)) ? missing : [source];
}

describe('docs/sources.md', () => {
  it('has keys, each once', () => {
    assert.ok(keys.length >= 30, `only ${keys.length} keys`);
    assert.deepEqual(
      keys.filter((key, at) => keys.indexOf(key) !== at),
      [],
    );
  });

  it('tells a source that it does not know', () => {
    assert.deepEqual(unresolved('costs §9'), ['costs §9']);
    assert.deepEqual(unresolved('costs §3 and calibration zz-top'), ['zz-top']);
    assert.deepEqual(unresolved('somebody said so'), ['somebody said so']);
  });

  for (const target of TARGETS)
    it(`explains the source of every number of ${target}`, () => {
      const all = [...sourcesOf(machineFor(target), target)];
      assert.ok(all.length > 80);
      const missing = all.flatMap(([place, source]) => unresolved(source).map(word => `${place}: ${word}`));
      assert.deepEqual(missing, []);
    });

  it('explains the source of every number of the topologies', () => {
    const all = TOPOLOGIES.flatMap(topology => [...sourcesOf(topology, topology.name)]);
    assert.ok(all.length > 40);
    assert.deepEqual(
      all.flatMap(([place, source]) => unresolved(source).map(word => `${place}: ${word}`)),
      [],
    );
  });

  it('has no key that no number uses', () => {
    const machines = TARGETS.map(target => [machineFor(target), target] as const);
    const used = [...machines, ...TOPOLOGIES.map(topology => [topology, topology.name] as const)].flatMap(([facts, name]) =>
      [...sourcesOf(facts, name)].map(([, source]) => source),
    );
    assert.deepEqual(
      keys.filter(key => !used.some(source => mentions(source, key))),
      [],
    );
  });

  it('names rows that are in the repository', () => {
    const listed = (file: string) => (JSON.parse(read('bench', 'fidelity', file)) as { id: string }[]).map(row => row.id);
    const ids = {
      'rows.json': listed('rows.json'),
      'published.json': listed('published.json'),
      'instructions.ts': INSTRUCTION_ROWS.map(row => row.id),
    };
    const named = [...page.matchAll(/Rows? `([^`]+)` of `bench\/fidelity\/([^`]+)`/g)];
    assert.ok(named.length >= 6);
    for (const [, row, file] of named) {
      assert.ok(
        ids[file as keyof typeof ids].some(id => mentions(id, row)),
        `${row} in ${file}`,
      );
    }
  });

  it('points at addresses and sections, and at no place of one machine', () => {
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(match =>
      match[1]
        .toLowerCase()
        .replace(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    const missing = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(match => match[1]).filter(anchor => !anchors.includes(anchor));
    assert.deepEqual(missing, []);
    assert.doesNotMatch(page, /\/(?:work|home|tmp|Users)\//);
  });
});
