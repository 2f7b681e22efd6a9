/**
 * NeuronCore-v4 (Trn3). Clocks, widths, memories and DMA rates are documented; no instruction has been measured in public,
 * so fixed parts are those of v3.
 */
import { documented, type Fact } from './facts';
import { sbufPartitionBytes, tileLimits } from './limits';
import type { CostRule, CostRuleName, DgeMode, DmaTrigger, Machine } from './machine';
import { neuronCoreV3 as v3 } from './neuroncoreV3';

const ARCH = 'arch v4';

const asOnV3 = (fact: Fact): Fact => ({ ...fact, confidence: 'assumed', source: `as on v3: ${fact.source}` });

function rule(name: CostRuleName, speedup?: CostRule['speedup']): CostRule {
  const r = v3.rules[name];
  return {
    ...r,
    fixedNs: asOnV3(r.fixedNs),
    fixedPsumNs: r.fixedPsumNs && asOnV3(r.fixedPsumNs),
    issueNs: asOnV3(r.issueNs),
    speedup: { ...r.speedup, ...speedup },
  };
}

function triggerAsOnV3(mode: DgeMode): DmaTrigger {
  const { leadNs, issueNs, issuePerPacketNs, durationNs, latencyNs } = v3.dma.triggers[mode]!;
  return {
    leadNs,
    issueNs: asOnV3(issueNs),
    issuePerPacketNs: asOnV3(issuePerPacketNs),
    durationNs: asOnV3(durationNs),
    latencyNs: asOnV3(latencyNs),
  };
}

const wideScalar = { sbuf16: documented(2, 'elements/cycle', `${ARCH}: ACT 256 elements per cycle for 16 bits and less`) };

export const neuronCoreV4: Machine = {
  ...v3,
  generation: 'v4',
  instanceType: 'trn3',
  clockGhz: { ...v3.clockGhz, Vector: documented(1.2, 'GHz', ARCH) },
  peakFlops: documented(79e12, 'FLOP/s', ARCH),
  hbmBytesPerSecond: documented(612e9, 'bytes/s', `${ARCH}: 4.9 TB/s for eight cores`),
  dmaBytesPerSecond: documented(614.4e9, 'bytes/s', 'nki-dma-overview: 16 x 38.4 GB/s'),
  sbufBytesPerPartition: documented(sbufPartitionBytes.v4, 'bytes', ARCH),
  maxMovingColumns: documented(tileLimits.psumBanks * tileLimits.movingFree, 'elements', 'nki.isa nc_matmul: all banks of PSUM in fp32'),
  fastElementBytes: documented(1, 'bytes', `${ARCH}: 512 elements a cycle of BF16, FP16 or FP8`),
  rules: {
    activation: rule('activation', wideScalar),
    scalarCopy: rule('scalarCopy', wideScalar),
    vectorCopy: rule('vectorCopy'),
    vectorReduce: rule('vectorReduce'),
    vectorTensorScalar: rule('vectorTensorScalar'),
    vectorTensorTensor: rule('vectorTensorTensor'),
    vectorScalarTensorTensor: rule('vectorScalarTensorTensor'),
    vectorReciprocal: rule('vectorReciprocal'),
    vectorTranspose: rule('vectorTranspose'),
    vectorScan: rule('vectorScan'),
    vectorSelect: rule('vectorSelect'),
    vectorSearch: rule('vectorSearch'),
    vectorBnAggr: rule('vectorBnAggr'),
    vectorExponential: rule('vectorExponential'),
    vectorQuantize: rule('vectorQuantize'),
    gpsimd: rule('gpsimd'),
    gpsimdTopK: rule('gpsimdTopK'),
    gpsimdPartitionReduce: rule('gpsimdPartitionReduce'),
    gpsimdGather: rule('gpsimdGather'),
  },
  tensor: {
    ...v3.tensor,
    fillNs: asOnV3(v3.tensor.fillNs),
    fillSlowNs: asOnV3(v3.tensor.fillSlowNs),
    loadFixedNs: asOnV3(v3.tensor.loadFixedNs),
    fp32Instructions: asOnV3(v3.tensor.fp32Instructions),
    fp32TransposeInstructions: asOnV3(v3.tensor.fp32TransposeInstructions),
  },
  activationTableLoadNs: asOnV3(v3.activationTableLoadNs),
  dma: {
    ...v3.dma,
    packetNs: asOnV3(v3.dma.packetNs),
    engineBytesPerNs: documented(38.4, 'bytes/ns', 'nki-dma-overview'),
    hbmReadBytesPerNs: documented(528, 'bytes/ns', 'nki-dma-bandwidth-guide: 33 B/ns per engine'),
    writeBytesPerNs: documented(528, 'bytes/ns', 'nki-dma-bandwidth-guide: 33 B/ns achievable by each of 16 engines'),
    engineSkewNs: asOnV3(v3.dma.engineSkewNs),
    completionNs: asOnV3(v3.dma.completionNs),
    hbmReadNs: asOnV3(v3.dma.hbmReadNs),
    storeSoonerNs: asOnV3(v3.dma.storeSoonerNs),
    transposeSpeed: v3.dma.transposeSpeed && { hbm: asOnV3(v3.dma.transposeSpeed.hbm), sbuf: asOnV3(v3.dma.transposeSpeed.sbuf) },
    triggers: {
      hardware: triggerAsOnV3('hardware'),
      software: triggerAsOnV3('software'),
      static: triggerAsOnV3('static'),
    },
  },
  preambleNs: asOnV3(v3.preambleNs),
  postambleNs: asOnV3(v3.postambleNs),
  nclOverheadNs: asOnV3(v3.nclOverheadNs),
};
