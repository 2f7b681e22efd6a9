/**
 * The instruction streams of a NeuronCore, as AWS prints them. `execute/` has the semantics and `hardware/` the costs of an engine's
 * instructions.
 */

export type Engine = 'Tensor' | 'Vector' | 'Scalar' | 'GpSimd' | 'Sync';

/** Rows, streams and summaries have this order. Each stream runs in order. */
export const ENGINES: readonly Engine[] = ['Tensor', 'Vector', 'Scalar', 'GpSimd', 'Sync'];

/** Rows of a timeline for instructions: TensorE has two. */
export const ENGINE_TRACKS = ['Tensor', 'TensorMatrix', 'Vector', 'Scalar', 'GpSimd', 'Sync'] as const;
