/** What the numbers of NeuronCore-v3 name as their source, where more than one names it. */
export const ARCH = 'arch v3';
export const TRACE = 'costs §3, Trn2 traces';
export const ISA = 'isa 1db4d74e';
export const TILE_SIZE = 'nki.language.tile_size';
/** The numbers that the compiler of the nki wheel has. */
export const USABLE = 'nkipy HardwareConstants.h';
/** Recordings of a third author, of convolutions that turn their weights on TensorE. */
export const CHENGLI = 'NTFF of chengli2003/asst4-trainium2, conv2d_4_*_smaller';
export const BURSTS = 'NTFF of chengli2003/asst4-trainium2, conv2d_1_* and conv2d_2_*_smaller, copies of 2 and 4 bytes within HBM';
/** Recordings of DMAs whose addresses GpSimd calculates. */
export const EXPERTS = 'NTFF of KevGomes1403, moe v5c and v6b';
/** Source of a number that was measured on v2 only. */
export const SCALAR_HOP = 'calibration pg-act1-ii minus pg-act1-dur';
