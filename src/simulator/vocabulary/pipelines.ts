/** The ways in which a kernel is compiled. What each does is in `compile/`. */

/** `literal`: as it is written. `rewriting`: as the Neuron compiler rewrites legacy kernels. */
export const PIPELINES = ['literal', 'rewriting'] as const;
export type CompiledPipeline = (typeof PIPELINES)[number];

/** As it is asked for; `auto`: as the kernel's dialect has it. */
export const PIPELINE_CHOICES = ['auto', ...PIPELINES] as const;
export type Pipeline = (typeof PIPELINE_CHOICES)[number];
