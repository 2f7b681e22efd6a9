/** The memories that hold tensors. `hardware/` has their sizes. */

/** `hbm` covers private and shared. */
export type Space = 'hbm' | 'sbuf' | 'psum';

/** The order of this list is part of the program format. */
export const SPACES: readonly Space[] = ['hbm', 'sbuf', 'psum'];
