/** The two ways in which a kernel is compiled. `compile/` implements them. */

/** `literal`: the kernel runs as it is written. `rewriting`: the kernel is rewritten as the Neuron compiler rewrites legacy kernels. */
export const PIPELINES = ['literal', 'rewriting'] as const;
export type CompiledPipeline = (typeof PIPELINES)[number];

/** Values of `--pipeline`. `auto`: the pipeline of the kernel's dialect. */
export const PIPELINE_CHOICES = ['auto', ...PIPELINES] as const;
export type Pipeline = (typeof PIPELINE_CHOICES)[number];
