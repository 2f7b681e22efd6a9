/**
 * Compiles the modules, and lets V8 optimise them in the background, before a kernel needs them. V8 optimises a function after it has run
 * for some time; before that, a product takes several times as long. V8 shares the code of equal modules between the threads of a process
 * while one of them exists.
 */
import { CopyModule } from './copy';
import { ElementwiseModule } from './elementwise';
import { MatmulModule } from './matmul';
import { TILE_COLUMNS, TILE_ROWS } from './panels';
import { WasmSpace } from './space';

/** Deep enough that one product of one tile makes V8 optimise the function. It takes a fraction of a millisecond. */
const DEPTH = 16384;
/** Products of these are exact in float32, and are not: either has its own code. */
const EXACT_AND_ROUNDED = [1, 1 / 3];

/** @returns modules that the caller must keep */
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
