/** A recording made here, as Neuron Explorer's older JSON has it: a load, an activation, a store, with known times. */
export const PACKET = 2048;
/** First packet of the store. */
export const STORE_NS = 5954;
export const row = (subgroup: string, pc: number, timestamp: number, duration: number, opcode: string, operands = '') => ({
  subgraph: 'sg00',
  subgroup,
  pc,
  timestamp,
  duration,
  opcode,
  operands,
});

/** 16 engines, 8 packets each, then the semaphore. */
export function packets(queue: number, startNs: number) {
  return Array.from({ length: 16 }, (_, engine) =>
    Array.from({ length: 9 }, (_, k) => ({
      subgraph: 'sg00',
      dma_queue: String(queue),
      dma_engine: String(64 + engine),
      timestamp: startNs + 10 * engine + 80 * k,
      duration: k < 8 ? 80 : 9,
      transfer_size: k < 8 ? PACKET : 4,
    })),
  ).flat();
}

export const dmaOperands = (semaphore: number, dst: string) =>
  `semaphore=${semaphore} sem_increment=16  src_elem_size=${PACKET} src_pattern=[${PACKET},1][128,1] dst_addr_imm=${dst} `;

export const recording = {
  summary: [{ instance_type: 'trn2.3xlarge' }],
  dma_queues_info: [
    { subgraph: 'sg00', q_idx: 0, q_name: 'qSyncDynamicHW' },
    { subgraph: 'sg00', q_idx: 1, q_name: 'qScalarDynamicHW' },
  ],
  instruction: [
    row('Scalar', 1, 500, 135, 'EVENT_SEMAPHORE', 'setter=0 $S[2]==7 $S[2]++@complete'),
    row('Sync', 4, 1000, 545, 'DMA_DIRECT2D', dmaOperands(8, '0x802000036500')),
    row('Scalar', 5, 1010, 1283, 'ACT_TABLE_LOAD', 'table_sel=0'),
    row(
      'Scalar',
      6,
      4000,
      707,
      'ACTIVATE',
      'S[8] (qSyncDynamicHW)>=16 S[4] (Scalar)++@complete EXP src=fp32@0x4000[1,1,1][512,1,1] dst=fp32@0x8000[1,1,1][512,1,1]',
    ),
    row('Scalar', 7, 4740, 545, 'DMA_DIRECT2D', `S[4] (Scalar)>=1 ${dmaOperands(9, '0x8005c03b0000')}`),
    row('Scalar', 8, 7000, 733, 'DRAIN'),
  ],
  dma: [...packets(0, 2332), ...packets(1, STORE_NS)],
};
