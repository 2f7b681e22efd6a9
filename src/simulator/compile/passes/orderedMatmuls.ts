/** `nl.matmul` that transposes x: who does so, and what the user is told where the compiler keeps the order of such a kernel. */
import { findRow } from '../../isa/table';
import type { Program } from '../../program/program';
import type { Compiled } from '../compiled';

/** Instructions `nl.matmul` of x[M, K]. */
export function turningMatmuls({ operations, attributes, instructions }: Program): number[] {
  const isMatmul = operations.map(name => findRow(name)?.lower === 'matmul2d');
  const { operation } = instructions;
  return [...operation.keys()].filter(i => isMatmul[operation[i]] && attributes[instructions.attributes[i]].transpose_x !== true);
}

const MESSAGE =
  'nl.matmul transposes x, and on this target the compiler then keeps the order of the whole kernel (kernels that do so take three times as long on Trn2 as on Trn1): make x with K as its partitions and pass transpose_x=True, or use nki.isa.nc_matmul';

/** @returns the compilation with a note on each line of these instructions */
export function withOrderNotes({ frames, files, instructions }: Program, compiled: Compiled, turning: readonly number[]): Compiled {
  const places = new Map(
    turning.map(i => {
      const frame = instructions.frame[i];
      const place = { file: files[frames.file[frame]]?.path ?? '', line: frames.line[frame] };
      return [`${place.line} ${place.file}`, place];
    }),
  );
  const notes = [...places.values()].map(place => ({ severity: 'info' as const, message: MESSAGE, ...place }));
  return { ...compiled, checks: [...compiled.checks, ...notes] };
}
