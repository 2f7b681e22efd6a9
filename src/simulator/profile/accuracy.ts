/** What a profile says of its own times: by generation and pipeline, and how much of it rests on assumptions. */
import type { Compiled } from '../compile/compiled';
import type { Generation } from '../isa/types';

const BASIS: Readonly<Record<Generation, string>> = {
  v2: 'Modelled for NeuronCore-v2 from documented clocks and rates; most fixed latencies were measured on Trn2 only and are assumed here.',
  v3: 'Modelled for NeuronCore-v3 from documented rates and instruction times measured in public Trn2 profiles.',
  v4: 'Modelled for NeuronCore-v4 from documented clocks and rates; fixed latencies were measured on Trn2 and are assumed here.',
};

const PIPELINE: Readonly<Record<Compiled['pipeline'], string>> = {
  literal: 'The kernel runs as written.',
  rewriting:
    'As the Neuron compiler rewrites legacy kernels: reordered, repeated loads left out; merged copies, reductions and stores, and spills are not modelled.',
};

export function accuracyStatement({ machine, pipeline }: Compiled): string {
  return `${BASIS[machine.generation]} ${PIPELINE[pipeline]}`;
}
