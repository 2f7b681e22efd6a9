/** Inputs of the schedulers of cores that ran side by side -> the one of their run: its events, costs and cuts, core after core. */
import type { Column } from '../columns/container';
import { arrayRowsOf, type ProfileTiming, sameBurstOf } from './timing';

/** @param barriers of each core, the instructions that wait for the other cores, in the compiler's numbering */
export function joinTiming(cores: readonly ProfileTiming[], barriers: readonly (readonly number[])[]): ProfileTiming {
  const instructions = offsets(cores, timing => timing.instructions.row.length);
  const transfers = offsets(cores, timing => timing.transfers.row.length);
  const costs = offsets(cores, timing => timing.costs.issueNs.length);
  const speeds = offsets(cores, timing => timing.speeds.speed.length);
  const all = instructions[cores.length];
  const joined = <C extends Column>(column: (timing: ProfileTiming) => C, by?: (value: number, core: number) => number) =>
    concatenated(cores.map(column), by);
  const event = (value: number, core: number) => {
    const own = instructions[core + 1] - instructions[core];
    return value < own ? value + instructions[core] : value - own + all + transfers[core];
  };
  return {
    costs: {
      issueNs: joined(timing => timing.costs.issueNs),
      durationNs: joined(timing => timing.costs.durationNs),
      ports: joined(timing => timing.costs.ports),
    },
    instructions: {
      row: joined(
        timing => timing.instructions.row,
        (row, core) => row + instructions[core],
      ),
      cost: joined(
        timing => timing.instructions.cost,
        (cost, core) => cost + costs[core],
      ),
      dependencies: joined(timing => timing.instructions.dependencies),
    },
    dependencies: { event: joined(timing => timing.dependencies.event, event), kind: joined(timing => timing.dependencies.kind) },
    transfers: {
      row: joined(
        timing => timing.transfers.row,
        (row, core) => row + transfers[core],
      ),
      mode: joined(timing => timing.transfers.mode),
      cut: joined(
        timing => timing.transfers.cut,
        (cut, core) => cut + speeds[core],
      ),
    },
    cuts: { packets: joined(timing => timing.cuts.packets), bytes: joined(timing => timing.cuts.bytes) },
    speeds: { speed: joined(timing => timing.speeds.speed) },
    ...(cores.some(({ products }) => products) && { products: { arrayRows: joined(arrayRowsOf) } }),
    ...(cores.some(({ bursts }) => bursts) && { bursts: { sameBurst: joined(sameBurstOf) } }),
    barriers: { instruction: Uint32Array.from(barriers.flatMap((own, core) => own.map(i => i + instructions[core]))) },
  };
}

/** Of each core the number of rows before its own; at the end that of all rows. */
function offsets(cores: readonly ProfileTiming[], rows: (timing: ProfileTiming) => number): number[] {
  const result = [0];
  for (const timing of cores) result.push(result.at(-1)! + rows(timing));
  return result;
}

function concatenated<C extends Column>(columns: readonly C[], by: (value: number, core: number) => number = value => value): C {
  const Type = columns[0].constructor as new (length: number) => C;
  const result = new Type(columns.reduce((rows, column) => rows + column.length, 0));
  let at = 0;
  for (const [core, column] of columns.entries()) for (let row = 0; row < column.length; row++) result[at++] = by(column[row], core);
  return result;
}
