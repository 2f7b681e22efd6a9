/**
 * Decodes the word that triggers a DMA whose descriptors are made while the kernel runs (`DMA_DIRECT2D`), and writes it as neuron-profile
 * does: `semaphore=8 sem_increment=16 src_elem_size=512 … dst_addr_imm=0x802000036500`. The layout was found by comparing words of public
 * recordings with such texts of others. In six recordings 2,268 triggers can be compared with their transfers: each moved as many
 * bytes as both sides have.
 */
import { addressText, sizesText } from '../../../compile/operands/text';

export const DYNAMIC_TRIGGER = { opcode: 0xb8, name: 'DMA_DIRECT2D' } as const;

/** Byte offsets in a word. */
const AT = { semaphore: 13, increment: 14, src: 16, dst: 40 } as const;
/** Of a side: its address; i32 steps in bytes and u16 counts of two dimensions; u16 bytes of a run. */
const SIDE = { low: 0, high: 4, mode: 7, steps: 8, counts: 16, runBytes: 20 } as const;
/** How the address is given: an offset in a tensor of the runtime's table, in the word or in a register. Else it is the address itself. */
const MODE = { table: 0x20, tableByRegister: 0x28 } as const;

/** Semaphore that the DMA raises when it is done; null: the word triggers none. */
export const raisedByDma = (word: Uint8Array): number | null => (word[0] === DYNAMIC_TRIGGER.opcode ? word[AT.semaphore] : null);

/** Empty for all other words. */
export function dmaText(word: Uint8Array): string {
  const semaphore = raisedByDma(word);
  if (semaphore === null) return '';
  const [src, dst] = [sideOf(word, 'src'), sideOf(word, 'dst')];
  const raises = `semaphore=${semaphore} sem_increment=${word[AT.increment]}`;
  return [raises, src.size, dst.size, src.pattern, dst.pattern, src.address, dst.address].join(' ');
}

function sideOf(word: Uint8Array, name: 'src' | 'dst') {
  const view = new DataView(word.buffer, word.byteOffset + AT[name]);
  const runBytes = view.getUint16(SIDE.runBytes, true);
  const steps = [0, 4].map(at => view.getInt32(SIDE.steps + at, true));
  const counts = [0, 2].map(at => view.getUint16(SIDE.counts + at, true));
  return {
    size: `${name}_elem_size=${runBytes}`,
    pattern: `${name}_pattern=${sizesText(steps)}${sizesText(counts)}`,
    address: addressOf(view, name),
  };
}

function addressOf(view: DataView, name: string): string {
  const [low, high, mode] = [view.getUint32(SIDE.low, true), view.getUint32(SIDE.high, true), view.getUint8(SIDE.mode)];
  if (mode !== MODE.table && mode !== MODE.tableByRegister) return `${name}_addr_imm=${addressText(high * 2 ** 32 + low)}`;
  const offset = mode === MODE.table ? `imm=${addressText(low)}` : `reg=${low}`;
  return `${name}_table_offset_${offset} ${name}_table_index=${high & 0xffffff}`;
}
