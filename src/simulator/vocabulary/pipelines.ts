/** The ways in which a kernel is compiled, by name. `compile/pipelines.ts` says what each does. */

/**
 * `literal`: the kernel runs as it is written. `standalone`: the same, compiled by itself with `nki.compiler`. `backend-off`: the same, with
 * allocation and scheduling of the backend off. `rewriting`: the kernel is rewritten as the Neuron compiler rewrites legacy kernels.
 */
export const PIPELINES = ['literal', 'standalone', 'backend-off', 'rewriting'] as const;
export type CompiledPipeline = (typeof PIPELINES)[number];

/** When DMAs that load are triggered: as soon as possible; as late as possible without a wait for their data; or where the scheduler put them. */
export const LOAD_TRIGGERS = ['early', 'late', 'scheduled'] as const;
export type LoadTriggers = (typeof LOAD_TRIGGERS)[number];

/** The one whose published times a kernel's time is compared with: too few authors have published others. */
export const COMPARED_WITH: Readonly<Record<CompiledPipeline, 'literal' | 'rewriting'>> = {
  literal: 'literal',
  standalone: 'literal',
  'backend-off': 'literal',
  rewriting: 'rewriting',
};

/** Values of `--pipeline`. `auto`: the pipeline of the kernel's dialect. */
export const PIPELINE_CHOICES = ['auto', ...PIPELINES] as const;
export type Pipeline = (typeof PIPELINE_CHOICES)[number];
