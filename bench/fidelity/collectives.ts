/**
 * Times of collectives that AWS's guide of `nccom-test` prints as sample outputs, beside those of the model. The guide names neither the
 * instance nor the version of a run, and says that the figures are not up to date. Runs that were in it when it named Trn1 and Inf2 only are
 * of Trn1. Those that came later are held against Trn2, because rings alone, as Trn1 has, are slower or have other names: our guess. A run
 * that is printed twice with nearly the same times is here once. Runs of several instances, whose network (EFA) is not modelled, are not here,
 * nor is the second of two streams that run side by side: it repeats one size. Source: aws-neuron-sdk tools/neuron-sys-tools/nccom-test.rst at 81ce03ae, for
 * the older runs also at 0f75c1e0.
 */
import { collectiveCost, movedBytes } from '../../src/simulator/hardware/collectiveCost';
import { type Algorithm, TOPOLOGIES } from '../../src/simulator/hardware/network';

interface CollectiveRun {
  /** Rows are named `ID-SIZE`. */
  id: string;
  /** As the guide prints the command, without what does not matter. */
  command: string;
  collective: string;
  ranks: number;
  topology: string;
  /** Size as nccom-test counts it, its time in microseconds, and the algorithm where the guide prints it. */
  times: readonly (readonly [bytes: number, us: number, algorithm?: Algorithm])[];
}

const KIB = 1024;
const MIB = 1024 * KIB;

export const COLLECTIVE_RUNS: readonly CollectiveRun[] = [
  {
    id: 'nccom-r2-allr',
    command: '-r 2 allr, fp32',
    collective: 'all_reduce',
    ranks: 2,
    topology: 'trn1.32xlarge',
    times: [
      [KIB, 58],
      [4 * KIB, 58],
      [16 * KIB, 58],
      [64 * KIB, 58],
      [256 * KIB, 60],
      [MIB, 68],
      [4 * MIB, 107],
      [16 * MIB, 332],
      // of uint8
      [32 * MIB, 768],
      [64 * MIB, 1214],
      [256 * MIB, 4750],
      [1024 * MIB, 18930],
    ],
  },
  {
    id: 'nccom-r32-allg',
    command: '-r 32 allg, fp32, with --show-input-output-size',
    collective: 'all_gather',
    ranks: 32,
    topology: 'trn2.48xlarge',
    times: [
      [KIB, 6.16],
      [8 * KIB, 6.48],
      [64 * KIB, 8.17],
      [512 * KIB, 23.16],
    ],
  },
  {
    id: 'nccom-r32-allg-check',
    command: '-r 32 --check allg, fp32',
    collective: 'all_gather',
    ranks: 32,
    topology: 'trn1.32xlarge',
    times: [
      [KIB, 151],
      [8 * KIB, 149],
      [64 * KIB, 150],
      [512 * KIB, 179],
    ],
  },
  {
    id: 'nccom-r8-allg',
    command: '-r 8 --iters 1000 allg, fp32',
    collective: 'all_gather',
    ranks: 8,
    topology: 'trn2.48xlarge',
    times: [
      [KIB, 10],
      [8 * KIB, 10.22],
      [64 * KIB, 11.31],
      [512 * KIB, 14.83],
    ],
  },
  {
    id: 'nccom-r8-permute',
    command: '-r 8 permute, uint8',
    collective: 'collective_permute',
    ranks: 8,
    topology: 'trn2.48xlarge',
    times: [[32 * MIB, 894.24]],
  },
  {
    id: 'nccom-r16-allr',
    command: '-r 16 allr --show-algorithm, fp32',
    collective: 'all_reduce',
    ranks: 16,
    topology: 'trn2.48xlarge',
    times: [
      [4, 299.91, 'mesh'],
      [32, 299.69, 'mesh'],
      [512, 299.82, 'mesh'],
      [8 * KIB, 299.74, 'mesh'],
      [128 * KIB, 574.15, 'mesh'],
      [2 * MIB, 686.32, 'rdh'],
      [32 * MIB, 2754.15, 'kangaring'],
      [512 * MIB, 9689.51, 'kangaring'],
    ],
  },
  {
    id: 'nccom-r64-allg',
    command: '-r 64 allg, bf16, the first of two streams',
    collective: 'all_gather',
    ranks: 64,
    topology: 'trn2.48xlarge',
    times: [
      [KIB, 101.14],
      [2 * KIB, 101.93],
      [4 * KIB, 101.45],
      [8 * KIB, 101.84],
      [16 * KIB, 102.21],
      [32 * KIB, 102.36],
      [64 * KIB, 103.28],
      [128 * KIB, 105.03],
      [256 * KIB, 107.37],
      [512 * KIB, 110.07],
      [1024 * KIB, 117.67],
    ],
  },
  {
    id: 'nccom-r4-allgv',
    command: '-r 4 allgv, fp16',
    collective: 'all_gather_v',
    ranks: 4,
    topology: 'trn2.48xlarge',
    times: [[2 * KIB, 16.28]],
  },
];

