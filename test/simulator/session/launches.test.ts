/** The run of a script with several kernel calls: a profile of bars for calls, with what the host does and what runs between them. */
import assert from 'node:assert/strict';
import { launchesJson, launchesText } from '../../../src/cli/launchesReport';
import { bounds } from '../../../src/simulator/analyze/bounds';
import { launchSums, launchTable } from '../../../src/simulator/analyze/launches';
import { lines } from '../../../src/simulator/analyze/lines';
import { operandText } from '../../../src/simulator/analyze/operandText';
import { warnings } from '../../../src/simulator/analyze/warnings';
import { profileId } from '../../../src/simulator/formats/contentHash';
import { decodeProfile } from '../../../src/simulator/profile/codec';
import { encodeProgram } from '../../../src/simulator/program/codec';
import { copyProgram, floats, runCopy, session } from '../../support/hostSession';
import { launchesSession, measuredRunOfLaunches, runOfLaunches, SCRIPT, siteAt } from '../../support/launches';

describe('run of launches', () => {
  it('is not there for one call alone', () => {
    const s = session();
    runCopy(s);
    s.host.results();
    assert.equal(s.host.launches(), null);
  });

  it('has no column of gaps where calls follow at once', () => {
    const s = session();
    for (let call = 0; call < 2; call++) runCopy(s);
    s.host.results();
    const text = launchesText({ profile: decodeProfile(s.host.launches()!), file: 'x' });
    assert.match(text, /Called at +Time +Share\n1 /);
  });

  it('has a bar for each call, one after the other, with its own profile’s id and time', () => {
    const s = launchesSession();
    const p = runOfLaunches();
    const calls = s.host.runs.map(run => run.returned());
    const table = launchTable(p);
    assert.deepEqual(
      table.map(({ profile, call, kernel, timeNs }) => [profile, call, kernel, timeNs]),
      calls.map(({ profile, id }, k) => [profileId(profile), id.call, s.host.runs[k].profile.kernel, s.host.runs[k].profile.totalTimeNs]),
    );
    for (const [k, { startNs }] of table.entries()) if (k > 0) assert.ok(startNs >= table[k - 1].endNs);
    assert.equal(p.totalTimeNs, table[table.length - 1].endNs);
    assert.ok(Math.abs(table.reduce((sum, { timeNs, gapNs }) => sum + timeNs + gapNs, 0) - p.totalTimeNs) < 1e-6);
  });

  it('puts each call at its line of the script, in its layer, and shares add up', () => {
    const p = runOfLaunches();
    const table = launchTable(p);
    assert.deepEqual(
      table.map(({ position, layer }) => [position.file, position.line, layer]),
      [0, 1].flatMap(i => [
        [SCRIPT, 3, `block.${i}/mlp`],
        [SCRIPT, 4, `block.${i}`],
      ]),
    );
    assert.ok(p.files[0].text.includes('double(y)'));
    const found = lines(p);
    assert.deepEqual(found.map(({ line }) => line).sort(), [2, 3, 4]);
    assert.ok(Math.abs(found.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
  });

  it('names what the host does at its moment, without a time of its own', () => {
    const p = runOfLaunches(1);
    const onHost = [...p.instructions.track.keys()].filter(row => p.tracks[p.instructions.track[row]].name === 'Host');
    const names = onHost.map(row => [p.opcodes[p.instructions.opcode[row]], p.instructions.endNs[row] > p.instructions.startNs[row]]);
    assert.deepEqual(names, [
      ['nrt_tensor_write (time unknown)', false],
      ['nrt_load (time unknown)', false],
      ['nrt_execute', true],
      ['Python (time unknown)', false],
      ['nrt_execute', true],
    ]);
    assert.match(p.accuracy, /host .* is not modelled/);
  });

  it('shows what the script took between calls where it was measured, and says whose time it is', () => {
    const p = measuredRunOfLaunches();
    const measured = [...p.instructions.opcode.keys()].filter(row => /^Python/.test(p.opcodes[p.instructions.opcode[row]]));
    assert.deepEqual(new Set(measured.map(row => p.opcodes[p.instructions.opcode[row]])), new Set(['Python (measured on this machine)']));
    assert.deepEqual(new Set(measured.map(row => p.tracks[p.instructions.track[row]].name)), new Set(['Host']));
    // between two answers of the host: to the call and to the next; before the product of the second round come its weights and itself
    const took = measured.map(row => (p.instructions.endNs[row] - p.instructions.startNs[row]) / 1e6);
    assert.deepEqual(took.map(Math.round), [1, 2, 1, 1]);
    const table = launchTable(p);
    assert.deepEqual(
      table.map(({ scriptNs }) => (scriptNs === undefined ? null : scriptNs / 1e6)),
      [null, 1, 3, 1],
    );
    for (const { gapNs, scriptNs = 0 } of table) assert.ok(gapNs >= scriptNs - 1e-3, `a gap of ${gapNs} ns with ${scriptNs} of the script`);
    assert.ok(Math.abs(lines(p).reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
    assert.match(p.accuracy, /Python's time .* was measured on the machine that simulated/);
    assert.match(bounds(p).sentences.join(' '), /Python takes 99 % between them, measured/);
    const report = launchesJson({ profile: p, file: 'x' }, new Map());
    assert.deepEqual(
      (report.launches as { gap_ns: number; script_ns: number }[]).map(row => [row.script_ns, Math.round(row.gap_ns / 1e6)]),
      [
        [null, 0],
        [1e6, 1],
        [3e6, 3],
        [1e6, 1],
      ],
    );
    const text = launchesText({ profile: p, file: 'x' });
    assert.match(text, /Share {2}Gap before[\s\S]* 3\.\d+ ms\n/);
    assert.match(text, /Called at +Layer +Time +Share/);
    assert.match(launchesText({ profile: { ...p, layers: undefined }, file: 'x' }), /Called at +Time +Share/, 'no empty column');
  });

  it('does not count what records a kernel as the script’s time', () => {
    let ms = 0;
    const s = session({ request: { file: SCRIPT, root: '/w', hostTime: true }, nowMs: () => ms });
    const { ok } = s.call({ call: 'array.put', dtype: 'float32', shape: [2, 3] }, floats(1, 2, 3, 4, 5, 6));
    const run = () => {
      s.call({ call: 'recording', begins: true });
      ms += 1000;
      s.call({ call: 'progress', instructions: 1 });
      ms += 1000;
      s.call({ call: 'run', inputs: [ok?.array], site: siteAt(3, '') }, encodeProgram(copyProgram()));
      s.call({ call: 'recording', begins: false });
    };
    run();
    ms += 7;
    run();
    // of a call that fails
    s.call({ call: 'recording', begins: true });
    ms += 1000;
    s.call({ call: 'recording', begins: false });
    ms += 5;
    run();
    s.host.results();
    const table = launchTable(decodeProfile(s.host.launches()!));
    assert.deepEqual(
      table.map(({ scriptNs }) => scriptNs),
      [undefined, 7e6, 5e6],
    );
  });

  it('is the same bytes each time unless it is measured', () => {
    const bytes = () => launchesSession().host.launches()!;
    assert.deepEqual(bytes(), bytes());
  });

  it('copies an array to the device once, before its first use there, and back once, when the script needs its values', () => {
    const s = session();
    const { call } = s;
    const array = { dtype: 'float32', shape: [2, 3] };
    const given = call({ call: 'array.put', ...array }, floats(1, 2, 3, 4, 5, 6)).ok?.array;
    const run = (input: unknown, line: number) =>
      (call({ call: 'run', inputs: [input], site: siteAt(line, '') }, encodeProgram(copyProgram())).ok!.outputs as number[])[0];
    const op = (name: string, operands: unknown[], more = {}) =>
      call({ call: 'array.op', op: name, operands, attributes: {}, ...array, ...more }).ok?.array;
    const first = run(given, 1);
    const second = run(first, 2);
    const again = run(given, 3);
    // a view stays where it is; an operation outside of layers is the host's
    const flat = op('reshape', [second], { shape: [6] });
    call({ call: 'array.get', array: flat, site: siteAt(4, '') });
    call({ call: 'array.get', array: flat, site: siteAt(5, '') });
    const sum = op('add', [again, given]);
    call({ call: 'array.get', array: sum, site: siteAt(6, '') });
    run(sum, 7);
    s.host.results();
    const p = decodeProfile(s.host.launches()!);
    const copies = [...p.instructions.opcode.keys()].flatMap(row => {
      const name = p.opcodes[p.instructions.opcode[row]];
      return name.startsWith('nrt_tensor') ? [[name.split(' ')[0], p.frames.line[p.instructions.frame[row]], operandText(p, row)]] : [];
    });
    assert.deepEqual(copies, [
      ['nrt_tensor_write', 1, 'f32[2,3]: 24 B'],
      ['nrt_tensor_read', 4, 'f32[6]: 24 B'],
      ['nrt_tensor_read', 3, 'f32[2,3]: 24 B'],
      ['nrt_tensor_write', 7, 'f32[2,3]: 24 B'],
    ]);
  });

  it('says what takes most, and warns of nothing that it cannot know', () => {
    const p = runOfLaunches();
    assert.match(bounds(p).sentences[0], /^4 kernel calls in .*: \d+ % in \d calls? of \w+/);
    assert.deepEqual(warnings(p), []);
    const [first] = launchSums(launchTable(p), ({ position }) => String(position.line));
    assert.equal(first.calls, 2);
  });

  it('shows an operation without a rule as unknown, and does not count those outside of layers', () => {
    const s = session();
    const { ok } = s.call({ call: 'array.put', dtype: 'float32', shape: [2, 3] }, floats(1, 2, 3, 4, 5, 6));
    const sort = { call: 'array.op', op: 'sort', operands: [ok?.array], attributes: { axis: 1 }, dtype: 'float32', shape: [2, 3] };
    const gather = { ...sort, op: 'take', operands: [ok?.array, ok?.array], attributes: { axis: 0 } };
    assert.equal(s.call(sort).error, undefined);
    assert.equal(s.call({ ...gather, site: siteAt(2, 'model') }).error, undefined);
    s.call({ call: 'run', inputs: [ok?.array], site: siteAt(3, 'model') }, encodeProgram(copyProgram()));
    s.host.results();
    const p = decodeProfile(s.host.launches()!);
    assert.deepEqual(p.opcodes, [
      'nrt_tensor_write (time unknown)',
      'take (time unknown)',
      'nrt_load (time unknown)',
      'tiled',
      'nrt_execute',
    ]);
    assert.equal(launchTable(p)[0].gapNs, 0);
  });

  it('refuses a site that is none', () => {
    const s = session();
    const { ok } = s.call({ call: 'array.put', dtype: 'float32', shape: [2, 3] }, floats(1, 2, 3, 4, 5, 6));
    const { error } = s.call(
      { call: 'run', inputs: [ok?.array], site: { frames: 'x', layer: '', sources: [] } },
      encodeProgram(copyProgram()),
    );
    assert.equal(error?.kind, 'ProtocolError');
  });
});
