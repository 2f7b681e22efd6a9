/** Kinds of kernels, by what the time of one hangs on most: each has published times of its own to be compared with. */

export type KernelKind = 'DMA' | typeof SMALL_DMA | 'TensorE' | 'vector work' | 'fixed cost' | typeof TWO_CORES;

/** Most packets are small, and DMA would bound the kernel if it took as long as it did on hardware: too uncertain for a range of times. */
export const SMALL_DMA = 'small DMA';
/** Compared with each other, whatever bounds them. */
export const TWO_CORES = 'two cores';

/** Kinds that the range of all kernels leaves out, and of which it says nothing. */
export const APART: readonly KernelKind[] = [SMALL_DMA, TWO_CORES];