export interface CollectiveRow {
  id: string;
  run: CollectiveRun;
  bytes: number;
  publishedUs: number;
  modelledUs: number;
  algorithm: Algorithm;
  /** Absent: the guide does not print it. */
  publishedAlgorithm?: Algorithm;
}

const sizeText = (bytes: number) => (bytes < KIB ? `${bytes} B` : bytes < MIB ? `${bytes / KIB} KiB` : `${bytes / MIB} MiB`);

/** With two cores to a rank on Trn2, as is the default there. */
export function collectiveRows(): CollectiveRow[] {
  return COLLECTIVE_RUNS.flatMap(run => {
    const topology = TOPOLOGIES.find(({ name }) => name === run.topology)!;
    const list = Array.from({ length: run.ranks }, (_, rank) => rank);
    const coresPerRank = topology.target === 'trn1' ? 1 : 2;
    return run.times.map(([bytes, publishedUs, publishedAlgorithm]) => {
      const { algorithm, durationNs } = collectiveCost(topology, { name: run.collective, bytes, list, coresPerRank, isContinued: false });
      const id = `${run.id}-${sizeText(bytes).replace(' B', 'b').replace(' KiB', 'k').replace(' MiB', 'm')}`;
      return { id, run, bytes, publishedUs, modelledUs: durationNs / 1000, algorithm, publishedAlgorithm };
    });
  });
}

const percent = ({ publishedUs, modelledUs }: CollectiveRow) => (100 * (modelledUs - publishedUs)) / publishedUs;

/** What moves over links in a time, GB/s: of the size as much as nccom-test counts. Its older figures are GiB/s. */
function busBandwidth({ run, bytes }: CollectiveRow, us: number): number {
  return movedBytes({ name: run.collective, bytes, ranks: run.ranks }) / 1e9 / (us / 1e6);
}

/** For docs/ranks.md. */
export function collectiveTable(): string {
  const rows = collectiveRows();
  const line = (row: CollectiveRow) =>
    `| \`${row.run.command}\` | ${row.run.topology} | ${sizeText(row.bytes)} | ${row.publishedUs} | ${row.modelledUs.toPrecision(4)} | ${percent(row) >= 0 ? '+' : ''}${percent(row).toFixed(0)} % | ${busBandwidth(row, row.publishedUs).toPrecision(3)} | ${busBandwidth(row, row.modelledUs).toPrecision(3)} | ${row.algorithm} |`;
  const near = (of: readonly CollectiveRow[]) => `${of.filter(row => Math.abs(percent(row)) <= 20).length} of ${of.length}`;
  const large = rows.filter(({ bytes }) => bytes >= 32 * KIB);
  const ofTarget = (target: string) => large.filter(({ run }) => run.topology.startsWith(target));
  return [
    '| run | held against | size | published, µs | modelled, µs | error | bus, published, GB/s | modelled | algorithm |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map(line),
    '',
    `${near(rows)} are within 20 %. From 32 KiB on: ${near(large)}, of Trn1 ${near(ofTarget('trn1'))}, of Trn2 ${near(ofTarget('trn2'))}.`,
  ].join('\n');
}
