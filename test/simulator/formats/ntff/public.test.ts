/**
 * Public recordings against what AWS's neuron-profile printed of them. They are not ours and not here: `NKI_SCOPE_NTFF_CAPTURES` names a checkout
 * of github.com/chenhzhu/asst4-trainium2 at fecd8c8. Every metric that the reader itself gives a recording
 * must have AWS's digits.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { summary } from '../../../../src/simulator/analyze/summary';
import { captureOfNtff, readNtff } from '../../../../src/simulator/formats/capture/ntff/read';
import { replayCapture } from '../../../../src/simulator/replay/replay';

const FOLDER = process.env.NKI_SCOPE_NTFF_CAPTURES;
/** The same for recordings of version 4: a checkout of github.com/Ericcsr/asst4-trainium at 8969170. */
const FOLDER_4 = process.env.NKI_SCOPE_NTFF_CAPTURES_4;

/** Of version 6: a checkout of github.com/KevGomes1403/nki-moe-megakernel at f1fe87a. */
const FOLDER_6 = process.env.NKI_SCOPE_NTFF_CAPTURES_6;
/** What its PROFILING.md prints of another execution of `v6b`, where it does not depend on the execution. In kilo- and megabytes of 1000. */
const PRINTED_6: Readonly<Record<string, string>> = {
  dma_transfer_count: '185',
  dma_transfer_total_bytes: '25.17 M',
  dma_transfer_average_bytes: '136.08 K',
  dma_queue_count: '51',
  software_dynamic_dma_packet_count: '8960',
  matmul_instruction_count: '768',
  hardware_flops: '25.17 M',
  psum_write_bytes: '111.82 K',
};

/** Recording, and the file with what was printed. */
const CAPTURES: readonly [capture: string, printed: string][] = [
  ['stream_256k_fd1k', 'profile_1k.txt'],
  ['stream_256k_fd2k', 'profile_2k.txt'],
  ['transpose_1024', 'transpose_1024_perf.txt'],
];

const COMPARED = [
  'instance_type',
  'compiler_version',
  'total_time',
  'event_count',
  'dma_queue_count',
  'dma_active_time',
  'dma_active_time_percent',
  'dma_packet_time',
  'dma_transfer_time',
  'dma_transfer_count',
  'dma_transfer_total_bytes',
  'dma_transfer_average_bytes',
  'static_dma_packet_count',
  'static_dma_size',
  'hbm_read_bytes',
  'hbm_write_bytes',
] as const;

/** What follows from the events, where AWS printed it: of kernels with matmuls. */
const FROM_EVENTS = [
  'hardware_flops',
  'transpose_flops',
  'matmul_instruction_count',
  'psum_read_bytes',
  'psum_write_bytes',
  'psum_read_sbuf_write_count',
  'psum_read_sbuf_write_bytes',
  'neuroncore_cycle_count',
  'dma_active_cycles',
  'vector_engine_instruction_count',
  'gpsimd_engine_instruction_count',
] as const;

/** How far off the body of a recording is modelled at most, percent. */
const MOST_PERCENT = 5;
const REPLAYED = [
  'part1/stream_256k_fd1k',
  'part1/stream_256k_fd2k',
  'part1/transpose_1024',
  'part2/profile/final_float16',
  'part2/profile/final_float16_smaller',
  'part2/profile/final_float32_smaller',
  'part2/profile/final_pool_float16_smaller',
  'part2/profile/final_pool_float32_smaller',
];

