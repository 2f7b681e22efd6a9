/**
 * NeuronCore-v4 (Trn3). Clocks, widths, memories and DMA rates are documented; no instruction has been measured in public,
 * so fixed parts are those of v3.
 */
import { documented } from './facts';
import { inherit } from './inherit';
import { neuronCoreV3 as v3 } from './neuroncoreV3';

const ARCH = 'arch v4';
const KIB = 1024;

const wideScalar = { sbuf16: documented(2, 'elements/cycle', `${ARCH}: ACT 256 elements per cycle for 16 bits and less`) };

export const neuronCoreV4 = inherit(v3, {
  generation: 'v4',
  instanceType: 'trn3',
  product: 'Trn3',
  aliases: ['gen4'],
  guide: ARCH,
  accuracyBasis: {
    sentence: 'Modelled for NeuronCore-v4 from documented clocks and rates; fixed latencies were measured on Trn2 and are assumed here.',
    namesAssumed: false,
  },
  instructionSet: 'v4',
  features: {
    ...v3.features,
    float8E4m3fnMatmul: documented(true, 'choice', 'nki.isa.nc_matmul'),
    scalarAllOperations: documented(true, 'choice', 'nki.isa.tensor_scalar'),
    tensorScalarUnaryOperations: documented(true, 'choice', 'release notes nki 0.4.0'),
    dmaPriority: documented(true, 'choice', 'nki.isa.dma_copy'),
  },
  clockGhz: { Tensor: documented(2.4, 'GHz', ARCH), Vector: documented(1.2, 'GHz', ARCH) },
  peakFlops: documented(79e12, 'FLOP/s', ARCH),
  hbmBytesPerSecond: documented(612e9, 'bytes/s', `${ARCH}: 4.9 TB/s for eight cores`),
  dmaBytesPerSecond: documented(614.4e9, 'bytes/s', 'nki-dma-overview: 16 x 38.4 GB/s'),
  sbufBytesPerPartition: documented(256 * KIB - 16 * KIB - 8, 'bytes', 'nkipy HardwareConstants.h'),
  psumBytesPerPartition: documented(8 * 2 * KIB, 'bytes', `${ARCH}: as before, 2 MiB`),
  maxMovingColumns: documented(8 * 512, 'elements', 'nki.isa nc_matmul: all banks of PSUM in fp32'),
  fastElementBytes: documented(1, 'bytes', `${ARCH}: 512 elements a cycle of BF16, FP16 or FP8`),
  rules: { activation: { speedup: wideScalar }, scalarCopy: { speedup: wideScalar } },
  dma: {
    engineBytesPerNs: documented(38.4, 'bytes/ns', 'nki-dma-overview'),
    hbmReadBytesPerNs: documented(528, 'bytes/ns', 'nki-dma-bandwidth-guide: 33 B/ns per engine'),
    // Nobody has published a recording.
    recordedReadBytesPerNs: undefined,
    writeBytesPerNs: documented(528, 'bytes/ns', 'nki-dma-bandwidth-guide: 33 B/ns achievable by each of 16 engines'),
  },
  logicalCore: { hbmBytesPerNs: documented(1225, 'bytes/ns', `${ARCH}: 4.9 TB/s of four stacks, two cores at each`) },
});
