/** Captures of several ranks: folders as AWS's tools leave them, read as ranks of one run whose clocks differ. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { collectiveTotals } from '../../../../src/simulator/analyze/collectives';
import { ranksOfRun } from '../../../../src/simulator/analyze/ranks';
import { rankLabel } from '../../../../src/simulator/analyze/runNames';
import { stallText } from '../../../../src/simulator/analyze/stallText';
import { stragglerOf } from '../../../../src/simulator/analyze/straggler';
import { readParquetRows } from '../../../../src/simulator/formats/capture/parquet/table';
import { parquetFiles } from '../../../../src/simulator/formats/parquet/parquet';
import { ranksText } from '../../../../src/simulator/formats/ranksText';
import type { Profile } from '../../../../src/simulator/profile/profile';
import { readProfile } from '../../../../src/simulator/service/reading/profileAt';
import { ranksOfFile } from '../../../../src/simulator/service/reading/rankPlace';
import { simulateRanks } from '../../../../src/simulator/simulateRanks';
import { shiftOf } from '../../../../src/webview/data/clock';
import { buildModel } from '../../../../src/webview/data/model';
import { areRanks } from '../../../../src/webview/data/stack';
import { type ExplorerRows, explorerTable } from '../../../support/explorerTable';
import { neffFile, ntffFile } from '../../../support/ntffFile';
import { type RankStep, rankProgram } from '../../../support/ranks';
import { temporaryFolder } from '../../../support/temporary';

/** Two collectives, of which the rank triggers each this long before it ends. */
function tables(clockNs: number, beforeNs: readonly [number, number], groups: string): Record<string, ExplorerRows> {
  const ends = [10_000, 30_000].map(endNs => endNs + clockNs);
  const trigger = (k: number) => ends[k] - beforeNs[k];
  const instruction = (id: number, start_ts: number, end_ts: number, opcode: string, line: number) => ({
    ...{ id, start_ts, end_ts, duration_ns: end_ts - start_ts, engine: 'Sync', timeline_track: 'Sync', pcore_idx: 0, opcode },
    ...{ operands: '', nki_source_location: `ring.py:${line}` },
  });
  const op = (k: number, operation: string) => ({
    ...{ start_ts: ends[k] - 500, end_ts: ends[k], duration_ns: 500, operation, algorithm: 'Ring', stream_id: 4, input_size: 1024 },
    ...{ output_size: 4096, trigger_start_ts: trigger(k), replica_group: groups },
  });
  return {
    Instruction: [
      instruction(1, clockNs, trigger(0) - 100, 'WRITE', 5),
      instruction(2, trigger(0), trigger(0) + 50, 'PSEUDO_TRIGGER_COLLECTIVE_2', 6),
      instruction(3, ends[0], trigger(1) - 20, 'WRITE', 7),
      instruction(4, trigger(1), trigger(1) + 50, 'PSEUDO_TRIGGER_COLLECTIVE_2', 8),
    ],
    CcOp: [op(0, 'AllGather'), op(1, 'AllReduce')],
    CcStream: [{ stream_id: 4, stream_index: 0, cc_core_ids: '[8,9,10,11]' }],
  };
}

