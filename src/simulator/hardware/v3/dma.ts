/** DMA of NeuronCore-v3: engines, packets, runs, triggers and completions. */
import {
  ADDITIONS,
  COLUMN_STORES,
  ELEMENT_COPIES,
  INDEXED_ROWS,
  MOVES,
  PROFILES,
  SHORT_ROWS,
  TRACES,
  TRIGGERS,
  TRN1_ADDITIONS,
  WORD_COPIES,
  WORD_TRANSPOSES,
} from '../evidence';
import { assumed, documented, fitted, measured } from '../facts';
import type { Machine } from '../machine';
import { ARCH, BURSTS } from './sources';

export const dma: Machine['dma'] = {
  engines: documented(16, 'count', 'nki-dma-overview'),
  partitionsPerEngine: documented(8, 'count', 'nki-dma-overview'),
  queueSemaphores: measured(
    16,
    'count',
    [...TRACES, ...ADDITIONS, ...TRN1_ADDITIONS],
    'the traces, and 17 NEFFs of three people, v2 and v3: DMA k of a queue raises semaphore k modulo 16; from the 17th on its trigger waits for that',
  ),
  maxPacketBytes: measured(4096, 'bytes', [...PROFILES, 'dma1-load'], 'costs §5'),
  packetPartitions: measured(1, 'count', [...TRACES, ...ADDITIONS], 'costs §5; one recording has packets of four rows of 8000 bytes'),
  packetNs: measured(5, 'ns', TRACES, 'start-to-start of packets in the traces: 14 ns at 256 B, 23.5 at 512 B, 80 at 2 KiB, 155 at 4 KiB'),
  hbmRunNs: measured(
    0.65,
    'ns',
    SHORT_ROWS,
    'recordings, convolutions: 0.62 for runs of 32 bytes and 0.69 for 64, as long as 8 to 16 engines read',
  ),
  chipPacketNs: measured(
    7.1,
    'ns',
    WORD_COPIES,
    'summaries beside the NTFF of KevGomes1403, copies within SBUF of one element of four bytes to a packet: dma_packet_time of v6a and v7ab, 30.02 and 23.19 ms, with 3.97 and 2.68 million such packets, and 12,416 and 27,328 others; v5a and v5b agree within 1 %',
  ),
  indexedRowNs: measured(
    199,
    'ns',
    INDEXED_ROWS,
    'joshdelg/cs217-final-proj at ffb8dd5: 131,072 rows of 256 bytes in 1.72 ms, 524,288 of 512 in 6.85, over 16 engines, DMA active for 99 %: 209 ns each, less 10 for packets and semaphores',
  ),
  hbmBurstBytes: measured(
    32,
    'bytes',
    ELEMENT_COPIES,
    `${BURSTS}: with it, runs of 2 and of 4 bytes have one time, with 64 two that are 5 % apart; the access granularity of HBM2 and HBM3`,
  ),
  sameBurstNs: measured(
    113.3,
    'ns',
    [...ELEMENT_COPIES, 'chengli2003 conv2d_2_float16'],
    `${BURSTS}, and conv2d_2_float16: 36 DMAs one after another take 113.5, 117.0, 112.6, 113.6 and 109.6 for each write that waits, on the slowest DMA engine (105 to 110 on average of 16)`,
  ),
  sameBurstLatencyNs: measured(
    4450,
    'ns',
    COLUMN_STORES,
    '3.9 us where 7 of 8 rows wait: ultra-netforce-*, which store 64 rows of 4 bytes, took 3.8 and 4.0 us more than the model had, ultra-spring-* with 64 rows of 32 bytes 0.4 and 0.7; joe-scale-rsqrt-1-* store 128 rows of 4 bytes: 3.7 and 4.0',
  ),
  engineBytesPerNs: measured(27.3, 'bytes/ns', PROFILES, 'costs §5'),
  hbmReadBytesPerNs: measured(
    437,
    'bytes/ns',
    [...ADDITIONS, ...TRACES, 'chengli2003 conv2d_2_float16'],
    'recordings: while 16 engines read, a packet of 4 KiB takes each 152 to 158 ns, of 64 KiB 2,416: no more than the engine itself needs',
  ),
  recordedReadBytesPerNs: fitted(
    355,
    'bytes/ns',
    ['dmabw-7340032-20452', ...TRIGGERS],
    'the replays of 42 recordings are 1.95 % off on average with it, 2.00 with 359 (costs §5: burst of 7 MiB) and 2.01 with 352',
  ),
  writeBytesPerNs: measured(437, 'bytes/ns', TRACES, 'stores of 512 KiB in the traces run at the full rate of 16 engines'),
  transposeSpeed: {
    hbm: documented(0.9, 'fraction', `${ARCH}: up to 90 % of a copy's throughput`),
    sbuf: documented(0.5, 'fraction', `${ARCH}: up to 50 % of the DMA throughput`),
    words: fitted(
      0.2,
      'fraction',
      WORD_TRANSPOSES,
      'nad-rmsqkv-*: 6 % off with 0.2, 12 with 0.13, 11 with 0.3; lab-att-v3dmaT-profile-*: 7 % slow with 0.2, 10 with 0.13, 3 as elements of two bytes',
    ),
  },
  hbmReadNs: measured(
    300,
    'ns',
    [...PROFILES, ...ADDITIONS, 'dma1-load'],
    'first packets of idle engines in 20 recordings: 312 on average (calibration dma1-load: 176; single loads of the traces: 170)',
  ),
  storeSoonerNs: measured(
    118,
    'ns',
    ['ins-swdge-lat', 'ins-swdge-lat2', 'dma1-trig-load', 'dma1-trig-store'],
    'calibration ins-swdge-lat less -lat2: 128 (in the traces the first are loads, the later ones stores); dma1-trig-load less -store: 108',
  ),
  engineSkewNs: measured(10, 'ns', [...TRACES, 'dma2-storeq'], 'stores of the traces: first packets of 16 engines lie 145 to 153 ns apart'),
  completionNs: measured(335, 'ns', PROFILES, 'costs §5'),
  completions: {
    betweenNs: measured(
      186,
      'ns',
      [...MOVES, 'chengli2003 transpose_1024', 'chenhzhu transpose_1024', 'Ni2002ka transpose1024'],
      'recordings of transposes: 189 to 192, where packets take 160; NTFF of chengli2003/asst4-trainium2, conv2d_3_float16_smaller: 186.2 on average of 1041, where packets take 85',
    ),
    unacknowledged: measured(
      12,
      'count',
      MOVES,
      'NTFF of chengli2003/asst4-trainium2, conv2d_3_float16_smaller: 451 packets begin with 12 and one with more',
    ),
  },
  semaphoreBytes: documented(4, 'bytes', 'nki-dma-overview'),
  turnPackets: assumed(8, 'count', 'round robin between queues is documented, its grain is not'),
  triggers: {
    hardware: {
      leadNs: documented(0, 'ns', 'nki-dge: descriptors are made by hardware'),
      issueNs: measured(600, 'ns', TRACES, 'start to start in the traces: 590 and 606; documented: about 600 (nki-dge)'),
      issuePerPacketNs: documented(0, 'ns', 'nki-dge: about 600 ns an instruction, whatever it moves'),
      durationNs: measured(545, 'ns', ['ins-dge-instr'], 'calibration ins-dge-instr'),
      latencyNs: measured(1332, 'ns', ['ins-hwdge-lat'], 'calibration ins-hwdge-lat'),
    },
    software: {
      leadNs: measured(1155, 'ns', TRACES, 'the four traces: semaphore or start of the body to trigger, 1150 to 1230, less the hop'),
      issueNs: measured(485, 'ns', ['cs-tiled1'], 'calibration cs-tiled1: 486 ns for a DMA of one packet'),
      issuePerPacketNs: measured(
        0.9,
        'ns',
        [...TRACES, 'cs-tiled1', 'cs-tiled128'],
        'DMAs of 128 rows: 581 to 586 ns in the traces, 616 in calibration cs-tiled128',
      ),
      durationNs: measured(37, 'ns', ['ins-swdge-instr', 'dma2-trigdur'], 'calibration ins-swdge-instr'),
      latencyNs: measured(759, 'ns', ['ins-swdge-lat', 'dma2-trig'], 'calibration ins-swdge-lat'),
    },
    static: {
      leadNs: documented(0, 'ns', 'nki-dge: descriptors are made before the kernel runs'),
      issueNs: measured(
        92,
        'ns',
        TRIGGERS,
        'mean of 737 intervals between triggers of Sync that wait for nothing, in 28 recordings: 81 to 100 ns, 123 for the first of half of them',
      ),
      issuePerPacketNs: documented(0, 'ns', 'nki-dge: descriptors are made before the kernel runs'),
      durationNs: measured(58, 'ns', ADDITIONS, 'the recordings: 57 to 67 on Sync, 45 to 58 on GpSimd'),
      latencyNs: measured(1005, 'ns', ['dma1-trig-load'], 'calibration dma1-trig-load'),
    },
  },
};
