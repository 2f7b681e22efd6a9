/** Opcodes on registers of an engine's sequencer, by their names in recordings: they work on one number, whatever the kernel's tiles are. */

/** By opcode, whether it accesses HBM or SBUF. */
const REGISTER_OPCODES: Readonly<Record<string, boolean>> = { TENSOR_LOAD: true, TENSOR_STORE: true, ALU_OP: false, MOVE: false };

export const isOnRegisters = (opcode: string): boolean => opcode in REGISTER_OPCODES;

/** Of one on registers. */
export const accessesMemory = (opcode: string): boolean => REGISTER_OPCODES[opcode];

/** A hardware loop in a program: one instruction for each turn, which becomes a branch. */
export const HARDWARE_LOOP = 'nki.language.dynamic_range';
export const BRANCH = 'COMPARE_BRANCH';