describe('public NTFF recordings', () => {
  for (const [capture, printed] of CAPTURES)
    it(`${capture} has the digits of AWS's summary`, function () {
      if (FOLDER === undefined) return this.skip();
      const bytes = (extension: string) => fs.readFileSync(path.join(FOLDER, 'part1', `${capture}.${extension}`));
      const profile = readNtff(bytes('ntff'), { name: capture, neff: { bytes: bytes('neff'), required: true } });
      const published = printedMetrics(fs.readFileSync(path.join(FOLDER, 'part1', printed), 'utf8'));
      const ours = Object.fromEntries(COMPARED.map(name => [name, profile.recorded!.summary[name]]));
      assert.deepEqual(ours, Object.fromEntries(COMPARED.map(name => [name, published.get(name)])));
      const values = summary(profile);
      for (const name of FROM_EVENTS) if (published.has(name)) assert.equal(values[name], published.get(name), name);
    });

  for (const capture of ['stream_256k_fd1k', 'stream_256k_fd2k'])
    it(`${capture} of version 4 lies on one clock, as long as AWS says, and is replayed`, function () {
      if (FOLDER_4 === undefined) return this.skip();
      const bytes = (extension: string) => fs.readFileSync(path.join(FOLDER_4, 'part1', `${capture}.${extension}`));
      const options = { name: capture, neff: { bytes: bytes('neff'), required: true } };
      const { instructions, totalTimeNs, opcodes, checks } = readNtff(bytes('ntff'), options);
      const marks = instructions.startNs.filter((_, i) => opcodes[instructions.opcode[i]] === 'NOTIFY');
      const [first, last] = [marks.reduce((a, b) => Math.min(a, b)), marks.reduce((a, b) => Math.max(a, b))];
      assert.ok(Math.abs(last - first - totalTimeNs) < 0.2, `${last - first} ns, not ${totalTimeNs}`);
      assert.ok(!checks.some(({ message }) => message.includes('left out')));
      const { errorPercent } = replayCapture(captureOfNtff(bytes('ntff'), options), 'trn1');
      assert.ok(Math.abs(errorPercent) < MOST_PERCENT, `${errorPercent} %`);
    });

  it('v6b of version 6 has what AWS printed of another execution, and its transfers have triggers', function () {
    if (FOLDER_6 === undefined) return this.skip();
    const bytes = (name: string) => fs.readFileSync(path.join(FOLDER_6, 'kernels/moe_tkg/agents', name));
    const profile = readNtff(bytes('profile_v6b_exec_2.ntff'), { name: 'v6b', neff: { bytes: bytes('v6b.neff'), required: true } });
    const values = summary(profile);
    assert.deepEqual(Object.fromEntries(Object.keys(PRINTED_6).map(name => [name, shortened(Number(values[name]))])), PRINTED_6);
    const isOfKernel = (t: number) => /^qPool|^qSP/.test(profile.tracks[profile.transfers.track[t]].name);
    const triggers = [...profile.transfers.trigger.keys()].filter(isOfKernel).map(t => profile.transfers.trigger[t]);
    assert.deepEqual([triggers.length, new Set(triggers).size, triggers.includes(-1)], [185, 185, false]);
  });

  for (const capture of REPLAYED)
    it(`${capture} is replayed, with its static DMAs`, function () {
      if (FOLDER === undefined) return this.skip();
      const bytes = (extension: string) => fs.readFileSync(path.join(FOLDER, `${capture}.${extension}`));
      const { errorPercent } = replayCapture(
        captureOfNtff(bytes('ntff'), { name: capture, neff: { bytes: bytes('neff'), required: true } }),
      );
      assert.ok(Math.abs(errorPercent) < MOST_PERCENT, `${errorPercent} %`);
    });
});

function shortened(value: number): string {
  if (value < 1e4) return String(value);
  return value < 1e6 ? `${(value / 1e3).toFixed(2)} K` : `${(value / 1e6).toFixed(2)} M`;
}

/** `name  value` in lines; numbers are numbers. */
function printedMetrics(text: string): Map<string, number | string> {
  const rows = [...text.matchAll(/^\s+([a-z_0-9]+)\s{2,}(\S+)/gm)];
  return new Map(rows.map(([, name, value]) => [name, Number.isNaN(Number(value)) ? value : Number(value)]));
}
