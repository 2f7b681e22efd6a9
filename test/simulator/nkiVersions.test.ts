/** Versions of NKI: the data holds together, requirements are read as pip reads them, and the nearest file that pins one counts. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { requiredNki } from '../../src/simulator/isa/requirements';
import { instructionTable } from '../../src/simulator/isa/table';
import { compareVersions, NEWEST_NKI, NKI_VERSIONS, versionedNames, versionsOf } from '../../src/simulator/isa/versions';
import { pinnedNki } from '../../src/simulator/service/pinnedVersion';
import { temporaryFolder } from '../support/temporary';

const PYTHON_NAMES = path.join(NKI_SCOPE_ROOT, 'src/simulator/frontend/python/tests/names');
declare const NKI_SCOPE_ROOT: string;

describe('versions of NKI', () => {
  it('come, are deprecated and go in this order, and what goes says what to write', () => {
    assert.ok(versionedNames.length > 100);
    for (const name of versionedNames) {
      const { since, deprecated, removed, instead, changes } = versionsOf(name);
      for (const version of [since, deprecated ?? since, removed ?? since, ...changes.map(change => change.version)])
        assert.ok(NKI_VERSIONS.includes(version), `${name} ${version}`);
      if (deprecated) assert.ok(compareVersions(since, deprecated) < 0 && instead, name);
      if (removed) assert.ok(compareVersions(deprecated!, removed) < 0, name);
      for (const change of changes) assert.ok(compareVersions(since, change.version) < 0, `${name} changed in ${change.version}`);
    }
  });

  it('know names that are rows of the table or public names of AWS’s', () => {
    const rows = new Set(instructionTable.map(row => row.name));
    const documented = ['isa', 'language', 'collectives'].flatMap(module =>
      fs
        .readFileSync(path.join(PYTHON_NAMES, `nki.${module}.txt`), 'utf8')
        .split('\n')
        .map(name => `nki.${module}.${name}`),
    );
    const known = new Set([...rows, ...documented]);
    // what 0.7 brought stands in no list of 0.6's, nor do members of classes and what was removed before
    const unknown = versionedNames.filter(
      name => !known.has(name) && versionsOf(name).since !== '0.7' && !/NkiTensor\.|tile_size\.|_dynamic_/.test(name),
    );
    assert.deepEqual(unknown, []);
  });
});

describe('the version that a project asks for', () => {
  const folder = temporaryFolder();
  const cases: [text: string, version: string | undefined][] = [
    ['nki==0.6.0', '0.6'],
    ['nki == 0.6.*  # as on the cluster', '0.6'],
    ['nki~=0.5.0', '0.5'],
    ['nki~=0.5', '0.7'],
    ['nki>=0.3,<0.6', '0.5'],
    ['nki<=0.4', '0.4'],
    ['nki<0.6.1', '0.6'],
    ['nki>=0.0.0a0', undefined],
    ['nki', undefined],
    ['nki-library==0.2\nnkipy==0.3', undefined],
    ['numpy==1.26\nneuronx-cc==2.27.4747.0', '0.6'],
    ['neuronx_cc==2.*', undefined],
    ['neuronx-cc==2.16.345', undefined],
    ['nki==7.1', undefined],
    ['nki!=0.7.*', '0.6'],
    ['[project]\ndependencies = [\n  "torch>=2",\n  "nki>=0.4,<0.5",\n]', '0.4'],
    ['[tool.poetry.dependencies]\nnki = "^0.6"', '0.6'],
    ["nki = '0.5.*'", '0.5'],
    ['[tool.uv.sources]\nnki = { index = "neuron" }', undefined],
    ['name = "nki"', undefined],
  ];
  for (const [text, version] of cases) it(JSON.stringify(text), () => assert.equal(requiredNki(text), version));

  it('stands in the nearest file that asks for one, inside the root', () => {
    const root = folder.path();
    const inner = folder.path('project', 'kernels');
    folder.write('requirements.txt', 'nki==0.4.*\n');
    folder.write('project/kernels/requirements-dev.txt', 'pytest\n');
    const file = path.join(inner, 'kernel.py');
    assert.equal(pinnedNki(file, path.join(root, 'project')), undefined);
    assert.deepEqual(pinnedNki(file, root), { version: '0.4', place: path.join(root, 'requirements.txt') });
    folder.write('project/pyproject.toml', '[project]\ndependencies = ["nki~=0.6.0"]\n');
    assert.equal(pinnedNki(file, root)?.version, '0.6');
    assert.equal(pinnedNki(path.join(root, '..', 'kernel.py'), root), undefined);
    assert.equal(NEWEST_NKI, '0.7');
  });
});
