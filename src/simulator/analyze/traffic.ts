/** Memory traffic of a whole profile: what instructions and DMA read and wrote on chip, and what was spilled. */

import { DIRECTIONS, type Profile } from '../profile/profile';
import { isRingOf, type RingUse } from '../vocabulary/queues';
import { machineOf } from './machineOf';
import { bf16Flops, type MovingWidth, movingWidth, type OperandBytes, ofLists, operandBytes } from './operandBytes';

export interface Traffic {
  /** SBUF: null for a capture that does not say where its DMAs go. */
  sbufRead: number | null;
  sbufWrite: number | null;
  psumRead: number | null;
  psumWrite: number | null;
  /** Instructions that read PSUM and write SBUF, and the bytes they write. */
  psumToSbufCount: number;
  psumToSbufBytes: number;
  /** FLOPs of matmuls by the width of the streamed data, without transposes. */
  usefulFlops: Record<MovingWidth, number>;
  /** FLOPs in units of bf16 FLOPs. */
  adjustedFlops: number;
  adjustedTransposeFlops: number;
  spillSaveBytes: number;
  spillReloadBytes: number;
}

export function traffic(p: Profile, transposing: Uint8Array): Traffic {
  const onChip: OperandBytes = { sbufRead: 0, sbufWrite: 0, psumRead: 0, psumWrite: 0 };
  const sums = {
    psumToSbufCount: 0,
    psumToSbufBytes: 0,
    usefulFlops: { fp32: 0, bf16: 0, fp8: 0 },
    adjustedFlops: 0,
    adjustedTransposeFlops: 0,
    ...spilledBytes(p),
  };
  const { operands, opcode, flops } = p.instructions;
  const bytesOf = ofLists(p, list => operandBytes(p, list));
  const machine = machineOf(p);
  const widths = ofLists(p, list => movingWidth(p, list));
  // the bytes of a DMA are those of its transfers
  const isDma = p.opcodes.map(name => name.startsWith('DMA') || name === 'PSEUDO_DMA_TRIGGER');
  for (let i = 0; i < operands.length; i++) {
    if (isDma[opcode[i]]) continue;
    const bytes = bytesOf[operands[i]];
    onChip.sbufRead += bytes.sbufRead;
    onChip.sbufWrite += bytes.sbufWrite;
    onChip.psumRead += bytes.psumRead;
    onChip.psumWrite += bytes.psumWrite;
    if (bytes.psumRead > 0 && bytes.sbufWrite > 0) {
      sums.psumToSbufCount++;
      sums.psumToSbufBytes += bytes.sbufWrite;
    }
    const width = widths[operands[i]];
    const adjusted = flops[i] * bf16Flops(machine, width);
    sums.adjustedFlops += adjusted;
    if (transposing[i]) sums.adjustedTransposeFlops += adjusted;
    else sums.usefulFlops[width] += flops[i];
  }
  return { ...sums, ...withDma(p, onChip) };
}

/** DMA of unknown direction does not touch PSUM: captures are of kernels whose DMAs go between HBM and SBUF. */
function withDma(p: Profile, onChip: OperandBytes): Pick<Traffic, keyof OperandBytes> {
  if (!directionsKnown(p)) return { ...onChip, sbufRead: null, sbufWrite: null };
  const dma = dmaTraffic(p);
  return {
    sbufRead: onChip.sbufRead + dma.sbufRead,
    sbufWrite: onChip.sbufWrite + dma.sbufWrite,
    psumRead: onChip.psumRead + dma.psumRead,
    psumWrite: onChip.psumWrite + dma.psumWrite,
  };
}

/** false for a capture that does not say between which memories its DMAs move data. */
export const directionsKnown = (p: Profile) => !p.transfers.direction.includes(DIRECTIONS.indexOf('unknown->unknown'));

function dmaTraffic(p: Profile): OperandBytes {
  const { bytes, direction } = p.transfers;
  const moved = (end: 'from' | 'to', memory: string) =>
    sumOf(
      bytes,
      direction,
      DIRECTIONS.map(name => name.split('->')[end === 'from' ? 0 : 1] === memory),
    );
  return {
    sbufRead: moved('from', 'sbuf'),
    sbufWrite: moved('to', 'sbuf'),
    psumRead: moved('from', 'psum'),
    psumWrite: moved('to', 'psum'),
  };
}

/** The compiler's spills run on queues of their own, named after them (`qSyncSpillReload0`). */
export function spilledBytes(p: Profile): Pick<Traffic, 'spillSaveBytes' | 'spillReloadBytes'> {
  const { bytes, track } = p.transfers;
  const on = (use: RingUse) =>
    sumOf(
      bytes,
      track,
      p.tracks.map(({ name }) => isRingOf(name, use)),
    );
  return { spillSaveBytes: on('SpillSave'), spillReloadBytes: on('SpillReload') };
}

/** The sum over the rows whose `kind` counts; columns are passed whole, because in the page each reading of one goes through a getter. */
export function sumOf(column: Float64Array, kind: Uint8Array | Uint16Array, counts: readonly boolean[]): number {
  if (!counts.includes(true)) return 0;
  let sum = 0;
  for (let row = 0; row < column.length; row++) if (counts[kind[row]]) sum += column[row];
  return sum;
}
