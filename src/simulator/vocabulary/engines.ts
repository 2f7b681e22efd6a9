/** The instruction streams of a NeuronCore, as AWS prints them. What an engine does and costs is elsewhere. */

export type Engine = 'Tensor' | 'Vector' | 'Scalar' | 'GpSimd' | 'Sync';

/** In the order of rows, streams and summaries; each stream runs in order. */
export const ENGINES: readonly Engine[] = ['Tensor', 'Vector', 'Scalar', 'GpSimd', 'Sync'];

/** Rows of a timeline for instructions: TensorE has two. */
export const ENGINE_TRACKS = ['Tensor', 'TensorMatrix', 'Vector', 'Scalar', 'GpSimd', 'Sync'] as const;
