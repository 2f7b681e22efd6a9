/** Generations of NeuronCores, as far as they brought instructions. What a generation is, is in `hardware/`. */

/** Sets of instructions, by the generation that brought them: v2 = Trn1/Inf2, v3 = Trn2, v4 = Trn3. A machine names the one that it has. */
export type InstructionSet = 'v2' | 'v3' | 'v4';
