/**
 * Has the modules compiled, and optimised in the background, before a kernel needs them: V8 optimises a function once it has run for
 * a while, and meanwhile a product takes several times as long. It shares the code of equal modules between the threads of a process for as
 * long as somebody holds one.
 */
import { CopyModule } from './copy';
import { ElementwiseModule } from './elementwise';
import { MatmulModule } from './matmul';
import { TILE_COLUMNS, TILE_ROWS } from './panels';
import { WasmSpace } from './space';

/** Deep enough that one product of one tile shows V8 what is worth its time: a fraction of a millisecond. */
const DEPTH = 16384;
/** Products of these are exact in float32, and are not: either has its own code. */
const EXACT_AND_ROUNDED = [1, 1 / 3];

/** @returns what must be held. */
export function compileAhead(): readonly WebAssembly.Module[] {
  const space = new WasmSpace();
  const matmul = new MatmulModule(space);
  new ElementwiseModule(space);
  new CopyModule(space);
  for (const value of EXACT_AND_ROUNDED) {
    const [stationary, moving] = [TILE_ROWS, TILE_COLUMNS].map(stride => ({
      values: new Float32Array(DEPTH * stride).fill(value),
      stride,
    }));
    const out = new Float32Array(TILE_ROWS * TILE_COLUMNS);
    matmul.multiply(stationary, moving, DEPTH, TILE_COLUMNS, out, TILE_ROWS, TILE_COLUMNS);
  }
  return space.modules;
}
