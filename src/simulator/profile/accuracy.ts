/**
 * The accuracy statement of a profile: how its times were computed (by generation and pipeline), the errors of such kernels with
 * published times, and the instructions of the kernel whose times are assumed.
 */
import type { Compiled } from '../compile/compiled';
import { MEASURED_ACCURACY } from '../hardware/measuredAccuracy';
import { COMPARED_WITH } from '../vocabulary/pipelines';

const PIPELINE: Readonly<Record<Compiled['pipeline'], string>> = {
  literal: 'The kernel runs as written.',
  standalone: 'The kernel runs as written, compiled by itself: DMA descriptors are static, and tiles keep their places in PSUM.',
  'backend-off': 'The kernel runs as written, compiled by itself without the allocation and scheduling of the backend.',
  rewriting:
    'The kernel is rewritten as public profiles show that the Neuron compiler rewrites legacy kernels: instructions reordered, repeated loads and computations left out, copies, small reductions and neighbouring loads and stores merged. Tiles that do not fit are spilled by a rule of our own. Fused arithmetic is not modelled.',
};

const EXPERIMENT = 'An experiment: modelled with other figures of the machine or the compiler than those that model NeuronCore-';

export function accuracyStatement(
  { machine, pipeline, assumed }: Pick<Compiled, 'machine' | 'pipeline' | 'assumed'>,
  isExperiment = false,
): string {
  if (isExperiment) return `${EXPERIMENT}${machine.generation}. ${PIPELINE[pipeline]} No published time can be compared with it.`;
  const { sentence, namesAssumed } = machine.accuracyBasis;
  const parts = [sentence, PIPELINE[pipeline], comparison(pipeline, machine.instanceType)];
  // For other machines nearly every time is assumed, as the first sentence says.
  if (namesAssumed && assumed.length > 0) parts.push(`The times of ${assumed.join(', ')} rest on assumptions.`);
  return parts.join(' ');
}

function comparison(pipeline: Compiled['pipeline'], target: string): string {
  const known = MEASURED_ACCURACY[`${COMPARED_WITH[pipeline]} ${target}`];
  if (!known) return 'The model was calibrated on no published time of such kernels.';
  const { rows, meanPercent, worstPercent } = known;
  return `Against ${rows} published times of such kernels the error is ${meanPercent} % on average and ${worstPercent} % at worst.`;
}
