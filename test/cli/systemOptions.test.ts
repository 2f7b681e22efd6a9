/** The options of `view` for system profiles, as the built command takes them: filters, groups, flows, wrong ones. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { FORMATS, saidOfSize } from '../../src/cli/viewFormats';
import { readSystemPerfetto } from '../../src/simulator/formats/capture/system/perfetto';
import { CLI } from '../support/built';
import { systemJson } from '../support/systemTrace';
import { temporaryFolder } from '../support/temporary';

describe('options for system profiles', () => {
  const folder = temporaryFolder();
  const view = (...options: string[]) => {
    const file = folder.write('system_profile.json', systemJson());
    return spawnSync(process.execPath, [CLI, 'view', '-s', file, ...options], { encoding: 'utf8' });
  };

  it('leave out events by core, kind and instance', () => {
    const kinds = (...options: string[]) => {
      const { stdout, stderr, status } = view('--output-format', 'summary-json', ...options);
      assert.equal(status, 0, stderr);
      const [{ events }] = Object.values(JSON.parse(stdout)) as { events: { name: string }[] }[];
      return events.map(({ name }) => name).sort();
    };
    assert.deepEqual(kinds('--system-trace-filter-event-type', 'hardware,^cc_running'), ['nc_exec_running', 'timestamp_sync_point']);
    assert.deepEqual(kinds('--system-trace-filter-neuron-core', '9'), ['PjitFunction(matmul)', 'model.py(42): forward']);
  });

  it('refuse an instance that there is not, and name those that there are', () => {
    const { status, stderr, stdout } = view('--output-format', 'summary-json', '--system-trace-filter-instance-id', 'i-none');
    assert.equal(status, 1);
    assert.match(stderr, /it has no instance i-none: its instances are i-/);
    assert.equal(stdout, '');
  });

  it('group a Perfetto trace and add flows to it', () => {
    const file = folder.path('out.pftrace');
    const options = ['--output-format', 'perfetto', '--output-file', file, '--show-perfetto-flows'];
    const { status, stderr } = view(...options, '--system-trace-primary-group', 'lnc_idx', '--system-trace-secondary-group', 'worker_gid');
    assert.equal(status, 0, stderr);
    const bytes = new Uint8Array(fs.readFileSync(file));
    const text = Buffer.from(bytes).toString('latin1');
    for (const name of ['lnc_idx:0', 'worker_gid:0 - Row 0', 'worker_gid:1 - Row 0']) assert.ok(text.includes(name), name);
    assert.ok(!text.includes('process_id:701'), 'the groups of the default are not there');
    const { instructions } = readSystemPerfetto(bytes, { name: 'x' });
    assert.ok(Array.from(instructions.blocker).filter(before => before >= 0).length >= 12);
  });

  it('refuse a field that there is not', () => {
    const { status, stderr } = view('--output-format', 'perfetto', '--system-trace-primary-group', 'planet');
    assert.equal(status, 2);
    assert.match(stderr, /--system-trace-primary-group planet: fields are instance_id, process_id/);
  });
});

describe('a large trace', () => {
  it('is said to be one, with what opens it; other formats are not', () => {
    assert.match(saidOfSize(FORMATS.perfetto, 301e6), /trace_processor --httpd/);
    assert.equal(saidOfSize(FORMATS.perfetto, 299e6), '');
    assert.equal(saidOfSize(FORMATS.csv, 301e6), '');
  });
});
