/** Lowerings of what DMA engines do beside copies: transposes, sums, updates of HBM. */
import type { Machine } from '../../hardware/machine';
import { type CompileContext, NONE } from '../context';
import { emitDma } from '../dma';
import { HBM } from '../patterns';
import { emitIndirect, indexed, indirect } from './indirect';

/** A row of the source is one descriptor, turned on the way; where the engines cannot turn, an element is. The descriptors come
 *  from hardware where it can make them, or from software where indices name the rows; else they are static (nki.isa.dma_transpose). */
export function dmaTranspose(c: CompileContext) {
  const { patterns } = c;
  const src = c.operand('src');
  const turning = c.machine.dma.transposeSpeed;
  const elements = turning ? patterns.countOf(src, patterns.dims(src) - 1) : 1;
  const mode = c.attribute('dge_mode');
  const gathers = indexed(c, 'src').length > 0;
  emitDma(c, {
    dst: c.operand('dst'),
    src,
    engine: gathers ? 'GpSimd' : undefined,
    mode: gathers ? 'swdge' : mode !== 'none' && turnsByHardware(c, src) ? 'hwdge' : 'none',
    reads: indexed(c, 'src'),
    indirect: indirect(c, 'src'),
    descriptorBytes: elements * patterns.bytesOf(src),
    speed: turning && turningSpeed(c, src, turning),
  });
}

/** Bytes of an element that DMA engines can transpose (nki.isa.dma_transpose). */
export const TURNED_BYTES = 2;

function turningSpeed({ patterns }: CompileContext, src: number, speeds: NonNullable<Machine['dma']['transposeSpeed']>): number {
  const ofSpace = speeds[patterns.spaceOf(src) === HBM ? 'hbm' : 'sbuf'].value;
  return patterns.bytesOf(src) > TURNED_BYTES ? Math.min(ofSpace, speeds.words.value) : ofSpace;
}

/** Whether hardware can make the descriptors: of some rows at a time, of elements of two bytes. */
function turnsByHardware({ patterns, machine }: CompileContext, src: number): boolean {
  const dims = patterns.dims(src);
  if (dims < 2 || patterns.bytesOf(src) !== TURNED_BYTES) return false;
  const most = machine.dmaTransposeRows.value;
  const rows = patterns.countOf(src, 0);
  return dims === 2 ? rows === most : most % rows === 0 && (rows * patterns.countOf(src, dims - 2)) % most === 0;
}

/** One transfer per source: the first writes, the others add to what is there. Descriptors are static unless indices need software. */
export function dmaCompute(c: CompileContext) {
  const dst = c.operand('dst');
  const names = Object.keys(c.row.operands).filter(name => /^src\d+$/.test(name) && c.operand(name) !== NONE);
  const asIndices = [...indexed(c, 'dst', ...names)];
  const sides = indirect(c, 'dst', ...names);
  for (const [k, name] of names.entries()) {
    const src = c.operand(name);
    if (k > 0 && c.patterns.tensor(src) === c.patterns.tensor(dst)) continue;
    const software = asIndices.length > 0;
    emitDma(c, {
      dst,
      src,
      engine: software ? 'GpSimd' : undefined,
      mode: software ? 'swdge' : 'none',
      reads: k > 0 ? [dst, ...asIndices] : asIndices,
      indirect: sides,
    });
  }
}

/** `nl.atomic_rmw`: a number is written out from a tile first. */
export function atomicUpdate(c: CompileContext) {
  const dst = c.operand('dst');
  emitIndirect(c, { dst, src: c.operand('value') === NONE ? filled(c, dst) : c.operand('value'), reads: [dst] });
}

function filled(c: CompileContext, like: number): number {
  const { patterns } = c;
  const tile = c.temporary('value', 'sbuf', 'float32', [patterns.partitions(like), patterns.freeElements(like)]);
  c.emit({ engine: 'Vector', opcode: 'MEMSET', rule: 'vectorCopy', writes: [tile], reads: [], before: `value=${c.attribute('value')}` });
  return tile;
}
