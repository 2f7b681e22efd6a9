/**
 * DMA with indices: GpSimd makes a descriptor for each row that an index names (software DGE; costs §5), so it reads the
 * indices, and the side they address may be touched anywhere.
 */
import { type CompileContext, NONE } from '../context';
import { emitDma } from '../dma';

/** The index operands of the named operands. */
export const indexed = (c: CompileContext, ...names: string[]): number[] => given(c, ...names.map(name => `${name}_index`));

/** The named operands that the instruction has. */
export const given = (c: CompileContext, ...names: string[]): number[] =>
  names.map(name => c.operand(name)).filter(pattern => pattern !== NONE);

/** Indirect ones of the operands named. */
export function indirect(c: CompileContext, ...names: string[]): number[] {
  return names.filter(name => c.operand(`${name}_index`) !== NONE).map(name => c.operand(name));
}

/** The pattern that an operand may access: the whole tensor if indices address it. */
export function touchedBy(c: CompileContext, name: string): number {
  const pattern = c.operand(name);
  return indirect(c, name).length > 0 ? c.patterns.whole(c.patterns.tensor(pattern)) : pattern;
}

/** `src`: the source, or the tile that replaces it. */
export function emitIndirect(c: CompileContext, { dst, src, reads = [] }: { dst: number; src: number; reads?: readonly number[] }) {
  emitDma(c, {
    dst,
    src,
    engine: 'GpSimd',
    mode: 'swdge',
    reads: [...reads, ...indexed(c, 'dst', 'src')],
    indirect: indirect(c, 'dst', 'src'),
  });
}