describe('captures of several ranks', () => {
  const folder = temporaryFolder();
  const put = (name: string, of: Record<string, ExplorerRows>) => {
    for (const [table, rows] of Object.entries(of)) folder.write(path.join(name, `${table}.parquet`), explorerTable(rows));
    return { path: folder.path(name) };
  };
  const together = '[[0, 1]]';

  it('in Parquet are ranks of one run: collectives, skew, the last rank and its line, on one clock', async () => {
    const sources = [
      put('pair/profile_rank_0@latest', tables(0, [3000, 9000], together)),
      put('pair/profile_rank_1@latest', tables(77_000, [8000, 2000], together)),
    ];
    const profiles = await Promise.all(sources.map(readProfile));
    assert.deepEqual(
      profiles.map(({ kernel, rank }) => [kernel, rank!.rank, rank!.ranks]),
      [
        ['profile', 0, 2],
        ['profile', 1, 2],
      ],
    );
    const { collectives } = ranksOfRun(profiles);
    assert.deepEqual(
      collectives.map(({ name, algorithm, bytes, skewNs, last }) => [name, algorithm, bytes, skewNs, last.rank, last.line]),
      [
        ['AllGather', 'Ring', 4096, 5000, 0, 5],
        ['AllReduce', 'Ring', 4096, 7000, 1, 7],
      ],
    );
    const [own] = profiles;
    assert.equal(stallText(own, own.instructions.startNs.length + own.rank!.collectives[0].transfer), 'began 2.50 µs after its trigger');
    const { lines } = stragglerOf(profiles, collectives[1].number)!;
    assert.deepEqual([path.basename(lines[0].file), lines[0].line], ['ring.py', 7]);
    assert.equal(shiftOf(profiles[0], profiles[1]), 77_000);
    assert.deepEqual(
      own.tracks.filter(({ kind }) => kind === 'queue').map(({ name }) => name),
      ['CC-core_8'],
    );
    assert.deepEqual(collectiveTotals(own), { count: 2, sumNs: 1000, activeNs: 1000, waitNs: 2500 + 8500 });
    const stack = profiles.map((profile, number) => ({ number, key: '', title: '', model: buildModel(profile), shiftNs: 0 }));
    assert.ok(areRanks(stack));
  });

  it('of two groups have collectives of their own', async () => {
    const groups = '[[0, 1], [2, 3]]';
    const sources = [0, 1, 2, 3].map(rank => put(`four/run_rank_${rank}`, tables(rank * 500, [1000, 1000], groups)));
    const profiles = await Promise.all(sources.map(readProfile));
    assert.deepEqual(
      ranksOfRun(profiles)
        .collectives.map(({ ranks }) => ranks.join())
        .sort(),
      ['0,1', '0,1', '2,3', '2,3'],
    );
  });

  it('are what simulated ranks are when these are written as Parquet and read back', async () => {
    const steps: RankStep[][] = [0, 1, 2, 3].map(rank => [
      ...new Array<RankStep>(rank % 3).fill('work'),
      ['all_reduce', 0, 1, 2, 3],
      ...new Array<RankStep>((rank * 3) % 4).fill('work'),
      ['collective_permute', 0, 1, 2, 3],
      rank < 2 ? ['all_to_all', 0, 1] : ['all_to_all', 2, 3],
    ]);
    const programs = steps.map(own => rankProgram(own, 'ring.py'));
    const simulated = simulateRanks(programs.map(whole => ({ whole, cores: [whole] })));
    const sources = simulated.map((p, rank) => {
      const name = `written/ring_rank_${rank}@latest`;
      for (const [file, bytes] of parquetFiles(p)) folder.write(path.join(name, file), bytes);
      return { path: folder.path(name) };
    });
    const profiles = await Promise.all(sources.map(readProfile));
    const said = (of: readonly Profile[]) =>
      ranksOfRun(of)
        .collectives.map(({ name, bytes, ranks, last }) => [name.toLowerCase().replaceAll('_', ''), bytes, ranks.join(), last.rank].join())
        .sort();
    assert.deepEqual(said(profiles), said(simulated));
    assert.equal(said(profiles).length, 4);
    const ends = (p: Profile) => p.rank!.collectives.map(({ transfer }) => Math.round(p.transfers.endNs[transfer]));
    assert.deepEqual(profiles.map(ends), simulated.map(ends));
    const [own, before] = [profiles[1], simulated[1]];
    assert.equal(own.transfers.startNs.length, before.transfers.startNs.length, 'none is a collective and a transfer');
    const [{ transfer }] = own.rank!.collectives;
    assert.equal(own.frames.line[own.transfers.frame[transfer]], 2);
    const file = folder.path('written/ring_rank_1@latest/CcOp.parquet');
    const [row] = await readParquetRows(new Uint8Array(fs.readFileSync(file)), null);
    assert.deepEqual(
      [row.operation, row.algorithm, row.dtype, Number(row.num_elements), row.trigger_engine, row.replica_group],
      ['AllReduce', 'Mesh', 'fp32', 128 * 512, 'Sync', '[[0,1,2,3]]'],
    );
    assert.deepEqual([row.input_size, row.output_size].map(Number), [262144, 262144]);
    const [algorithm, bus] = [row.algorithm_bandwidth, row.bus_bandwidth].map(Number);
    assert.ok(Math.abs(bus / algorithm - (2 * 3) / 4) < 1e-9);
    assert.ok(Math.abs(algorithm - (262144 / Number(row.duration_ns)) * 1e9) < 1);
  });

  it('that lie alone, or whose neighbours are of other runs, are no ranks', async () => {
    const alone = await readProfile(put('alone/other_rank_0', tables(0, [1000, 1000], together)));
    assert.equal(alone.rank, undefined);
    assert.equal(collectiveTotals(alone).count, 2, 'its collectives are there all the same');
  });

  it('in NTFF of several nodes and processes are found in their folders, each with the NEFF that belongs to it', async () => {
    const capture = (name: string, neff: string) => {
      folder.write(`nodes/${name}`, ntffFile());
      folder.write(`nodes/${path.dirname(name)}/${neff}`, neffFile());
      return { path: folder.path('nodes', name) };
    };
    const sources = [
      capture('i-0b_pid_9/4411_instid_0_vnc_0.ntff', 'neff_4411.neff'),
      capture('i-0a_pid_70/4411_instid_0_vnc_1.ntff', 'neff_4411.neff'),
      capture('i-0a_pid_8/4411_instid_0_vnc_0.ntff', 'neff_4411.neff'),
    ];
    const profiles = await Promise.all(sources.map(readProfile));
    assert.deepEqual(
      profiles.map(({ kernel, rank }) => [kernel, rank!.rank, rank!.ranks]),
      [
        ['4411', 2, 3],
        ['4411', 1, 3],
        ['4411', 0, 3],
      ],
    );
    const names = ['2 (i-0b pid 9, NC 0)', '1 (i-0a pid 70, NC 1)', '0 (i-0a pid 8, NC 0)'];
    assert.deepEqual(
      profiles.map(({ rank }) => rankLabel(rank!.rank, rank!.process)),
      names.map(name => `Rank ${name}`),
    );
    assert.deepEqual(
      ranksOfFile(sources[0].path).map(({ label }) => label),
      names.map(name => `Rank ${name}`).reverse(),
      'tabs have the names of heads',
    );
    for (const name of names) assert.ok(ranksText(profiles).includes(`\n  ${name} `), name);
    for (const { recorded } of profiles) assert.equal(recorded!.summary.compiler_version, '2.21');
    const session = [5, 6].map(pid => capture(`i-0c_pid_${pid}/2026_${pid}/profile_nc_0_session_1.ntff`, `neff_99_vnc_0.neff`));
    const [first, second] = await Promise.all(session.map(readProfile));
    assert.deepEqual([first.rank!.rank, second.rank!.rank, second.recorded!.summary.compiler_version], [0, 1, '2.21']);
  });
});
