/** The simulator behind a session: lowering and scheduling, execution, checksums. Converts their errors to errors for the user. */
import { checksum } from '../execute/checksum';
import { Execution, ExecutionError } from '../execute/execute';
import { TooLarge } from '../execute/limits';
import { LiveExecution } from '../execute/live/liveExecution';
import { executeNarrowed } from '../execute/narrowed';
import { precisionOf } from '../execute/precision';
import { executeRanks, RankExecutionError } from '../execute/ranks';
import { DEFAULT_MACHINE } from '../hardware/machines';
import { machineFor, TARGET_NAMES } from '../hardware/targets';
import { KernelError } from '../program/error';
import { matchCollectives } from '../program/matchCollectives';
import { decodePiece } from '../program/piece';
import type { Program } from '../program/program';
import { simulateCores } from '../simulate';
import { compileRank, simulateRanks } from '../simulateRanks';
import { type BackendValues, RunError, type SimulatorBackend, type Watch } from './backend';

export const simulatorBackend: SimulatorBackend = {
  simulate: (cores, options) => inUserTerms(cores[0], () => simulateCores(cores, options)),

  execute: (program, inputs, wanted, { machine = machineFor(program.target), shouldStop }) =>
    inUserTerms(program, () => {
      const outputs = new Set(wanted);
      const keep = (tensor: number) => outputs.has(tensor);
      const execution = new Execution(program, tensor => inputs.get(tensor) ?? null, { machine, shouldStop, keep });
      execution.run();
      return wanted.map(tensor => execution.tensor(tensor));
    }),

  precision: (program, inputs, wanted, { machine = machineFor(program.target), shouldStop }) =>
    inUserTerms(program, () => precisionOf(program, tensor => inputs.get(tensor) ?? null, wanted, { machine, shouldStop })),

  narrowed: (program, inputs, wanted, { machine = machineFor(program.target), shouldStop }, narrowing) =>
    inUserTerms(program, () => executeNarrowed(program, tensor => inputs.get(tensor) ?? null, wanted, { machine, shouldStop }, narrowing)),

  simulateRanks: (ranks, options) =>
    onRanks(
      ranks.map(({ whole }) => ({ program: whole })),
      () => simulateRanks(ranks, options),
    ),

  compileRank,

  executeRanks: (ranks, { machine = machineFor(ranks[0].program.target), shouldStop, executors }) =>
    onRanks(ranks, () => {
      const collectives = matchCollectives(ranks.map(({ program }) => program));
      const elsewhere = executors?.execute(ranks, collectives, machine);
      if (elsewhere) return elsewhere;
      const executions = executeRanks(
        ranks.map(({ program, inputs, wanted }) => {
          const outputs = new Set(wanted);
          const keep = (tensor: number) => outputs.has(tensor);
          return { program, inputs: (tensor: number) => inputs.get(tensor) ?? null, options: { machine, shouldStop, keep } };
        }),
        collectives,
      );
      return ranks.map(({ wanted }, rank) => wanted.map(tensor => executions[rank].tensor(tensor)));
    }),

  inspect(program, inputs, machine = machineFor(program.target)) {
    let watched: Watch | null = null;
    const begin = () =>
      new Execution(program, tensor => inputs.get(tensor) ?? null, {
        machine,
        shouldStop: () => watched?.shouldStop() ?? false,
        onProgress: done => watched?.onProgress(done),
      });
    let execution = begin();
    return {
      at(instruction, watch) {
        watched = watch;
        if (instruction < execution.position) {
          execution.end();
          execution = begin();
        }
        return inUserTerms(program, () => execution.inspect(instruction));
      },
    };
  },

  live(inputs, { shouldStop, target, machine = TARGET_NAMES.includes(target) ? machineFor(target) : DEFAULT_MACHINE }) {
    const execution = new LiveExecution(inputs, shouldStop, machine);
    return {
      append: piece => execution.append(decodePiece(piece, execution.before)),
      read: (tensor, pattern, as = execution.dtype(tensor), apart) => ({
        dtype: as,
        values: readLive(execution, () => execution.read(tensor, pattern, as, apart)),
        written: execution.isWritten(tensor),
        assumed: execution.takeAssumed(),
      }),
    };
  },

  checksum,
};

/** Source lines of a program that is being recorded are the front end's to know: it gets the frame. */
function readLive(execution: LiveExecution, read: () => BackendValues): BackendValues {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ExecutionError)) throw error;
    const frame = error.instruction < 0 ? undefined : execution.frame(error.instruction);
    throw new RunError(error.name, error.message, null, frame);
  }
}

function inUserTerms<T>(program: Program, call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (error instanceof TooLarge) throw new RunError(error.name, error.message);
    if (error instanceof KernelError) throw new RunError('KernelError', error.message, error, error.frame);
    if (error instanceof ExecutionError) throw atInstruction(program, error);
    throw error;
  }
}

/** What a rank could not carry out is at a line of its own program. Frames are not told: the recorder knows those of its last rank only. */
function onRanks<T>(ranks: readonly { program: Program }[], call: () => T): T {
  try {
    return inUserTerms(ranks[0].program, call);
  } catch (error) {
    if (error instanceof RunError) throw new RunError(error.kind, error.message, error.position);
    if (error instanceof RankExecutionError) {
      const { kind, message, position } = atInstruction(ranks[error.rank].program, error.cause);
      throw new RunError(kind, `rank ${error.rank}: ${message}`, position);
    }
    throw error;
  }
}

function atInstruction(program: Program, { name, message, instruction }: ExecutionError): RunError {
  if (instruction < 0) return new RunError(name, message);
  const frame = program.instructions.frame[instruction];
  const position = { file: program.files[program.frames.file[frame]].path, line: program.frames.line[frame] };
  return new RunError(name, message, position, frame);
}
