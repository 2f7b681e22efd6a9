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

/** `name  value` in lines; numbers are numbers. */
function printedMetrics(text: string): Map<string, number | string> {
  const rows = [...text.matchAll(/^\s+([a-z_0-9]+)\s{2,}(\S+)/gm)];
  return new Map(rows.map(([, name, value]) => [name, Number.isNaN(Number(value)) ? value : Number(value)]));
}
