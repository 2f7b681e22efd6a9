/** The real rooms behind the host: lowering and scheduling, execution, checksums. Turns their errors into the user's terms. */
import { checksum } from '../execute/checksum';
import { Execution, ExecutionError } from '../execute/execute';
import { KernelError } from '../program/error';
import type { Program } from '../program/program';
import { simulate } from '../simulate';
import { type Rooms, RunError } from './rooms';

export const simulatorRooms: Rooms = {
  simulate: (program, options) => inUserTerms(program, () => simulate(program, options)),

  execute: (program, inputs, wanted, shouldStop) =>
    inUserTerms(program, () => {
      const execution = new Execution(program, tensor => inputs.get(tensor) ?? null, { shouldStop });
      execution.run();
      return wanted.map(tensor => execution.tensor(tensor));
    }),

  checksum,
};

function inUserTerms<T>(program: Program, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof KernelError) throw new RunError('KernelError', error.message, error);
    if (error instanceof ExecutionError) throw atInstruction(program, error);
    throw error;
  }
}

function atInstruction(program: Program, { message, instruction }: ExecutionError): RunError {
  if (instruction < 0) return new RunError('ExecutionError', message);
  const frame = program.instructions.frame[instruction];
  const position = { file: program.files[program.frames.file[frame]].path, line: program.frames.line[frame] };
  return new RunError('ExecutionError', message, position, frame);
}
