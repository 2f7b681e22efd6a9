/**
 * The accuracy statement of a profile: how its times were computed (by generation and pipeline), the errors of such kernels with
 * published times, and the instructions of the kernel whose times are assumed.
 */
import type { Compiled } from '../compile/compiled';
import { neuronPolicy } from '../compile/neuronPolicy';
import { isReordered } from '../compile/order';
import { isEarlyNki } from '../compile/pipelines';
import { MEASURED_ACCURACY } from '../hardware/measuredAccuracy';
import { COMPARED_WITH } from '../vocabulary/pipelines';

type Pipeline = Compiled['pipeline'];

const PIPELINE: Readonly<Record<Pipeline, string>> = {
  literal: 'The kernel runs as written.',
  standalone: 'The kernel runs as written, compiled by itself: DMA descriptors are static, and tiles keep their places in PSUM.',
  'backend-off': 'The kernel runs as written, compiled by itself without the allocation and scheduling of the backend.',
  rewriting:
    'The kernel is rewritten as public profiles show that the Neuron compiler rewrites legacy kernels. Tiles that do not fit are spilled by a rule of our own. Fused arithmetic is not modelled.',
};

/** What those have in common whose times are compared. */
const COMPARED = { literal: 'kernels that run as written', rewriting: 'rewritten kernels' };

/** The compiler leaves some kernels in their order, whatever else it does to them. */
function orderText(pipeline: Pipeline, reordered: boolean, nkiVersion: string | undefined): string {
  if (!reordered) return 'Its engines compute in the order of the program.';
  const merged =
    pipeline === 'rewriting'
      ? '. As far as there is space, repeated loads and computations are left out, and copies, small reductions and neighbouring loads and stores merged'
      : '';
  const of = pipeline === 'literal' && isEarlyNki(nkiVersion, neuronPolicy) ? ` of NKI ${nkiVersion}` : '';
  return `Its instructions are in the order of the modelled compiler${of}${merged}.`;
}

const EXPERIMENT = 'An experiment: modelled with other figures of the machine or the compiler than those that model NeuronCore-';

/** @param nkiVersion that the kernel was written for; absent: today's */
export function accuracyStatement(
  compiled: Pick<Compiled, 'machine' | 'pipeline' | 'assumed' | 'instructions'>,
  { nkiVersion, isExperiment = false }: { nkiVersion?: string; isExperiment?: boolean } = {},
): string {
  const { machine, pipeline, assumed } = compiled;
  const how = `${PIPELINE[pipeline]} ${orderText(pipeline, isReordered(compiled), nkiVersion)}`;
  if (isExperiment) return `${EXPERIMENT}${machine.generation}. ${how} No published time can be compared with it.`;
  const { sentence, namesAssumed } = machine.accuracyBasis;
  const parts = [sentence, how, comparison(pipeline, machine.instanceType)];
  // For other machines nearly every time is assumed, as the first sentence says.
  if (namesAssumed && assumed.length > 0) parts.push(`The times of ${assumed.join(', ')} rest on assumptions.`);
  return parts.join(' ');
}

function comparison(pipeline: Pipeline, target: string): string {
  const compared = COMPARED_WITH[pipeline];
  const known = MEASURED_ACCURACY[`${compared} ${target}`];
  const kernels = `${COMPARED[compared]} on ${target}`;
  if (!known) return `The model was calibrated on no published time of ${kernels}.`;
  const { rows, meanPercent, worstPercent } = known;
  return `Against ${rows} published times of ${kernels} the error is ${meanPercent} % on average and ${worstPercent} % at worst.`;
}
