/** What contributors meet first: the public CI runs what README promises, and templates and policies lead to what is there. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

declare const NKI_SCOPE_ROOT: string;

const read = (...names: string[]) => fs.readFileSync(path.join(NKI_SCOPE_ROOT, ...names), 'utf8');

describe('the public CI', () => {
  const workflow = read('.github', 'workflows', 'ci.yml');

  it('runs both commands of README, the first without serving, the second with the long tests', () => {
    const [, block] = /## Two commands\n[\s\S]*?\n\n((?: {4}npm .*\n)+)/.exec(read('README.md')) ?? [];
    assert.ok(block, 'README names no commands');
    const promised = block.match(/npm \w+/g);
    const run = [...workflow.matchAll(/- run: (npm \w+)(.*)$/gm)].map(([, command, rest]) => [command, rest.trim()]);
    assert.deepEqual(run, [
      [promised![0], '-- --no-serve'],
      [promised![1], '-- --all'],
    ]);
  });

  it('runs on Linux, macOS and Windows, and on the oldest Node that is promised', () => {
    const [, systems] = /os: \[([^\]]+)\]/.exec(workflow) ?? [];
    assert.deepEqual(systems?.split(', '), ['ubuntu-latest', 'macos-latest', 'windows-latest']);
    const [, oldest] = /node: \[(\d+)\]/.exec(workflow) ?? [];
    assert.equal(`>=${oldest}`, JSON.parse(read('package.json')).engines.node);
  });
});

describe('links of documents', () => {
  const documents = [
    ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'ARCHITECTURE.md'],
    ...fs.readdirSync(path.join(NKI_SCOPE_ROOT, 'docs'), { recursive: true }).map(name => `docs/${name}`),
  ];
  for (const document of documents.filter(name => name.endsWith('.md')))
    it(`${document} links to files that are there`, () => {
      const links = [...read(document).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(match => match[1]);
      const missing = links
        .filter(link => !/^[a-z]+:/.test(link))
        .filter(link => !fs.existsSync(path.join(NKI_SCOPE_ROOT, path.dirname(document), link)));
      assert.deepEqual(missing, []);
    });
});
