/** Sets of instructions of the NeuronCore generations. `hardware/` describes each generation. */

/** Sets of instructions, by the generation that introduced them: v2 = Trn1/Inf2, v3 = Trn2, v4 = Trn3. A machine names its set. */
export type InstructionSet = 'v2' | 'v3' | 'v4';
