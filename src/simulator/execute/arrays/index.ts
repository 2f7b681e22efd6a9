/** Lazy host arrays for the scripts around kernels: `ArrayEngine` and its types. */
export { ArrayEngine, ArrayError, type ArrayInfo, type ExternalCompute } from './engine';
