/**
 * Limits for the parts of a profile. They are far above those of any kernel, and low enough to bound the memory and time of everything
 * that is computed from a profile, including costs of rows times tracks or rows times depth.
 */

/** Times in ns, sizes in bytes, counts of FLOPs: float64 holds every whole number up to here. 2^53 ns are 104 days. */
export const MOST_AMOUNT = 2 ** 53;
/** Engines and queues. A NeuronCore has 6 rows of engines and some 256 rings. */
export const MOST_TRACKS = 4096;
/** Depth of nested calls and of nested loops. Python itself stops at 1000 calls. */
export const MOST_DEPTH = 1024;
/** Sum of the depths of all frames' call stacks. */
export const MOST_STACKED_FRAMES = 2 ** 24;
/** Frames times tracks: busy time is summed for each source line on each track. */
export const MOST_FRAME_TRACKS = 2 ** 24;
/** Words of all lists of operands together, in characters: a search reads them all. A million lists have 10^8. */
export const MOST_OPERAND_CHARACTERS = 2 ** 31;
/** Dimensions of a tensor. */
export const MOST_DIMENSIONS = 32;
/** Annotations of a profile: each is a line of a list. */
export const MOST_ANNOTATIONS = 10_000;
/** Quantities that are sampled in a profile of a system, and samples of each. A large instance has 192 CPUs. */
export const MOST_SAMPLED = 4096;
export const MOST_SAMPLES = 2 ** 20;
/** Tables that a recording has about its program, their fields, and rows of each that are shown. */
export const MOST_RECORDED_TABLES = 16;
export const MOST_RECORDED_FIELDS = 64;
export const MOST_RECORDED_ROWS = 4096;
/** Depth of nested objects in a profile's `rerun`. */
export const MOST_NESTING = 32;
