/** Recordings that we cannot read go through AWS's tool: a stand-in that takes its documented options and writes what it is documented to write. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { jsonChunks } from '../../../../src/simulator/formats/json';
import { parquetFiles } from '../../../../src/simulator/formats/parquet/parquet';
import { decodeProfile } from '../../../../src/simulator/profile/codec';
import type { NeuronToolOptions } from '../../../../src/simulator/service/reading/neuronTool';
import { ReadingClient } from '../../../../src/simulator/service/reading/readingClient';
import { DIST } from '../../../support/built';
import { neffFile, ntffFile } from '../../../support/ntffFile';
import { syntheticProfile } from '../../../support/syntheticProfile';
import { temporaryFolder } from '../../../support/temporary';

const EVENTS = 40;
const posixOnly = process.platform === 'win32' ? it.skip : it;

describe('recordings of unknown versions', () => {
  const folder = temporaryFolder();
  const given = syntheticProfile(EVENTS);
  let options: NeuronToolOptions | null;
  const client = new ReadingClient({ dist: DIST, neuronTool: () => options });
  after(() => client.dispose());

  /** Of a version that is not known, with its NEFF. */
  function recording(name: string, withNeff = true): string {
    const bytes = Uint8Array.from(ntffFile());
    bytes[0] = 9;
    if (withNeff) folder.write(name.replace('.ntff', '.neff'), neffFile());
    return folder.write(name, bytes);
  }

  /** A program that notes its options and its folder, then does what the script says, with `out` and `format`. */
  function standIn(name: string, script: string): string {
    const program = folder.write(
      name,
      `#!${process.execPath}
const { parseArgs } = require('node:util');
const fs = require('node:fs');
const text = { type: 'string' };
const options = { 'session-file': text, 'neff-path': text, 'output-format': text, 'output-file': text };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
fs.writeFileSync(__filename + '.asked', JSON.stringify({ values, positionals, cwd: process.cwd() }));
const [format, out] = [values['output-format'], values['output-file']];
${script}
`,
    );
    fs.chmodSync(program, 0o755);
    return program;
  }
  const asked = (program: string) => JSON.parse(fs.readFileSync(`${program}.asked`, 'utf8'));
  const read = async (file: string) => decodeProfile(await client.container({ path: file }));

  before(() => {
    for (const [name, bytes] of parquetFiles({ ...given, simulated: false })) folder.write(`tables/${name}`, bytes);
    folder.write('capture.json', [...jsonChunks({ ...given, simulated: false })].join(''));
  });

  posixOnly('are read by neuron-explorer, which writes Parquet', async () => {
    const program = standIn(
      'neuron-explorer',
      `fs.cpSync(${JSON.stringify(folder.path('tables'))}, out + '/x@latest', { recursive: true });`,
    );
    options = { named: program, howToName: '' };
    const file = recording('new.ntff');
    const p = await read(file);
    assert.equal(p.instructions.startNs.length, EVENTS);
    const { values, positionals, cwd } = asked(program);
    assert.deepEqual(positionals, ['view']);
    assert.deepEqual([values['session-file'], values['neff-path'], values['output-format']], [file, folder.path('new.neff'), 'parquet']);
    assert.equal(path.dirname(values['output-file']), cwd, 'it works in a folder of its own');
    assert.equal(fs.existsSync(cwd), false, 'which is removed');
  });

  posixOnly('are read by neuron-profile, which writes JSON, and keep their rank', async () => {
    const program = standIn('neuron-profile', `fs.copyFileSync(${JSON.stringify(folder.path('capture.json'))}, out);`);
    options = { named: program, howToName: '' };
    const [, second] = [0, 1].map(rank => recording(`ranks/profile_rank_${rank}.ntff`));
    const p = await read(second);
    assert.equal(asked(program).values['output-format'], 'json');
    assert.deepEqual([p.instructions.startNs.length, p.rank?.rank, p.rank?.ranks], [EVENTS, 1, 2]);
  });

  posixOnly('are read by the one on the PATH, the newest first, and never by one in a relative folder', async () => {
    const before = process.env.PATH;
    const onPath = (name: string) => folder.path('bin', name);
    try {
      standIn('bin/neuron-explorer', `fs.cpSync(${JSON.stringify(folder.path('tables'))}, out, { recursive: true });`);
      standIn('bin/neuron-profile', 'process.exit(1);');
      process.env.PATH = folder.path('bin');
      options = { named: '', howToName: 'name it' };
      assert.equal((await read(recording('path.ntff'))).instructions.startNs.length, EVENTS);
      fs.rmSync(`${onPath('neuron-explorer')}.asked`);
      process.env.PATH = path.relative(process.cwd(), folder.path('bin'));
      await assert.rejects(read(recording('path.ntff')), /version 9, whose layout is not known.* put one on the PATH, or name it$/);
      assert.equal(fs.existsSync(`${onPath('neuron-explorer')}.asked`), false);
    } finally {
      process.env.PATH = before;
    }
  });

  posixOnly('say what is unknown, and what would help', async () => {
    const file = recording('said.ntff');
    options = { named: standIn('neuron-explorer-old', 'console.error("unsupported NTFF version"); process.exit(3);'), howToName: '' };
    await assert.rejects(read(file), /version 9, whose layout is not known.*neuron-explorer-old was tried: unsupported NTFF version$/);
    options = { named: standIn('neuron-explorer-idle', ''), howToName: '' };
    await assert.rejects(read(file), /was tried: it wrote no profile$/);
    options = { named: folder.path('missing'), howToName: '' };
    await assert.rejects(read(file), /missing was tried: .*ENOENT/);
    await assert.rejects(
      read(recording('alone.ntff', false)),
      /needs its NEFF, which is not there: put it beside the recording as alone\.neff$/,
    );
    options = null;
    await assert.rejects(read(file), /version 9, whose layout is not known; versions 4, 5 and 6 are read$/);
  });

  posixOnly('start no program for what is no recording, nor for one that is known', async () => {
    const program = standIn('neuron-explorer-unused', '');
    options = { named: program, howToName: '' };
    await assert.rejects(read(folder.write('text.nkiprof', 'no profile')), /not an \.nkiprof file/);
    assert.equal((await read(folder.write('known.ntff', ntffFile()))).simulated, false);
    assert.equal(fs.existsSync(`${program}.asked`), false);
  });
});
