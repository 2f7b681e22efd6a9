/** Texts of published kernels, out of clones that whoever measures has made: what is taken out of them, and what is said when it is not there. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from './support/temporary';

declare const NKI_SCOPE_ROOT: string;

type Edits = string | [from: string, to: string][];
type Text = (row: { id: string; repository: string; commit: string; path: string; edits?: Edits }, folder: string) => string;

describe('published kernels', () => {
  const temporary = temporaryFolder();
  let publishedText: Text;
  let row: Omit<Parameters<Text>[0], 'edits'>;

  before(async () => {
    ({ publishedText } = await import(pathToFileURL(path.join(NKI_SCOPE_ROOT, 'scripts/published.mjs')).href));
    temporary.write('someone/kernels/k.py', 'import os\nimport torch\n\nkernel = 1\n');
    const git = (...words: string[]) => {
      const author = ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid', '-c', 'commit.gpgsign=false'];
      const { status, stdout, stderr } = spawnSync('git', ['-C', temporary.path('someone/kernels'), ...author, ...words], {
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      return stdout.trim();
    };
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'a kernel');
    row = { id: 'a', repository: 'someone/kernels', commit: git('rev-parse', '--short', 'HEAD'), path: 'k.py' };
  });

  const text = (edits?: Edits) => publishedText({ ...row, edits }, temporary.path());

  it('are as published, but for what is edited', () => {
    assert.equal(text(), 'import os\nimport torch\n\nkernel = 1\n');
    assert.equal(text([['import torch\n', '']]), 'import os\n\nkernel = 1\n');
  });

  it('must have what an edit of their own replaces, but not all of a list that the texts of a harness share', () => {
    assert.throws(() => text([['import numpy\n', '']]), /k\.py has no "import numpy/);
    const shared = text('Tilebench');
    assert.ok(shared.startsWith("import os\nos.environ['NEURON_LOGICAL_NC_CONFIG'] = '2'\n"), shared);
    assert.throws(() => text('nobody'), /a: edits\.json has no list nobody/);
    assert.ok(shared.includes('torch = ') && shared.endsWith('kernel = 1\n') && !shared.includes('NkiAutotuner'), shared);
  });

  it('are asked for where their clone is missing', () => {
    assert.throws(() => publishedText({ ...row, repository: 'someone/else' }, temporary.path()), /is not there\. Clone what is measured/);
  });
});
